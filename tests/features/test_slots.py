"""Slots: what neural parsers look at, written beside the templates."""

import re

import pytest

from multiplane.errors import FeatureError
from multiplane.features import VIEWS, FeatureModel, Slots, parse_node, shipped_models
from multiplane.models.architecture import Architecture
from multiplane.systems import SHIFT, TransitionSystem, systems

ONE_STACK = {
    "default": "stack[0] stack[1] stack[2] buffer[0] ldep(stack[0]) rdep(stack[0]) ldep(buffer[0]) buffer[1] "
    "head(stack[0])",
    "fast": "stack[0] stack[1] buffer[0] ldep(stack[0]) rdep(stack[0]) ldep(buffer[0]) buffer[1] head(stack[0])",
    "s2": "stack[0] stack[1] stack[2] buffer[0] ldep(stack[0]) rdep(stack[0]) ldep(buffer[0]) "
    "ldep(stack[1]) rdep(stack[1]) ldep(stack[2]) rdep(stack[2])",
    "focus": "stack[0] stack[1] buffer[0]",
}
TWO_STACKS = {
    "default": "stack[0] stack[1] stack[2] inactive[0] inactive[1] buffer[0] ldep(stack[0]) rdep(stack[0]) "
    "ldep(buffer[0]) buffer[1] head(stack[0])",
    "fast": "stack[0] stack[1] inactive[0] buffer[0] ldep(stack[0]) rdep(stack[0]) ldep(buffer[0]) buffer[1] "
    "head(stack[0])",
    "s2": "stack[0] stack[1] stack[2] inactive[0] inactive[1] buffer[0] ldep(stack[0]) rdep(stack[0]) "
    "ldep(buffer[0]) ldep(stack[1]) rdep(stack[1]) ldep(stack[2]) rdep(stack[2]) ldep(inactive[0]) "
    "rdep(inactive[0]) ldep(inactive[1]) rdep(inactive[1])",
    "focus": "stack[0] stack[1] inactive[0] buffer[0]",
}
UNDIRECTED_SYSTEMS = sorted(name for name in systems if systems[name].is_undirected)
BASE = "templates.transition = ['active']\n"


def shown(model: FeatureModel) -> dict[str, str]:
    return {name: " ".join(map(str, nodes)) for name, nodes in model.slots._asdict().items()}


def message(text: str) -> str:
    with pytest.raises(FeatureError) as caught:
        FeatureModel.from_toml(text, "my.toml")
    return str(caught.value)


@pytest.mark.parametrize(
    "name", sorted({*systems} - {"3-planar", "covington", "covington-projective", *UNDIRECTED_SYSTEMS})
)
def test_slots_stay_in_the_order_that_stored_models_depend_on(name: str) -> None:
    assert shown(FeatureModel.of(systems[name])) == (ONE_STACK if systems[name].stacks == 1 else TWO_STACKS)


@pytest.mark.parametrize(
    ("name", "k"), [("3-planar", 3), ("3-planar-eager", 3), ("5-planar-eager", 5), ("4-planar[]", 4)]
)
def test_every_further_stack_is_seen(name: str, k: int) -> None:
    model = FeatureModel.of(systems[name])
    more = [f"inactive{stack}[0]" for stack in range(2, k)]
    assert shown(model) == {view: " ".join([slots, *more]) for view, slots in TWO_STACKS.items()}
    two = FeatureModel.load("2-planar")
    assert model.transition[: len(two.transition)] == two.transition
    assert len(model.transition) == len(two.transition) + 10 * (k - 2)
    for node in more:
        assert f"{node}.upos + buffer[0].upos + distance({node},buffer[0])" in map(str, model.transition)
    assert model.label == two.label


def test_covington_sees_the_words_set_aside() -> None:
    for name in ("covington", "covington-projective"):
        slots = shown(FeatureModel.of(systems[name]))
        assert slots["default"] == f"{ONE_STACK['default']} aside[0] aside[1]"
        assert slots["fast"] == f"{ONE_STACK['fast']} aside[0]"
        assert slots["focus"] == ONE_STACK["focus"]  # nothing set aside can be linked before it is back


def test_every_system_of_the_catalogue_declares_a_shipped_model() -> None:
    for name in (*systems, "7-planar", "7-planar-eager[]", "60-planar-joint"):
        system = systems[name]
        if system.is_undirected:
            continue
        assert system.features is not None
        assert FeatureModel.of(system) == FeatureModel.load(system.features)
        expected = name if name in shipped_models() else "planar" if system.stacks == 1 else f"{system.stacks}-planar"
        assert system.features == expected


@pytest.mark.parametrize("name", [*UNDIRECTED_SYSTEMS, "undirected-3-planar", "undirected-7-planar-joint"])
def test_undirected_systems_get_their_own_models_whose_slots_follow_links(name: str) -> None:
    system = systems[name]
    model = FeatureModel.of(system)
    by_stacks = "undirected-planar" if system.stacks == 1 else f"undirected-{system.stacks}-planar"
    assert model.name == ("undirected-covington" if name == "undirected-covington" else by_stacks)
    assert FeatureModel.of(system.trees("right")) == model
    directed = shown(FeatureModel.of(systems[name.removeprefix("undirected-")]))
    assert shown(model) == {
        view: slots.replace(" head(stack[0])", "").replace("dep(", "link(") for view, slots in directed.items()
    }


