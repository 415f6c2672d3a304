"""The judge of S4's theorems: a search over all actions, and the configurations that cannot be parsed, in plain Python.

Graphs are sets of links `(left, right)`: for S4's system the direction of an arc is unimportant (S4, footnote 4).
"""

from collections.abc import Collection, Iterator, Sequence
from itertools import combinations, pairwise, permutations

Link = tuple[int, int]


def all_links(n: int) -> list[Link]:
    return list(combinations(range(1, n + 1), 2))


def link_sets(n: int) -> Iterator[list[Link]]:
    """All graphs over n words."""
    pairs = all_links(n)
    for number in range(2 ** len(pairs)):
        yield [pair for bit, pair in enumerate(pairs) if number >> bit & 1]


def is_derivable_by_swapping(n: int, links: Collection[Link]) -> bool:
    """Whether any sequence of S4's actions builds these links: all are tried, over stack, front and links built.

    The front leaves the queue for good, so that it is shifted only with all its links to words before it.
    """
    gold = frozenset(links)
    todo: list[tuple[tuple[int, ...], int, frozenset[Link]]] = [((), 1, frozenset())]
    seen = set(todo)
    while todo:
        stack, front, built = todo.pop()
        if front > n:
            return True
        after = []
        if all(link in built for link in gold if link[1] == front):
            after.append(((*stack, front), front + 1, built))
        if stack:
            after.append((stack[:-1], front, built))
            link = (stack[-1], front)
            if link in gold - built:
                after.append((stack, front, built | {link}))
        if len(stack) > 1:
            after.append(((*stack[:-2], stack[-1], stack[-2]), front, built))
        fresh = [state for state in after if state not in seen]
        seen.update(fresh)
        todo += fresh
    return False


def is_chain(links: Sequence[Link], after: int, t: int) -> bool:
    """Whether links cross, each the next, from one that ends after a word to the only one that ends after t."""
    *others, last = links
    crossing = all(x1 < x2 < y1 < y2 for (x1, y1), (x2, y2) in pairwise(links))
    return crossing and links[0][1] > after and all(y <= t for _, y in others) and last[1] > t


def configuration(links: Collection[Link]) -> str | None:
    """The unparsable configuration that links form (docs/graphs.md), or None. The names are those of Theorem 2's proof:

    two words above C have their last links after the next link t of C: A, and another one at all times until t.
    """
    for one, two, three in permutations(links, 3):
        rest = sorted(set(links) - {one, two, three})
        if not rest:
            return None
        (a, p), (a2, q), (c, t) = one, two, three
        if a == a2 != c and max(a, c) < rest[0][0] < p < t < q and is_chain(rest, p, t):
            return "early"
        if a == a2 != c and p == t and len(rest) == 2:
            for (c2, q2), (x, y) in (rest, rest[::-1]):
                if c2 == c and max(a, c) < x < p < min(q, q2, y):
                    return "shared"
        (b, u), (c, t), (a, q) = one, two, three
        if b != c and max(b, c) < a < rest[0][0] < u <= t < q and is_chain(rest, u, t):
            return "late"
    return None
