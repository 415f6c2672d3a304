"""Feature models: read from TOML, extended, written back and compiled."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from features.test_addresses import TEMPLATES
from multiplane.errors import FeatureError, InputError
from multiplane.features import (
    COLUMNS,
    AtomKind,
    Attribute,
    AttributeKind,
    FeatureModel,
    Node,
    NodeOp,
    Part,
    Template,
    Value,
    model,
    parse_template,
    shipped_models,
)
from multiplane.systems import systems

EXAMPLE = """
about = "an example"
[names]
s0 = "stack[0]"
b0 = "buffer[0]"
h = "head(s0)"
[templates]
transition = ["s0.form", "s0.upos+b0.upos", "h.prefix(2)"]
label = ["governor.upos + dependent.upos"]
"""


def from_templates(*transition: str, label: tuple[str, ...] = ()) -> FeatureModel:
    parsed = tuple(parse_template(text) for text in transition)
    return FeatureModel("t", "", parsed, tuple(parse_template(text, label=True) for text in label))


def message(text: str) -> str:
    with pytest.raises(FeatureError) as caught:
        FeatureModel.from_toml(text, "my.toml")
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.fixture
def ship(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder that takes the place of the shipped models."""
    monkeypatch.setattr(model, "_DEFAULTS", tmp_path)
    model._load_shipped.cache_clear()
    yield tmp_path
    model._load_shipped.cache_clear()


def test_a_model_is_read_with_its_names_resolved() -> None:
    example = FeatureModel.from_toml(EXAMPLE, "example")
    assert (example.name, example.about) == ("example", "an example")
    assert list(map(str, example.transition)) == [
        "stack[0].form",
        "stack[0].upos + buffer[0].upos",
        "head(stack[0]).prefix(2)",
    ]
    assert list(map(str, example.label)) == ["governor.upos + dependent.upos"]


def test_a_model_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        FeatureModel.from_toml(EXAMPLE).about = "other"  # type: ignore[misc]


def test_labels_and_about_are_optional() -> None:
    small = FeatureModel.from_toml('templates.transition = ["active"]')
    assert (small.name, small.about, small.label) == ("<text>", "", ())


def test_to_toml_needs_no_names_and_no_other_model() -> None:
    written = FeatureModel.from_toml(EXAMPLE, "example").to_toml()
    assert "names" not in written
    assert FeatureModel.from_toml(written, "example") == FeatureModel.from_toml(EXAMPLE, "example")


@given(st.text(), st.lists(TEMPLATES, max_size=5, unique_by=frozenset), st.lists(TEMPLATES, max_size=2))
def test_any_model_is_read_back_from_its_toml(about: str, label: list[Template], more: list[Template]) -> None:
    transition = {frozenset(t): t for t in more if not _has_arc_ends(t)} or {frozenset(): parse_template("active")}
    written = FeatureModel("m", about, tuple(transition.values()), tuple(label))
    assert FeatureModel.from_toml(written.to_toml(), "m") == written


def _has_arc_ends(template: Template) -> bool:
    ends = (NodeOp.GOVERNOR, NodeOp.DEPENDENT, NodeOp.LEFT, NodeOp.RIGHT)
    return any(node.base.op in ends for value in template for node in value.nodes)


def test_about_can_have_any_character() -> None:
    odd = FeatureModel("m", 'a "b" \\ \n \t \x00 \x7f é 𝄞', (parse_template("active"),), ())
    assert FeatureModel.from_toml(odd.to_toml(), "m") == odd


