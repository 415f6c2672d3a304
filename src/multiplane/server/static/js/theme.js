// Dark or light: as the system says, until the reader chooses; the choice is kept in this browser.

const KEY = "multiplane-colours";
const NAMES = { auto: "Auto", light: "Light", dark: "Dark" };
const NEXT = { auto: "dark", dark: "light", light: "auto" };

export function startTheme(toggle) {
  let choice = stored();
  const apply = () => {
    if (choice === "auto") delete document.documentElement.dataset.colours;
    else document.documentElement.dataset.colours = choice;
    toggle.textContent = NAMES[choice];
    toggle.dataset.choice = choice;
    toggle.setAttribute("aria-label", `Colours: ${NAMES[choice]}. Change`);
    toggle.title = "Colours: same as system, dark or light";
  };
  toggle.addEventListener("click", () => {
    choice = NEXT[choice];
    try {
      localStorage.setItem(KEY, choice);
    } catch {
      // Storage is switched off; the choice holds until the page is closed.
    }
    apply();
  });
  apply();
}

function stored() {
  try {
    const choice = localStorage.getItem(KEY);
    return choice in NAMES ? choice : "auto";
  } catch {
    return "auto";
  }
}
