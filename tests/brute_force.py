"""The judge: the definitions of the theory of dependency graphs, word for word and slow, over plain Python sets.

Nothing here imports the package: `Judge` has the names of the package's graph, so that the two can be compared name by
name, and `disagreements` does so. A certificate is not compared but checked: several may be right.
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cached_property
from itertools import combinations, pairwise, permutations, product
from typing import Any

Arc = tuple[int, int] | tuple[int, int, str]  # (head, dependent) or (head, dependent, label)

PREDICATES = (
    "is_planar",
    "is_projective",
    "is_single_head",
    "is_acyclic",
    "is_connected",
    "is_forest",
    "is_tree",
    "has_covered_roots",
    "is_well_nested",
)
NUMBERS = ("gap_degree", "arc_degree", "planarity")
LARGEST_PLANARITY_TOLD = 5  # the batch measures say 5 for every planarity above 4


def word_arcs(arcs: Iterable[Arc]) -> list[Arc]:
    """The arcs between words; those from the marker 0 only say that a word is a root."""
    return [arc for arc in arcs if arc[0] != 0]


def covers(arc: Arc, word: int) -> bool:
    head, dependent = arc[:2]
    return min(head, dependent) < word < max(head, dependent)


def words_inside(arc: Arc) -> set[int]:
    """The words strictly inside the span of an arc."""
    return {word for word in range(max(arc[:2])) if covers(arc, word)}


def cross(one: Arc, other: Arc) -> bool:
    (min1, max1), (min2, max2) = sorted(one[:2]), sorted(other[:2])
    return min1 < min2 < max1 < max2 or min2 < min1 < max2 < max1


def crossing_pairs(arcs: Iterable[Arc]) -> list[tuple[Arc, Arc]]:
    return [(one, other) for one, other in combinations(word_arcs(arcs), 2) if cross(one, other)]


def gaps(words: Collection[int]) -> int:
    """The number of maximal intervals of a set of words, minus 1."""
    return sum(right - left > 1 for left, right in pairwise(sorted(words)))


def interleave(words1: Collection[int], words2: Collection[int]) -> bool:
    """Whether i1 < i2 < j1 < j2 for some i1, j1 among the first words and some i2, j2 among the second."""
    return any(
        i1 < i2 < j1 < j2 for i1, j1 in combinations(sorted(words1), 2) for i2, j2 in combinations(sorted(words2), 2)
    )


def components(words: Iterable[int], arcs: Collection[Arc]) -> list[set[int]]:
    """The weakly connected components of the subgraph that some words induce."""
    parts = [{word} for word in words]
    for head, dependent, *_ in arcs:
        touched = [part for part in parts if head in part or dependent in part]
        if len(touched) == 2:
            # One end outside of the words touches one part only, both ends in one part too.
            parts = [part for part in parts if part not in touched] + [set.union(*touched)]
    return parts


def undominated_components(arc: Arc, arcs: Collection[Arc], projection: set[int]) -> int:
    """The components strictly inside the span of an arc that are not within the projection of its head."""
    return sum(not part <= projection for part in components(words_inside(arc), arcs))


def is_k_planar_by_enumeration(arcs: Iterable[Arc], k: int) -> bool:
    """Whether one of all the ways to give each arc one of k planes leaves no two crossing arcs in a plane."""
    arcs = word_arcs(arcs)
    crossing = [(i, j) for i, j in combinations(range(len(arcs)), 2) if cross(arcs[i], arcs[j])]
    return any(all(plane[i] != plane[j] for i, j in crossing) for plane in product(range(k), repeat=len(arcs)))


def is_k_planar(arcs: Iterable[Arc], k: int) -> bool:
    """The same by backtracking: an arc tries every plane where it crosses nothing; one unused plane stands for all."""
    pairs = crossing_pairs(arcs)
    crossed: dict[Arc, set[Arc]] = {arc: set() for pair in pairs for arc in pair}
    for one, other in pairs:
        crossed[one].add(other)
        crossed[other].add(one)

    def place_the_rest(plane: dict[Arc, int], used: int) -> bool:
        if len(plane) == len(crossed):
            return True
        closed = {
            arc: {plane[other] for other in crossed[arc] if other in plane} for arc in crossed if arc not in plane
        }
        # The order of the arcs changes only how soon the answer comes: the most constrained one first.
        arc = max(closed, key=lambda arc: (len(closed[arc]), len(crossed[arc])))
        return any(
            place_the_rest(plane | {arc: p}, max(used, p + 1)) for p in range(min(k, used + 1)) if p not in closed[arc]
        )

    return k >= 1 and place_the_rest({}, 0)


class Judge:
    """A dependency graph on the words 1..n whose properties are decided from their definitions."""

    def __init__(self, n: int, arcs: Iterable[Arc]) -> None:
        self.words = range(1, n + 1)
        self.arcs = word_arcs(arcs)
        self.links = {arc[:2] for arc in self.arcs}

    @cached_property
    def projections(self) -> dict[int, set[int]]:
        """The words that each word dominates: those that a directed path reaches, itself included."""
        return {word: self._reachable(word) for word in self.words}

    def _reachable(self, word: int) -> set[int]:
        reached = {word}
        while more := {dependent for head, dependent in self.links if head in reached} - reached:
            reached |= more
        return reached

    def heads(self, word: int) -> set[int]:
        return {head for head, dependent in self.links if dependent == word}

    def roots(self) -> set[int]:
        return {word for word in self.words if not self.heads(word)}

    def is_planar(self) -> bool:
        return not self.crossings()

    def is_projective(self) -> bool:
        return self.is_planar() and not self.has_covered_roots()

    def is_single_head(self) -> bool:
        return all(len(self.heads(word)) <= 1 for word in self.words)

    def is_acyclic(self) -> bool:
        return not any(head in self.projections[dependent] for head, dependent in self.links)

    def is_connected(self) -> bool:
        return len(components(self.words, self.arcs)) <= 1

    def is_forest(self) -> bool:
        return self.is_single_head() and self.is_acyclic()

    def is_tree(self) -> bool:
        return self.is_forest() and len(self.roots()) == 1

    def has_covered_roots(self) -> bool:
        return any(covers(arc, root) for arc in self.arcs for root in self.roots())

    def is_well_nested(self) -> bool:
        return not any(
            self.projections[r1].isdisjoint(self.projections[r2])
            and interleave(self.projections[r1], self.projections[r2])
            for r1, r2 in permutations(self.words, 2)
        )

    def gap_degree(self) -> int:
        return max((gaps(projection) for projection in self.projections.values()), default=0)

    def arc_degree(self) -> int:
        return max((undominated_components(arc, self.arcs, self.projections[arc[0]]) for arc in self.arcs), default=0)

    def nonprojective_arcs(self) -> list[Arc]:
        return [arc for arc in self.arcs if not words_inside(arc) <= self.projections[arc[0]]]

    def crossings(self) -> list[tuple[Arc, Arc]]:
        return crossing_pairs(self.arcs)

    def planarity(self) -> int:
        return next(k for k in range(1, len(self.arcs) + 2) if is_k_planar(self.arcs, k))

    def batch_measures(self) -> dict[str, int]:
        """What the batch measures say of this graph, by their names."""
        return {
            "nonprojective": not self.is_projective(),
            "planarity": min(self.planarity(), LARGEST_PLANARITY_TOLD),
            "ill_nested": not self.is_well_nested(),
            "np_arcs": len(self.nonprojective_arcs()),
            "gap_degree": self.gap_degree(),
            "arc_degree": self.arc_degree(),
        }

    def proves_not_planar(self, pair: Any) -> bool:
        one, other = pair
        return one in self.arcs and other in self.arcs and cross(one, other)

    def proves_covered_root(self, certificate: Any) -> bool:
        root, arc = certificate
        return root in self.roots() and arc in self.arcs and covers(arc, root)

    def proves_ill_nested(self, certificate: Any) -> bool:
        r1, r2, i1, i2, j1, j2 = certificate
        projection1, projection2 = self.projections[r1], self.projections[r2]
        in_place = {i1, j1} <= projection1 and {i2, j2} <= projection2
        return in_place and i1 < i2 < j1 < j2 and projection1.isdisjoint(projection2)

    def proves_cyclic(self, words: Any) -> bool:
        linked = all(link in self.links for link in pairwise([*words, words[0]]))
        return linked and len(set(words)) == len(words)

    def proves_not_2_planar(self, arcs: Any) -> bool:
        linked = all(cross(one, other) for one, other in pairwise([*arcs, arcs[0]]))
        return linked and len(arcs) % 2 == 1 and self._are_arcs_of_mine(arcs)

    def proves_not_k_planar(self, arcs: Any, k: int) -> bool:
        """Whether some arcs are not k-planar, and become so when any one of them goes."""
        minimal = all(is_k_planar([other for other in arcs if other != arc], k) for arc in arcs)
        return minimal and not is_k_planar(arcs, k) and self._are_arcs_of_mine(arcs)

    def proves_k_planar(self, planes: Any, k: int) -> bool:
        """Whether some planes are k sets, share my arcs out among them, and hold no two crossing arcs."""
        shared_out = sorted(arc for plane in planes for arc in plane) == sorted(self.arcs)
        are_k_sets = len(planes) == k and all(isinstance(plane, (set, frozenset)) for plane in planes)
        return shared_out and are_k_sets and not any(crossing_pairs(plane) for plane in planes)

    def _are_arcs_of_mine(self, arcs: Any) -> bool:
        return set(arcs) <= set(self.arcs) and len(set(arcs)) == len(arcs)


def disagreements(graph: Any, n: int, arcs: Collection[Arc]) -> list[str]:
    """Where the package's graph and the judge differ, over every predicate, number, list and certificate."""
    judge = Judge(n, arcs)
    judged = {name: getattr(judge, name)() for name in (*PREDICATES, *NUMBERS)}
    planarity = judged["planarity"]
    found = []

    def expect(what: str, got: Any, expected: Any) -> None:
        if got != expected or type(got) is not type(expected):
            found.append(f"{what} is {got!r}, not {expected!r}, for n={n}, arcs={list(arcs)}")

    def expect_proof(what: str, certificate: Any, exists: bool, holds: Callable[..., bool], *k: int) -> None:
        if (certificate is not None) != exists or (exists and not holds(certificate, *k)):
            wanted = "a proof" if exists else None
            found.append(f"{what} is {certificate!r}, not {wanted}, for n={n}, arcs={list(arcs)}")

    expect("arcs", sorted(graph.arcs), sorted(arcs))
    for name, value in judged.items():
        expect(name, getattr(graph, name)(), value)
    expect("nonprojective_arcs", sorted(graph.nonprojective_arcs()), sorted(judge.nonprojective_arcs()))
    expect("crossings", _unordered(graph.crossings()), _unordered(judge.crossings()))

    expect_proof("crossing", graph.crossing(), not judged["is_planar"], judge.proves_not_planar)
    expect_proof("covered_root", graph.covered_root(), judged["has_covered_roots"], judge.proves_covered_root)
    expect_proof("ill_nesting", graph.ill_nesting(), not judged["is_well_nested"], judge.proves_ill_nested)
    expect_proof("cycle", graph.cycle(), not judged["is_acyclic"], judge.proves_cyclic)
    expect_proof("odd_cycle", graph.odd_cycle(), planarity > 2, judge.proves_not_2_planar)
    for k in range(1, planarity + 2):
        expect_proof(f"obstruction({k})", graph.obstruction(k), k < planarity, judge.proves_not_k_planar, k)
        expect_proof(f"planes({k})", graph.planes(k), k >= planarity, judge.proves_k_planar, k)
    return found