def test_the_message_says_file_place_and_column() -> None:
    answer = message('templates.transition = ["active", "size(stack)", "transition[0]", "stack[0].upso"]')
    assert answer.startswith(
        "my.toml: templates.transition[3]: \"stack[0].upso\": column 10: no attribute 'upso'; did you mean upos? A node"
    )


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "my.toml: templates.transition: empty; a model needs at least one template"),
        ("[templates]\nlabel = ['governor.upos']", "my.toml: templates.transition: empty"),
        ("a = 1\nb = [", "my.toml: not well-formed TOML: Invalid value (at end of document)"),
        ("about = 'x'\nabout = 'y'\n", "my.toml: not well-formed TOML: Cannot overwrite a value (at line 2"),
        ("x = " + "[" * 100_000, "my.toml: not well-formed TOML: arrays or tables nested too deeply"),
        ("x = " + "9" * 10_000, "my.toml: not well-formed TOML: "),
        (
            "template = []",
            "my.toml: no key 'template'; did you mean templates? A feature model can have about, extends",
        ),
        ("zzz = 1", "my.toml: no key 'zzz'; a feature model can have about, extends, names, templates"),
        ("templates.labels = []", "my.toml: templates: no key 'labels'; did you mean label? Templates can have"),
        ("about = 1", "my.toml: about: expected a string, not 1"),
        ("extends = ['planar']", "my.toml: extends: expected a string, not ['planar']"),
        ("names = 's0'", "my.toml: names: expected a table, not 's0'"),
        ("templates = []", "my.toml: templates: expected a table, not []"),
        ("templates.transition = 'active'", "my.toml: templates.transition: expected an array, not 'active'"),
        ("templates.transition = ['active', 3]", "my.toml: templates.transition[1]: expected a string, not 3"),
        ("templates.transition = ['']", 'my.toml: templates.transition[0]: "": column 1: empty'),
        ("names.s0 = 1", "my.toml: names.s0: expected a string, not 1"),
        ("names.s0 = 'stack[-1]'", 'my.toml: names.s0: "stack[-1]": column 7: -1 is out of range'),
        ("names.stack = 'buffer[0]'", "my.toml: names: 'stack' is reserved; choose another name"),
        ('names."s\\n0" = "buffer[0]"', 'my.toml: names: "s\\n0" is not a valid name'),
        ("[names]\nh = 'head(s)'\ns = 'stack[0]'", "my.toml: names.h: \"head(s)\": column 6: no node or value 's'"),
        ("names.x = 'head(x)'", "my.toml: names.x: \"head(x)\": column 6: no node or value 'x'"),
        ("templates.transition = ['governor.upos']", "column 1: governor is only allowed in label templates"),
        ("extends = '../secret'", "my.toml: extends: no feature model '../secret'; bundled models: "),
        ("extends = 'planr'", "my.toml: extends: no feature model 'planr'; did you mean planar?"),
    ],
)
def test_every_mistake_in_a_model_is_named_with_its_place(text: str, what: str) -> None:
    assert what in message(text)


def test_a_template_in_other_words_is_a_duplicate_and_both_are_named() -> None:
    text = "names.s = 'stack[0]'\ntemplates.transition = ['s.form + ldep(s).upos', 'ldep(stack[0],1).upos+s.form']"
    assert message(text) == (
        'my.toml: templates.transition[1]: "ldep(stack[0],1).upos+s.form" is equivalent to '
        '"s.form + ldep(s).upos", my.toml: templates.transition[0]; remove one of them'
    )


def test_the_same_template_may_choose_transitions_and_labels() -> None:
    both = FeatureModel.from_toml("templates = { transition = ['active'], label = ['active'] }")
    assert both.transition == both.label


def test_a_model_extends_a_shipped_one(ship: Path) -> None:
    (ship / "base.toml").write_text(EXAMPLE)
    (ship / "middle.toml").write_text("extends = 'base'\ntemplates.label = ['active']")
    text = "about = 'mine'\nextends = 'middle'\nnames.hh = 'head(h)'\ntemplates.transition = ['hh.upos']"
    mine = FeatureModel.from_toml(text)
    assert mine.about == "mine"
    assert [str(template) for template in mine.transition][-2:] == [
        "head(stack[0]).prefix(2)",
        "head(head(stack[0])).upos",
    ]
    assert [str(template) for template in mine.label] == ["governor.upos + dependent.upos", "active"]
    assert "extends" not in mine.to_toml()
    assert FeatureModel.from_toml(mine.to_toml()) == mine


def test_an_inherited_template_cannot_be_repeated_even_under_the_same_name(ship: Path) -> None:
    (ship / "my.toml").write_text("templates.transition = ['active']")
    answer = message("extends = 'my'\ntemplates.transition = ['active']")
    assert answer.startswith('my.toml: templates.transition[0]: "active" is equivalent to "active", my: templates')
    with pytest.raises(FeatureError, match="is equivalent to"):
        FeatureModel.from_toml("extends = 'my'\ntemplates.transition = ['active']", "my")


