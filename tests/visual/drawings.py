"""Drawings that several tests use."""

from hypothesis import strategies as st

from multiplane.visual import Drawing

HEARING = Drawing(
    words=("A", "hearing", "is", "scheduled", "on", "the", "issue", "today"),
    tags=("DET", "NOUN", "AUX", "VERB", "ADP", "DET", "NOUN", "NOUN"),
    planes=(
        (
            (2, 1, "det"),
            (4, 2, "nsubj:pass"),
            (4, 3, "aux:pass"),
            (4, 8, "obl:tmod"),
            (7, 5, "case"),
            (7, 6, "det"),
        ),
        ((2, 7, "nmod"),),
    ),
    roots=((4, "root"),),
)

# A hand-made graph with three planes, several heads and two arcs between the same words.
GRAPH = Drawing(
    words=("alpha", "beta", "gamma", "delta", "epsilon"),
    planes=(((1, 3, "one"), (3, 5, "one")), ((2, 4, "two"), (2, 4, "again")), ((5, 2, "three"),)),
    roots=((1, "top"), (1, "root"), (2, "root")),
    title="a graph",
)

HOSTILE_TEXT = st.one_of(
    st.text(max_size=12),
    st.text(alphabet="\\{}$&#^_~%<>\"'`|[]-,\x00\x1b\u202e\ufffe\ud800\u0301 \n日", max_size=8),
    st.sampled_from(["", "]]>", "<!--", "&amp;", "\\end{document}", "x" * 5000, "\u0301" * 5000, "日" * 100]),
)


@st.composite
def drawings(draw: st.DrawFn, text: st.SearchStrategy[str] = HOSTILE_TEXT) -> Drawing:
    """Any drawing: arcs may cross inside a plane, words may have many heads, and arcs may come twice."""
    n = draw(st.integers(0, 9))
    words = tuple(draw(text) for _ in range(n))
    tags = tuple(draw(text) for _ in range(n)) if draw(st.booleans()) else ()
    if n < 2:
        return Drawing(words, tags, roots=tuple((1, draw(text)) for _ in range(n)), title=draw(text))
    pairs = st.tuples(st.integers(1, n), st.integers(1, n)).filter(lambda pair: pair[0] != pair[1])
    arcs = st.tuples(pairs, text).map(lambda arc: (*arc[0], arc[1]))
    planes = draw(st.lists(st.lists(arcs, max_size=8).map(tuple), max_size=5).map(tuple))
    roots = draw(st.lists(st.tuples(st.integers(1, n), text), max_size=4).map(tuple))
    return Drawing(words, tags, planes, roots, draw(text))
