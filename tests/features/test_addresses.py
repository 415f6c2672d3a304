"""The language of addresses and values: what it can say, and what it answers to what it cannot."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from multiplane.errors import FeatureError
from multiplane.features import (
    ATTRIBUTES,
    AtomKind,
    Attribute,
    AttributeKind,
    Node,
    NodeOp,
    Template,
    Value,
    parse_node,
    parse_template,
)
from multiplane.features.addresses import check_name

S0, B0 = Node(NodeOp.STACK), Node(NodeOp.BUFFER)


def words(number: int) -> st.SearchStrategy[str]:
    alphabet = st.characters(exclude_characters="+|=.,()[]", exclude_categories=["Z", "C"])
    return st.text(alphabet, min_size=1, max_size=number)


PLACES = st.integers(0, 1000)
COUNTS = st.integers(1, 1000)
BASES = st.one_of(
    st.builds(lambda stack, i: Node(NodeOp.STACK, stack=stack, number=i), PLACES, PLACES),
    st.builds(lambda op, i: Node(op, number=i), st.sampled_from([NodeOp.BUFFER, NodeOp.ASIDE]), PLACES),
    st.sampled_from([Node(op) for op in (NodeOp.GOVERNOR, NodeOp.DEPENDENT, NodeOp.LEFT, NodeOp.RIGHT)]),
)
COUNTING = st.sampled_from(
    [NodeOp.LDEP, NodeOp.RDEP, NodeOp.NEXT, NodeOp.PREVIOUS, NodeOp.LLINK, NodeOp.RLINK],
)
NOT_COUNTING = st.sampled_from([NodeOp.HEAD, NodeOp.LSIB, NodeOp.RSIB, NodeOp.LUSIB, NodeOp.RUSIB])
NODES = st.recursive(
    BASES,
    lambda inner: st.one_of(
        st.builds(Node, NOT_COUNTING, inner),
        st.builds(lambda op, of, k: Node(op, of, number=k), COUNTING, inner, COUNTS),
    ),
    max_leaves=5,
).filter(lambda node: node.depth <= 16)
FEATURE_NAMES = st.one_of(words(8), st.builds("{}[{}]".format, words(5), words(5)))
WORD_ATTRIBUTES = st.one_of(
    st.builds(Attribute, st.just(AttributeKind.WHOLE), st.integers(0, 4), st.just("")),
    st.builds(Attribute, st.sampled_from([AttributeKind.LOWER, AttributeKind.SHAPE]), st.just(0), st.just("")),
    st.builds(
        Attribute,
        st.sampled_from([AttributeKind.PREFIX, AttributeKind.SUFFIX]),
        st.just(0),
        st.integers(1, 9).map(str),
    ),
    st.builds(Attribute, st.just(AttributeKind.FEATS_ATTRIBUTE), st.just(4), FEATURE_NAMES),
)
TREE_KINDS = st.sampled_from([kind for kind in AtomKind if AtomKind.DEPREL <= kind <= AtomKind.LABELS])
GRAPH_KINDS = st.sampled_from([AtomKind.PREDICATE, AtomKind.SENSE, AtomKind.ARGUMENTS, AtomKind.ROLES])
PAIRS = st.sampled_from([AtomKind.DISTANCE, AtomKind.LINKED, AtomKind.LABEL, AtomKind.PATH, AtomKind.ROLE])
VALUES = st.one_of(
    st.builds(lambda node, attribute: Value(AtomKind.WORD, (node,), attribute), NODES, WORD_ATTRIBUTES),
    st.builds(lambda kind, node: Value(kind, (node,)), TREE_KINDS, NODES),
    st.builds(lambda kind, node: Value(kind, (node,)), GRAPH_KINDS, NODES),
    st.builds(Value, PAIRS, st.tuples(NODES, NODES)),
    st.builds(lambda i: Value(AtomKind.TRANSITION, number=i), st.integers(0, 7)),
    st.builds(lambda i: Value(AtomKind.SIZE, number=i), st.integers(0, 3)),
    st.just(Value(AtomKind.ACTIVE)),
)
TEMPLATES = st.lists(VALUES, min_size=1, max_size=4, unique=True).map(Template)


def message(text: str, *, label: bool = False, **names: str) -> str:
    with pytest.raises(FeatureError) as caught:
        parse_template(text, {name: parse_node(address) for name, address in names.items()}, label=label)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "node"),
    [
        ("stack[0]", S0),
        ("stack[1000]", Node(NodeOp.STACK, number=1000)),
        ("inactive[2]", Node(NodeOp.STACK, stack=1, number=2)),
        ("inactive2[0]", Node(NodeOp.STACK, stack=2)),
        ("inactive13[1]", Node(NodeOp.STACK, stack=13, number=1)),
        ("buffer[3]", Node(NodeOp.BUFFER, number=3)),
        ("aside[1]", Node(NodeOp.ASIDE, number=1)),
        ("governor", Node(NodeOp.GOVERNOR)),
        ("dependent", Node(NodeOp.DEPENDENT)),
        ("left", Node(NodeOp.LEFT)),
        ("right", Node(NodeOp.RIGHT)),
        ("head(stack[0])", Node(NodeOp.HEAD, S0)),
        ("ldep(stack[0])", Node(NodeOp.LDEP, S0, number=1)),
        ("ldep(stack[0],2)", Node(NodeOp.LDEP, S0, number=2)),
        ("rdep(buffer[0],3)", Node(NodeOp.RDEP, B0, number=3)),
        ("lsib(stack[0])", Node(NodeOp.LSIB, S0)),
        ("rsib(stack[0])", Node(NodeOp.RSIB, S0)),
        ("next(stack[0])", Node(NodeOp.NEXT, S0, number=1)),
        ("next(stack[0],4)", Node(NodeOp.NEXT, S0, number=4)),
        ("previous(buffer[0],2)", Node(NodeOp.PREVIOUS, B0, number=2)),
        ("llink(stack[0])", Node(NodeOp.LLINK, S0, number=1)),
        ("llink(buffer[0],3)", Node(NodeOp.LLINK, B0, number=3)),
        ("rlink(stack[0])", Node(NodeOp.RLINK, S0, number=1)),
        ("rlink(right,2)", Node(NodeOp.RLINK, Node(NodeOp.RIGHT), number=2)),
        ("lusib(stack[0])", Node(NodeOp.LUSIB, S0)),
        ("rusib(llink(stack[0]))", Node(NodeOp.RUSIB, Node(NodeOp.LLINK, S0, number=1))),
        ("head(head(stack[0]))", Node(NodeOp.HEAD, Node(NodeOp.HEAD, S0))),
        ("ldep(rdep(stack[0]))", Node(NodeOp.LDEP, Node(NodeOp.RDEP, S0, number=1), number=1)),
    ],
)
def test_every_address_is_read_and_written_back(text: str, node: Node) -> None:
    assert parse_node(text) == node
    assert str(node) == text


WHOLE = AttributeKind.WHOLE


@pytest.mark.parametrize(
    ("attribute", "expected"),
    [
        ("form", (WHOLE, 0, "")),
        ("lemma", (WHOLE, 1, "")),
        ("upos", (WHOLE, 2, "")),
        ("xpos", (WHOLE, 3, "")),
        ("feats", (WHOLE, 4, "")),
        ("lower", (AttributeKind.LOWER, 0, "")),
        ("prefix(1)", (AttributeKind.PREFIX, 0, "1")),
        ("suffix(9)", (AttributeKind.SUFFIX, 0, "9")),
        ("shape", (AttributeKind.SHAPE, 0, "")),
        ("feats.Case", (AttributeKind.FEATS_ATTRIBUTE, 4, "Case")),
        ("feats.Number[psor]", (AttributeKind.FEATS_ATTRIBUTE, 4, "Number[psor]")),
        ("feats.sub-type/ø", (AttributeKind.FEATS_ATTRIBUTE, 4, "sub-type/ø")),
    ],
)
def test_every_attribute_of_words_is_read_and_written_back(
    attribute: str, expected: tuple[AttributeKind, int, str]
) -> None:
    template = parse_template(f"stack[0].{attribute}")
    assert template == (Value(AtomKind.WORD, (S0,), Attribute(*expected)),)
    assert str(template) == f"stack[0].{attribute}"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("stack[0].deprel", Value(AtomKind.DEPREL, (S0,))),
        ("stack[0].lvalency", Value(AtomKind.LVALENCY, (S0,))),
        ("stack[0].rvalency", Value(AtomKind.RVALENCY, (S0,))),
        ("stack[0].valency", Value(AtomKind.VALENCY, (S0,))),
        ("stack[0].llabels", Value(AtomKind.LLABELS, (S0,))),
        ("stack[0].rlabels", Value(AtomKind.RLABELS, (S0,))),
        ("stack[0].labels", Value(AtomKind.LABELS, (S0,))),
        ("distance(stack[0],buffer[0])", Value(AtomKind.DISTANCE, (S0, B0))),
        ("linked(buffer[0],stack[0])", Value(AtomKind.LINKED, (B0, S0))),
        ("label(stack[0],buffer[0])", Value(AtomKind.LABEL, (S0, B0))),
        ("path(stack[0],buffer[0])", Value(AtomKind.PATH, (S0, B0))),
        ("role(buffer[0],stack[0])", Value(AtomKind.ROLE, (B0, S0))),
        ("stack[0].predicate", Value(AtomKind.PREDICATE, (S0,))),
        ("stack[0].sense", Value(AtomKind.SENSE, (S0,))),
        ("stack[0].arguments", Value(AtomKind.ARGUMENTS, (S0,))),
        ("stack[0].roles", Value(AtomKind.ROLES, (S0,))),
        ("transition[2]", Value(AtomKind.TRANSITION, number=2)),
        ("size(stack)", Value(AtomKind.SIZE, number=0)),
        ("size(inactive)", Value(AtomKind.SIZE, number=1)),
        ("size(buffer)", Value(AtomKind.SIZE, number=2)),
        ("size(aside)", Value(AtomKind.SIZE, number=3)),
        ("active", Value(AtomKind.ACTIVE)),
    ],
)
def test_every_other_value_is_read_and_written_back(text: str, value: Value) -> None:
    assert parse_template(text) == (value,)
    assert str(value) == text


def test_a_template_joins_values_in_the_order_written() -> None:
    template = parse_template("buffer[0].form + active + stack[0].upos")
    assert str(template) == "buffer[0].form + active + stack[0].upos"
    assert [value.kind for value in template] == [AtomKind.WORD, AtomKind.ACTIVE, AtomKind.WORD]


def test_space_is_free_between_parts() -> None:
    spaced = " ldep( stack[ 0 ] , 2 ).upos+\tdistance(stack[0] ,buffer[0])\n"
    assert parse_template(spaced) == parse_template("ldep(stack[0],2).upos + distance(stack[0],buffer[0])")


def test_different_texts_of_one_node_are_one_node() -> None:
    assert parse_node("ldep(stack[0],1)") == parse_node("ldep(stack[00])")


def test_names_stand_for_nodes_anywhere() -> None:
    names = {"s0": S0, "h": parse_node("head(s0)", {"s0": S0})}
    template = parse_template("s0.upos + rdep(h).form + distance(h,s0)", names)
    assert str(template) == "stack[0].upos + rdep(head(stack[0])).form + distance(head(stack[0]),stack[0])"


def test_label_templates_know_the_ends_of_the_arc() -> None:
    for text in (
        "governor.upos + head(dependent).form + distance(governor,dependent)",
        "left.upos + llink(right).form + distance(left,right)",
    ):
        assert str(parse_template(text, label=True)) == text


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("governor.upos", "governor"),
        ("active + head(governor).upos", "governor"),
        ("linked(stack[0],dependent)", "dependent"),
        ("llink(left).upos", "left"),
        ("label(stack[0],right)", "right"),
    ],
)
def test_the_ends_of_the_arc_are_refused_in_transition_templates(text: str, end: str) -> None:
    assert f"column {text.index(end) + 1}: {end} is only allowed in label templates" in message(text)


def test_a_name_for_an_end_of_the_arc_is_refused_in_transition_templates_too() -> None:
    answer = message("active + g.upos", g="head(governor)")
    assert "column 10: g (here head(governor)) is only allowed in label templates" in answer


def test_the_message_about_an_attribute_says_where_what_was_meant_and_what_is_allowed() -> None:
    assert message("stack[0].upso") == (
        "\"stack[0].upso\": column 10: no attribute 'upso'; did you mean upos? A node has " + ", ".join(ATTRIBUTES)
    )


@pytest.mark.parametrize(
    ("text", "column", "what"),
    [
        ("", 1, "empty; a template needs at least one value"),
        ("  ", 1, "empty; a template needs at least one value"),
        ("active +", 9, "expected a node such as stack[0], found the end"),
        ("+ active", 1, "expected a node such as stack[0], found '+'"),
        ("active + + active", 10, "expected a node such as stack[0], found '+'"),
        ("active + active", 10, "active is already in the template"),
        ("stack[0].zzz", 10, "no attribute 'zzz'; a node has form, lower"),
        ("stack[0].", 10, "expected an attribute, found the end; a node has form, lower"),
        ("stack[0]", 9, "a node is not a value; expected '.' and an attribute such as upos"),
        ("stack[0] upos", 10, "expected '.' and an attribute such as upos, found 'upos'"),
        ("upos", 1, "'upos' is an attribute; add a node, as in stack[0].upos"),
        (".upos", 1, "an attribute needs a node before it, as in stack[0].upos"),
        ("stack[-1].upos", 7, "-1 is out of range; use a number from 0 to 1000"),
        ("stack[1001].upos", 7, "1001 is out of range; use a number from 0 to 1000"),
        (f"stack[{'9' * 5000}].upos", 7, "999999999999… is out of range; use a number from 0 to 1000"),
        (f"inactive{'9' * 5000}[0].upos", 1, "inactive"),
        ("inactive1001[0].upos", 1, "1001 is out of range; use a number from 2 to 1000"),
        ("inactive1[0].upos", 1, "no node or value 'inactive1'; did you mean inactive?"),
        ("stack[].upos", 7, "expected a number from 0 to 1000, found ']'"),
        ("stack[x].upos", 7, "expected a number from 0 to 1000, found 'x'"),
        ("stack[٣].upos", 7, "expected a number from 0 to 1000"),
        ("stack.upos", 6, "expected '[' after stack, found '.'"),
        ("stack[0.upos", 8, "expected ']', found '.'"),
        ("stack[0", 8, "expected ']', found the end"),
        ("buffer(0).upos", 7, "expected '[' after buffer, found '('"),
        ("transition.upos", 11, "expected '[' after transition, found '.'"),
        ("transition[-2]", 12, "-2 is out of range"),
        ("transition[8]", 12, "8 is out of range; use a number from 0 to 7"),
        ("transition[0].upos", 14, "expected + or the end, found '.'"),
        ("active.upos", 7, "expected + or the end, found '.'"),
        ("stack[0].upos buffer[0].upos", 15, "expected + or the end, found 'buffer'"),
        ("stack[0].upos)", 14, "expected + or the end, found ')'"),
        ("stack[0].upos.lower", 14, "expected + or the end, found '.'"),
        ("stack[0].form(2)", 14, "expected + or the end, found '('"),
        ("stack[0].feats.", 16, "expected the name of a feature, as in feats.Case, found the end"),
        ("stack[0].feats.Case.Number", 20, "expected + or the end, found '.'"),
        ("stack[0].prefix", 16, "expected a number of characters after prefix, as in prefix(3), found the end"),
        ("stack[0].prefix()", 17, "expected a number from 1 to 9, found ')'"),
        ("stack[0].prefix(0)", 17, "0 is out of range; use a number from 1 to 9"),
        ("stack[0].suffix(10)", 17, "10 is out of range; use a number from 1 to 9"),
        ("stack[0].suffix(2", 18, "expected ')', found the end"),
        ("hed(stack[0]).upos", 1, "no function 'hed'; did you mean head? Functions are head, ldep"),
        ("zzzz(stack[0]).upos", 1, "no function 'zzzz'; functions are head, ldep"),
        ("stac[0].upos", 1, "no node or value 'stac'; did you mean stack? Nodes start with stack, inactive"),
        ("s1.upos", 1, "nodes start with stack, inactive, buffer"),
        ("head.upos", 5, "expected '(' after head, found '.'"),
        ("head(stack[0].upos", 14, "expected ')', found '.'"),
        ("head(", 6, "expected a node such as stack[0], found the end"),
        ("head().upos", 6, "wrong number of arguments; write head(x)"),
        ("head(stack[0],1).upos", 14, "wrong number of arguments; write head(x)"),
        ("ldep().upos", 6, "wrong number of arguments; write ldep(x) or ldep(x,k)"),
        ("ldep(stack[0],1,2).upos", 16, "wrong number of arguments; write ldep(x) or ldep(x,k)"),
        ("ldep(stack[0],0).upos", 15, "0 is out of range; use a number from 1 to 1000"),
        ("next(stack[0],-1).upos", 15, "-1 is out of range; use a number from 1 to 1000"),
        ("next(stack[0],buffer[0]).upos", 15, "expected a number from 1 to 1000, found 'buffer'"),
        ("head(active).upos", 6, "active is a value, not a node"),
        ("distance(stack[0])", 18, "wrong number of arguments; write distance(x,y)"),
        ("distance()", 10, "wrong number of arguments; write distance(x,y)"),
        ("linked(stack[0],)", 17, "wrong number of arguments; write linked(x,y)"),
        ("linked(stack[0],buffer[0],stack[1])", 26, "wrong number of arguments; write linked(x,y)"),
        ("linked(stack[0] buffer[0])", 17, "expected ',', found 'buffer'"),
        ("distance(stack[0],buffer[0]).upos", 29, "expected + or the end, found '.'"),
        ("distance", 9, "expected '(' after distance, found the end"),
        ("label(stack[0])", 15, "wrong number of arguments; write label(x,y)"),
        ("stack[0].upos + label", 22, "expected '(' after label, found the end"),
        ("llink(stack[0],0).upos", 16, "0 is out of range; use a number from 1 to 1000"),
        ("rlink().upos", 7, "wrong number of arguments; write rlink(x) or rlink(x,k)"),
        ("lusib(stack[0],1).upos", 15, "wrong number of arguments; write lusib(x)"),
        ("size(bufer)", 6, "no list 'bufer'; did you mean buffer? Size takes one of stack, inactive, buffer, aside"),
        ("size()", 6, "size takes one of stack, inactive, buffer, aside"),
        ("size(stack", 11, "expected ')', found the end"),
        ("size", 5, "expected '(' after size, found the end"),
        ("\x00", 1, "found '\\x00'"),
    ],
)
def test_every_mistake_is_named_with_its_column(text: str, column: int, what: str) -> None:
    answer = message(text)
    assert f": column {column}: " in answer
    assert what in answer


def test_names_are_among_the_suggestions() -> None:
    answer = message("noun1.upos", noun0="stack[0]")
    assert "did you mean noun0?" in answer
    assert "and the names noun0" in answer


def test_sixteen_functions_go_inside_each_other() -> None:
    assert parse_node("head(" * 16 + "stack[0]" + ")" * 16).depth == 16


@pytest.mark.parametrize("depth", [17, 1000, 100_000])
def test_more_functions_are_refused_without_going_deeper(depth: int) -> None:
    answer = message("head(" * depth + "stack[0]" + ")" * depth + ".upos")
    assert "column 81: nested too deeply; at most 16 functions can be nested" in answer
    assert len(answer) < 250


def test_names_do_not_hide_the_depth() -> None:
    assert "column 6: nested too deeply" in message("head(x).upos", x="head(" * 16 + "stack[0]" + ")" * 16)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", '"": column 1: empty; expected a node'),
        ("stack[0].upos", "column 9: a name stands for a node"),
        ("stack[0] + buffer[0]", "column 10: expected the end, found '+'"),
        ("active", "column 1: active is a value, not a node"),
    ],
)
def test_what_is_not_a_node_is_refused_as_one(text: str, what: str) -> None:
    with pytest.raises(FeatureError) as caught:
        parse_node(text)
    assert what in str(caught.value)


@pytest.mark.parametrize("name", ["stack", "inactive7", "head", "llink", "governor", "left", "label", "active", "size"])
def test_words_of_the_language_cannot_be_names(name: str) -> None:
    with pytest.raises(FeatureError, match=f"'{name}' is reserved"):
        check_name(name)


@pytest.mark.parametrize("name", ["", "0s", "s-0", "s 0", "s0.x", "é"])
def test_names_are_plain_words(name: str) -> None:
    with pytest.raises(FeatureError, match="is not a valid name"):
        check_name(name)


@pytest.mark.parametrize(
    ("text", "stacks"),
    [
        ("stack[5].form", 1),
        ("inactive[0].form", 2),
        ("head(ldep(inactive[0])).form", 2),
        ("distance(stack[0],inactive4[0])", 5),
        ("size(stack)", 1),
        ("size(inactive)", 2),
        ("active", 1),
    ],
)
def test_a_value_knows_how_many_stacks_it_needs(text: str, stacks: int) -> None:
    (value,) = parse_template(text)
    assert value.stacks == stacks


@pytest.mark.parametrize(
    ("text", "directed", "undirected"),
    [
        ("stack[0].form", True, True),
        ("next(governor).form", True, False),
        ("previous(right).form", False, True),
        ("dependent.lvalency", True, False),
        ("stack[0].deprel", True, True),
        ("stack[0].labels", True, True),
        ("head(stack[0]).upos", True, True),
        ("lsib(stack[0]).upos", True, True),
        ("next(rdep(stack[0])).upos", True, True),
        ("next(rlink(stack[0])).upos", False, True),
        ("lusib(stack[0]).upos", False, True),
        ("linked(stack[0],buffer[0])", True, True),
        ("label(stack[0],buffer[0])", True, True),
        ("label(stack[0],ldep(stack[0]))", True, True),
        ("label(stack[0],llink(stack[0]))", False, True),
        ("label(head(stack[0]),llink(stack[0]))", False, True),
        ("head(llink(governor)).upos", False, False),
        ("active", True, True),
    ],
)
def test_a_value_knows_whether_it_needs_direction(text: str, directed: bool, undirected: bool) -> None:
    (value,) = parse_template(text, label=True)
    assert (value.fits(undirected=False), value.fits(undirected=True)) == (directed, undirected)


@given(NODES)
def test_any_node_is_read_back_from_its_text(node: Node) -> None:
    assert parse_node(str(node)) == node


@given(TEMPLATES)
def test_any_template_is_read_back_from_its_text(template: Template) -> None:
    assert parse_template(str(template), label=True) == template


PIECES = ("stack", "inactive2", "head", "ldep", "distance", "size", "active", "s0", "upos", "feats", "prefix", "x", "7")


@given(st.lists(st.sampled_from([*PIECES, *"[](),.+- 0|\n"])).map("".join) | st.text())
def test_any_other_text_is_a_template_or_a_feature_error(text: str) -> None:
    try:
        template = parse_template(text, {"s0": S0})
    except FeatureError:
        assert message(text, s0="stack[0]")
    else:
        assert parse_template(str(template)) == template