def test_an_inherited_name_keeps_its_meaning(ship: Path) -> None:
    (ship / "base.toml").write_text(EXAMPLE)
    FeatureModel.from_toml("extends = 'base'\nnames.s0 = 'stack[0]'")
    answer = message("extends = 'base'\nnames.s0 = 'stack[1]'")
    assert answer == "my.toml: names.s0: s0 means stack[0] in the model that this one extends"


def test_circles_of_models_are_refused(ship: Path) -> None:
    (ship / "a.toml").write_text("extends = 'b'")
    (ship / "b.toml").write_text("extends = 'a'")
    (ship / "self.toml").write_text("extends = 'self'")
    with pytest.raises(FeatureError, match="b: extends: a model cannot extend itself: a → b → a"):
        FeatureModel.load("a")
    with pytest.raises(FeatureError, match="self: extends: a model cannot extend itself: self → self"):
        FeatureModel.load("self")
    assert "a: extends: a model cannot extend itself: b → a → b" in message("extends = 'b'")


def test_a_mistake_in_an_extended_model_names_that_model(ship: Path) -> None:
    (ship / "base.toml").write_text("templates.transition = ['active', 'activ']")
    assert message("extends = 'base'").startswith('base: templates.transition[1]: "activ": column 1: ')


def test_a_model_is_loaded_from_a_path(tmp_path: Path) -> None:
    path = tmp_path / "my.toml"
    path.write_bytes(b"\xef\xbb\xbf" + EXAMPLE.replace("\n", "\r\n").encode())
    assert FeatureModel.load(path) == FeatureModel.load(str(path))
    assert FeatureModel.load(path).name == str(path)
    other = tmp_path / "no-suffix"
    other.write_text(EXAMPLE)
    assert FeatureModel.load(str(other)).about == "an example"


def test_a_name_alone_is_never_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine").write_text(EXAMPLE)
    with pytest.raises(FeatureError, match="no feature model 'mine'"):
        FeatureModel.load("mine")


def test_files_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nowhere\.toml: cannot be read: no such file or directory"):
        FeatureModel.load(tmp_path / "nowhere.toml")
    with pytest.raises(InputError, match="cannot be read: is a directory"):
        FeatureModel.load(tmp_path)
    (tmp_path / "latin.toml").write_bytes(b"about = '\xe9'")
    with pytest.raises(FeatureError, match=r"latin\.toml: not valid UTF-8"):
        FeatureModel.load(tmp_path / "latin.toml")
    (tmp_path / "bad.toml").write_text("about = 'x'\n]")
    with pytest.raises(FeatureError, match=r"bad\.toml: not well-formed TOML: Invalid statement \(at line 2"):
        FeatureModel.load(tmp_path / "bad.toml")


def test_an_unknown_shipped_model_is_reported_with_the_known_ones(ship: Path) -> None:
    for name in ("planar", "2-planar"):
        (ship / f"{name}.toml").write_text(EXAMPLE)
    assert shipped_models() == ["2-planar", "planar"]
    with pytest.raises(FeatureError) as caught:
        FeatureModel.load("3-planar")
    assert str(caught.value) == (
        "no feature model '3-planar'; did you mean 2-planar? Bundled models: 2-planar, planar; "
        "load your own file by its path, ending in .toml"
    )


@pytest.mark.parametrize("name", shipped_models())
def test_every_shipped_model_is_well_written(name: str) -> None:
    shipped = FeatureModel.load(name)
    assert shipped.name == name
    assert shipped.about
    assert FeatureModel.from_toml(shipped.to_toml(), name) == shipped
    assert decompiled(shipped) == (shipped.transition, shipped.label)


@pytest.mark.parametrize(
    ("template", "columns"),
    [
        ("active", ()),
        ("stack[0].deprel", ()),
        ("stack[0].form", ("form",)),
        ("stack[0].lower", ("form",)),
        ("stack[0].prefix(1)", ("form",)),
        ("stack[0].suffix(1)", ("form",)),
        ("stack[0].shape", ("form",)),
        ("stack[0].feats.Case", ("feats",)),
        ("stack[0].feats + stack[0].xpos + stack[0].lemma", ("lemma", "xpos", "feats")),
    ],
)
def test_the_columns_are_those_that_templates_read(template: str, columns: tuple[str, ...]) -> None:
    assert from_templates(template).columns == columns