def test_an_own_undirected_system_gets_the_model_for_its_stacks() -> None:
    for name in ("planar", "2-planar"):
        mine = TransitionSystem("mine", systems[name].undirected().transitions, stacks=systems[name].stacks)
        assert FeatureModel.of(mine).name == f"undirected-{name}"


def test_a_system_that_declares_nothing_gets_the_model_of_its_name_or_for_its_stacks() -> None:
    def found(name: str, stacks: int) -> str:
        return FeatureModel.of(TransitionSystem(name, SHIFT=SHIFT, stacks=stacks)).name

    assert [found("swap", 1), found("mine", 1), found("mine", 2), found("mine", 4)] == [
        "swap",
        "planar",
        "2-planar",
        "4-planar",
    ]


def test_a_system_declares_a_name_a_path_or_the_text_and_keeps_it_among_trees(tmp_path) -> None:
    text = "extends = 'planar'\nslots.fast = ['buffer[0]']"
    (tmp_path / "mine.toml").write_text(text)
    for features in (text, str(tmp_path / "mine.toml"), "extends = 'planar'\r\nslots.fast = ['buffer[0]']"):
        system = TransitionSystem("mine", systems["planar"].transitions, features=features, oracle="planar")
        for each in (system, system.trees("left")):
            assert FeatureModel.of(each).slots.fast == (parse_node("buffer[0]"),)
    assert FeatureModel.of(system, "swap").name == "swap"
    assert FeatureModel.of(TransitionSystem("mine", SHIFT=SHIFT, features="swap")).name == "swap"


def test_mistakes_in_the_text_of_a_system_are_reported_with_its_name() -> None:
    with pytest.raises(FeatureError, match=re.escape('mine: slots.fast[0]: "stak[0]": column 1: no node or value')):
        FeatureModel.of(TransitionSystem("mine", SHIFT=SHIFT, features=BASE + "slots.fast = ['stak[0]']"))
    with pytest.raises(FeatureError, match=re.escape("mine: inactive[0] needs a system with at least 2 stacks")):
        FeatureModel.of(TransitionSystem("mine", SHIFT=SHIFT, features=BASE + "slots.focus = ['inactive[0]']"))


def test_a_view_replaces_the_one_it_extends_and_dots_stand_for_that() -> None:
    text = "extends = 'planar'\n[names]\nt = 'stack[5]'\n[slots]\n"
    model = FeatureModel.from_toml(text + "default = ['t']\nfast = ['t', '...', 'next(t)']")
    assert shown(model) == ONE_STACK | {
        "default": "stack[5]",
        "fast": f"stack[5] {ONE_STACK['fast']} next(stack[5])",
    }


def test_slots_are_written_and_read_back_and_are_optional() -> None:
    model = FeatureModel.load("covington")
    assert FeatureModel.from_toml(model.to_toml(), "covington") == model
    assert "slots" not in model.without_slots().to_toml()
    assert FeatureModel.from_toml(BASE).slots == Slots()


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("slots = []", "my.toml: slots: expected a table, not []"),
        ("slots.fst = []", "my.toml: slots: no key 'fst'; did you mean fast? Slots can have default, fast, s2, focus"),
        ("slots.fast = 'stack[0]'", "my.toml: slots.fast: expected an array, not 'stack[0]'"),
        ("slots.fast = ['stack[0]', 1]", "my.toml: slots.fast[1]: expected a string, not 1"),
        ("slots.fast = ['stack[0].upos']", 'my.toml: slots.fast[0]: "stack[0].upos": column 9: '),
        ("slots.fast = ['head(governor)']", "column 6: governor is only allowed in label templates"),
        (
            "slots.fast = ['ldep(stack[0])', 'ldep(stack[0],1)']",
            "my.toml: slots.fast[1]: ldep(stack[0]) is already in the list",
        ),
        ("slots.fast = ['inactive{k}[0]']", "my.toml: slots.fast[0]: \"inactive{k}[0]\": column 9: expected '['"),
    ],
)
def test_every_mistake_in_slots_is_named_with_its_place(text: str, what: str) -> None:
    assert what in message(BASE + text)


@pytest.mark.parametrize("view", VIEWS)
def test_a_neural_parser_needs_slots_and_a_focus_only_for_guesses(view: str) -> None:
    shape = Architecture(view=view)
    model = FeatureModel.from_toml(BASE, "my.toml")
    with pytest.raises(FeatureError, match=rf"my\.toml: slots\.{view}: empty; a neural parser needs at least one slot"):
        shape.look(model)
    model = FeatureModel.from_toml(f"{BASE}slots.{view} = ['stack[0]']", "my.toml")
    with pytest.raises(FeatureError, match=r"my\.toml: slots\.focus: empty; .* or set arc=0"):
        shape.look(model)
    assert Architecture(view=view, arc=0).look(model) == ((parse_node("stack[0]"),), ())
