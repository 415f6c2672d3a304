"""What many tests do on the page."""

from collections.abc import Iterable

from playwright.sync_api import Page, expect

CROSSING = "The committee has a plan which I think is good."


def parse(page: Page, text: str = CROSSING) -> None:
    """Types a text or CoNLL, and waits for its tree."""
    page.fill("#parse-input", text)
    page.get_by_role("button", name="Parse", exact=True).click()
    expect(page.locator("#view-parse .tree-canvas .word").first).to_be_visible()


def is_drawn(page: Page) -> None:
    """Waits until the drawing is up to date."""
    expect(page.locator(".tree-box:visible")).not_to_have_attribute("aria-busy", "true")


def derive(page: Page, text: str) -> None:
    """Opens the step view with a text or CoNLL, and waits for its derivation."""
    page.get_by_role("navigation", name="Views").get_by_role("link", name="Step").click()
    page.wait_for_selector("#step-follow option", state="attached")
    page.fill("#step-input", text)
    page.get_by_role("button", name="Derive").click()
    expect(page.locator("#view-step .tree-canvas .word").first).to_be_visible()


def conllu(words: Iterable[str], heads: Iterable[int], label: str = "dep") -> str:
    """A sentence in CoNLL-U."""
    rows = (
        f"{number}\t{word}\t_\tX\t_\t_\t{head}\t{label if head else 'root'}\t_\t_\n"
        for number, (word, head) in enumerate(zip(words, heads, strict=True), 1)
    )
    return "".join(rows) + "\n"


def shown_arcs(page: Page, view: str = "step") -> set[tuple[int, int]]:
    """The arcs that can be seen; a root is an arc from 0."""
    found = page.evaluate(
        """(view) => [...document.querySelectorAll(`#view-${view} :is(.arc, .root)`)]
            .filter((arc) => getComputedStyle(arc).visibility === "visible")
            .map((arc) => [Number(arc.dataset.head ?? 0), Number(arc.dataset.dependent)])""",
        view,
    )
    return {(head, dependent) for head, dependent in found}