def test_the_columns_of_label_templates_count_too() -> None:
    assert from_templates("stack[0].upos", label=("governor.lemma",)).columns == ("lemma", "upos")


def test_a_model_is_checked_against_the_stacks_of_a_system() -> None:
    three = from_templates("active", "stack[0].upos", label=("size(inactive)", "head(inactive2[1]).upos"))
    three.check(systems["3-planar"])
    with pytest.raises(FeatureError, match=r"t: head\(inactive2\[1\]\)\.upos needs a system with at least 3 stacks"):
        three.check(systems["2-planar"])
    with pytest.raises(FeatureError, match=r"t: size\(inactive\) needs .* 2 stacks; this one has 1"):
        three.check(systems["planar"])


def test_a_model_is_checked_against_the_direction_of_arcs() -> None:
    both = from_templates("stack[0].labels", "label(stack[0],buffer[0])", "linked(stack[0],buffer[0])")
    directed = from_templates("active", label=("governor.upos",))
    undirected = from_templates("label(stack[0],llink(stack[0]))")
    slots = FeatureModel.from_toml('templates.transition = ["active"]\nslots.focus = ["llink(stack[0])"]', "t")
    for each in (both, directed):
        each.check(systems["planar"])
    for each in (both, undirected, slots):
        each.check(systems["undirected-planar"])
    with pytest.raises(FeatureError) as caught:
        directed.check(systems["undirected-planar"])
    assert str(caught.value) == (
        "t: governor.upos needs a system with directed arcs; undirected-planar builds edges without direction"
    )
    with pytest.raises(FeatureError, match=r"t: llink\(stack\[0\]\) needs an undirected system"):
        slots.check(systems["covington"])
    with pytest.raises(
        FeatureError, match=r"t: label\(.*\) needs an undirected system; arc-eager builds directed arcs"
    ):
        undirected.check(systems["arc-eager"])


def test_every_construct_is_compiled_to_its_numbers() -> None:
    compiled = from_templates(
        "stack[1].form + inactive[2].lower + inactive2[3].prefix(4)",
        "buffer[5].suffix(6) + aside[7].shape",
        "head(stack[1]).feats.Case + ldep(stack[1],2).deprel + rdep(stack[1]).lvalency",
        "lsib(stack[1]).rvalency + rsib(stack[1]).valency + next(stack[1],3).llabels",
        "previous(stack[1]).rlabels + stack[1].labels",
        "distance(stack[1],buffer[5]) + linked(buffer[5],stack[1]) + transition[7] + size(aside) + active",
        "llink(stack[1],2).form + rlink(stack[1]).form + lusib(stack[1]).form + rusib(stack[1]).form",
        "label(stack[1],buffer[5])",
        "path(stack[1],buffer[5]) + role(stack[1],buffer[5]) + stack[1].predicate + buffer[5].sense",
        "stack[1].arguments + stack[1].roles",
        label=("governor.form + dependent.feats", "left.form + right.form"),
    ).compile()
    assert compiled.attributes == [
        (0, 0, ""),
        (1, 0, ""),
        (2, 0, "4"),
        (3, 0, "6"),
        (4, 0, ""),
        (5, 4, "Case"),
        (0, 4, ""),
    ]
    assert compiled.transition.nodes == [
        (0, 0, 1),
        (0, 1, 2),
        (0, 2, 3),
        (1, 5, 0),
        (2, 7, 0),
        (5, 0, 0),
        (6, 0, 2),
        (7, 0, 1),
        (8, 0, 0),
        (9, 0, 0),
        (10, 0, 3),
        (11, 0, 1),
        (14, 0, 2),
        (15, 0, 1),
        (16, 0, 0),
        (17, 0, 0),
    ]
    assert compiled.transition.atoms == [
        *[(0, 0, 0), (0, 1, 1), (0, 2, 2)],
        *[(0, 3, 3), (0, 4, 4)],
        *[(0, 5, 5), (1, 6, 0), (2, 7, 0)],
        *[(3, 8, 0), (4, 9, 0), (5, 10, 0)],
        *[(6, 11, 0), (7, 0, 0)],
        *[(8, 0, 3), (9, 3, 0), (10, 7, 0), (11, 3, 0), (12, 0, 0)],
        *[(0, 12, 0), (0, 13, 0), (0, 14, 0), (0, 15, 0)],
        (13, 0, 3),
        *[(14, 0, 3), (15, 0, 3), (16, 0, 0), (17, 3, 0)],
        *[(18, 0, 0), (19, 0, 0)],
    ]
    assert compiled.transition.templates == [
        [0, 1, 2],
        [3, 4],
        [5, 6, 7],
        [8, 9, 10],
        [11, 12],
        [13, 14, 15, 16, 17],
        [18, 19, 20, 21],
        [22],
        [23, 24, 25, 26],
        [27, 28],
    ]
    assert compiled.label == Part(
        [(3, 0, 0), (4, 0, 0), (12, 0, 0), (13, 0, 0)],
        [(0, 0, 0), (0, 1, 6), (0, 2, 0), (0, 3, 0)],
        [[0, 1], [2, 3]],
    )


