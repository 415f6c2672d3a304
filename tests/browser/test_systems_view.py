"""The systems view: the catalogue with reasons, a search, and a sentence to try a system on."""

import pytest
from playwright.sync_api import Locator, Page, expect

import multiplane as mp
from browser.accessibility import violations
from multiplane.oracles import StaticOracle


def view(page: Page) -> Locator:
    return page.locator("#view-systems")


@pytest.fixture
def systems(page: Page) -> Page:
    page.get_by_role("link", name="Systems").click()
    expect(view(page).locator(".count")).to_have_text(f"{len(list(mp.systems))} of {len(list(mp.systems))} systems")
    return page


def test_a_system_shows_its_transitions_properties_and_reasons(systems: Page) -> None:
    view(systems).get_by_role("button", name="arc-eager Nivre (2003)").click()
    expect(systems.locator("#system-name")).to_have_text("arc-eager")
    transitions = view(systems).get_by_role("group", name="Transitions of arc-eager")
    for name, definition in mp.systems["arc-eager"].transitions.items():
        expect(transitions.get_by_role("row").filter(has=systems.get_by_text(name, exact=True)).last).to_contain_text(
            str(definition)
        )
    rows = view(systems).get_by_role("group", name="Properties of arc-eager").get_by_role("row")
    expect(rows.filter(has_text="acyclic")).to_contain_text("undecided")
    expect(rows.filter(has_text="single-head")).to_contain_text("Proposition 2")


def test_the_search_knows_names_sources_and_properties(systems: Page) -> None:
    field = view(systems).get_by_label("Search")
    names = view(systems).locator(".system-choice strong")
    field.fill("attardi")
    expect(names).to_have_text(["attardi"])
    field.fill("nivre swap")
    expect(names).to_have_text(["swap", "arc-hybrid-swap"])
    field.fill("not robust")
    expect(names).to_have_count(sum(s.properties()["robust"].holds is False for s in mp.systems.values()))
    field.fill("no such system")
    expect(view(systems).locator(".count")).to_have_text(f"0 of {len(list(mp.systems))} systems")


def test_coverage_is_that_of_the_oracle(systems: Page) -> None:
    view(systems).locator("[data-system='attardi']").click()
    rows = view(systems).get_by_role("group", name="Coverage of attardi").get_by_role("row")
    expect(rows).to_have_count(5)
    derived = [int(rows.nth(i).locator("td").first.inner_text()) for i in range(1, 5)]
    assert sum(derived) == StaticOracle(mp.systems["attardi"]).statistics(mp.sample()).exact


def test_a_tree_outside_the_class_says_which_arcs_are_lost(systems: Page) -> None:
    view(systems).locator("[data-system='planar']").click()
    view(systems).get_by_role("button", name="Derive the tree").click()
    outcome = view(systems).get_by_role("region", name="Try it")
    expect(outcome).to_contain_text("cannot build 1 arc: 11 wassen →obj 9 hond")
    view(systems).locator("[data-system='2-planar']").click()
    expect(outcome).not_to_contain_text("cannot build")
    view(systems).get_by_role("button", name="Derive the tree").click()
    expect(outcome).to_contain_text("It derives the whole tree")


def test_a_typed_sentence_is_parsed_and_opens_in_step(systems: Page) -> None:
    view(systems).locator("[data-system='arc-standard']").click()
    view(systems).get_by_label("Your own").fill("She likes old books.")
    view(systems).get_by_label("Your own").press("Enter")
    expect(view(systems)).to_contain_text("It derives the whole tree")
    view(systems).get_by_role("button", name="Step through it").click()
    expect(systems.locator("#view-step")).to_be_visible()
    expect(systems.locator("#step-follow")).to_have_value("system:arc-standard")
    expect(systems.locator("#view-step .word").first).to_contain_text("She")


def test_the_address_names_the_system(visitor) -> None:
    with visitor.visit("#systems?system=covington") as page:
        expect(page.locator("#system-name")).to_have_text("covington")
    with visitor.visit("#systems?system=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E") as page:
        expect(page.get_by_role("alert")).to_contain_text("There is no system “<img src=x onerror=alert(1)>”")


@pytest.mark.parametrize(
    "options", [{"color_scheme": "dark"}, {"viewport": {"width": 360, "height": 740}, "is_mobile": True}]
)
def test_axe_finds_nothing_and_nothing_is_too_wide(visitor, options: dict[str, object]) -> None:
    with visitor.visit("#systems?system=swap", reduced_motion="reduce", **options) as page:
        expect(page.locator("#system-name")).to_have_text("swap")
        page.get_by_text("Notation").click()
        page.get_by_role("button", name="Derive the tree").click()
        expect(page.get_by_role("button", name="Step through it")).to_be_visible()
        assert violations(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
