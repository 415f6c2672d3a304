// Moving through a tree with the arrow keys: left and right along the sentence, up towards the root, down to the dependents.

/** The element to go to from `item`, or null if the key means nothing here. */
export function moveBetween(key, item, words, arcs) {
  const position = Number(item.dataset.word ?? item.dataset.dependent);
  const isWord = item.dataset.word !== undefined;
  switch (key) {
    case "ArrowLeft":
      return sideways(-1, item, words);
    case "ArrowRight":
      return sideways(1, item, words);
    case "Home":
      return words.values().next().value ?? null;
    case "End":
      return [...words.values()].at(-1) ?? null;
    case "ArrowUp":
      return isWord ? arcTo(position, arcs) : (words.get(Number(item.dataset.head ?? 0)) ?? null);
    case "ArrowDown":
      return isWord ? arcFrom(position, arcs) : (words.get(position) ?? null);
    default:
      return null;
  }
}

function sideways(step, item, words) {
  const order = [...words.keys()];
  // In a sentence drawn from the right, the next word is to the left.
  const first = words.get(order[0])?.getBoundingClientRect().left ?? 0;
  const last = words.get(order.at(-1))?.getBoundingClientRect().left ?? 0;
  const forwards = last >= first ? step : -step;
  const position = Number(item.dataset.word ?? item.dataset.dependent);
  return words.get(order[order.indexOf(position) + forwards]) ?? null;
}

function arcTo(dependent, arcs) {
  return visible([...arcs].filter(([key]) => key.endsWith(`-${dependent}`)));
}

function arcFrom(head, arcs) {
  return visible([...arcs].filter(([key]) => key.startsWith(`${head}-`)));
}

function visible(entries) {
  return entries.flatMap(([, elements]) => elements).find((element) => !element.classList.contains("is-hidden")) ?? null;
}