def test_what_templates_share_is_compiled_once() -> None:
    shared = from_templates("head(stack[0]).upos", "head(stack[0]).upos + stack[0].upos").compile()
    assert shared.attributes == [(0, 2, "")]
    assert shared.transition == Part([(0, 0, 0), (5, 0, 0)], [(0, 1, 0), (0, 0, 0)], [[0], [0, 1]])
    assert shared.label == Part([], [], [])


def test_compiled_tables_hold_plain_integers() -> None:
    compiled = FeatureModel.from_toml(EXAMPLE).compile()
    rows = [*compiled.transition.nodes, *compiled.transition.atoms, *compiled.label.nodes, *compiled.label.atoms]
    assert {type(cell) for row in rows for cell in row} == {int}
    assert {tuple(map(type, row)) for row in compiled.attributes} == {(int, int, str)}


@given(st.lists(TEMPLATES, max_size=5), st.lists(TEMPLATES, max_size=5))
def test_the_tables_say_all_that_the_templates_say(transition: list[Template], label: list[Template]) -> None:
    original = FeatureModel("m", "", tuple(transition), tuple(label))
    compiled = original.compile()
    for table in (compiled.attributes, *compiled.transition[:2], *compiled.label[:2]):
        assert len(set(table)) == len(table)
    assert decompiled(original) == (original.transition, original.label)


def decompiled(original: FeatureModel) -> tuple[tuple[Template, ...], tuple[Template, ...]]:
    """The templates that the tables stand for, read from the tables alone."""
    compiled = original.compile()
    attributes = [Attribute(AttributeKind(kind), column, text) for kind, column, text in compiled.attributes]
    assert all(attribute.column < len(COLUMNS) for attribute in attributes)
    return _templates(compiled.transition, attributes), _templates(compiled.label, attributes)


def _templates(part: Part, attributes: list[Attribute]) -> tuple[Template, ...]:
    nodes: list[Node] = []
    for op, a, b in part.nodes:  # each is found from earlier ones only
        nodes.append(_node(NodeOp(op), a, b, nodes))
    atoms = [_value(AtomKind(kind), a, b, nodes, attributes) for kind, a, b in part.atoms]
    return tuple(Template(atoms[i] for i in template) for template in part.templates)


def _node(op: NodeOp, a: int, b: int, nodes: list[Node]) -> Node:
    if op >= NodeOp.HEAD and op not in (NodeOp.LEFT, NodeOp.RIGHT):
        return Node(op, nodes[a], number=b)
    return Node(op, stack=a, number=b) if op is NodeOp.STACK else Node(op, number=a)


def _value(kind: AtomKind, a: int, b: int, nodes: list[Node], attributes: list[Attribute]) -> Value:
    if kind is AtomKind.WORD:
        return Value(kind, (nodes[a],), attributes[b])
    if kind in (AtomKind.DISTANCE, AtomKind.LINKED, AtomKind.LABEL, AtomKind.PATH, AtomKind.ROLE):
        return Value(kind, (nodes[a], nodes[b]))
    of_one_node = kind < AtomKind.DISTANCE or kind >= AtomKind.PREDICATE
    return Value(kind, (nodes[a],)) if of_one_node else Value(kind, number=a)