def _unordered(pairs: Iterable[tuple[Arc, Arc]]) -> list[list[Arc]]:
    return sorted(sorted(pair) for pair in pairs)


WeightedArc = tuple[int, int, float]  # (head, dependent, cost)


def branchings(nodes: Iterable[int], links: Collection[tuple[int, int]], root: int) -> Iterator[dict[int, int]]:
    """All ways to give every node but the root one of its heads so that each is reached from the root."""
    others = [node for node in nodes if node != root]
    for heads in product(*([head for head, dependent in links if dependent == node] for node in others)):
        head_of = dict(zip(others, heads, strict=True))
        reached = {root}
        while more := {node for node in others if head_of[node] in reached} - reached:
            reached |= more
        if len(reached) == len(others) + 1:
            yield head_of


def least_branching_cost(nodes: Iterable[int], arcs: Collection[WeightedArc], root: int) -> float | None:
    """The cost of the cheapest branching; None if there is none."""
    cost: dict[tuple[int, int], float] = {}
    for head, dependent, price in arcs:
        cost[head, dependent] = min(price, cost.get((head, dependent), price))
    found = (
        sum(cost[head, node] for node, head in head_of.items()) for head_of in branchings(list(nodes), set(cost), root)
    )
    return min(found, default=None)


def costs_of_directions(n: int, edges: Iterable[Arc], method: str) -> dict[tuple[int, int], int]:
    """The arcs of D(U) and their costs (S3 §4), for edges written in the directions that they prefer."""
    agreeing = {edge[:2] for edge in edges}
    a1 = {arc for h, d in agreeing for arc in ((h, d), (d, h)) if arc[1] != 0}
    a2 = {(0, word) for word in range(1, n + 1)}
    if method == "naive":
        return {arc: 1 if arc in a1 else 2 for arc in a1 | a2}
    if method == "label-strict":
        return {arc: 2 * n if arc not in a1 else 1 if arc in agreeing else 2 for arc in a1 | a2}
    assert method == "label"
    return {arc: 2 * n if arc in a2 else 1 if arc in agreeing else 2 for arc in a1 | a2}


def reconstructed_heads(n: int, edges: Collection[Arc], method: str) -> dict[int, int]:
    """Every word's head if each component has the root that makes it cheapest, on ties one that is linked to 0."""
    cost = costs_of_directions(n, edges, method)
    linked = {max(edge[:2]) for edge in edges if min(edge[:2]) == 0}
    between_words = [edge for edge in edges if min(edge[:2]) > 0]
    neighbours: dict[int, set[int]] = {word: set() for word in range(1, n + 1)}
    for one, other, *_ in between_words:
        neighbours[one].add(other)
        neighbours[other].add(one)

    def away_from(root: int) -> dict[int, int]:
        head_of, todo = {root: 0}, [root]
        while todo:
            word = todo.pop()
            for other in neighbours[word] - head_of.keys():
                head_of[other] = word
                todo.append(other)
        return head_of

    def price(root: int) -> tuple[int, bool, int]:
        return sum(cost[head, word] for word, head in away_from(root).items()), root not in linked, root

    found: dict[int, int] = {}
    for component in components(range(1, n + 1), between_words):
        found |= away_from(min(component, key=price))
    return found
