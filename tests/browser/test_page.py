"""The page as a whole: its addresses, colours, and whether everyone can use it."""

import pytest
from playwright.sync_api import Page, expect

from browser.accessibility import violations
from browser.steps_of_use import parse

VIEWS = ["parse", "step", "treebank", "compare", "systems"]


def test_every_tab_opens_its_view_and_back_returns(page: Page) -> None:
    tabs = page.get_by_role("navigation", name="Views")
    for name in VIEWS:
        tabs.get_by_role("link", name=name.capitalize()).click()
        expect(page.locator(f"#view-{name}")).to_be_visible()
        expect(page.locator(f"#view-{name} h1")).to_be_visible()
        expect(page.locator("section.view:visible")).to_have_count(1)
    page.go_back()
    expect(page.locator("#view-compare")).to_be_visible()


def test_a_link_reproduces_the_view(page: Page, visitor) -> None:
    page.get_by_role("button", name="English", exact=True).click()
    page.click("#sentence-3")
    page.locator(".arc.crossing").first.press("Enter")
    expect(page.locator("#detail h2")).to_contain_text("acl:relcl")
    page.click("#copy-link")
    expect(page.locator(".toast")).to_be_visible()
    link = page.evaluate("navigator.clipboard.readText()")
    with visitor.visit(link.removeprefix(visitor.address)) as other:
        expect(other.locator("#detail h2")).to_contain_text("acl:relcl")
        expect(other.locator("#sentence-3")).to_have_attribute("aria-current", "true")
        assert other.input_value("#parse-input") == page.input_value("#parse-input")
        assert other.locator(".arc").count() == page.locator(".arc").count()


def test_states_survive_the_way_through_an_address(page: Page) -> None:
    kept = page.evaluate(
        """async () => {
            const { encode, decode } = await import(new URL("static/js/state.js", location.href));
            const text = "ünï & = ? # % \\u202e " + "x".repeat(500);
            const state = {text, sentence: 3, edits: [[0, 1, 2, "nsubj:pass"]], gold: true};
            const { hash } = await encode("parse", state);
            const back = await decode(hash);
            const broken = await decode(hash.replace(/text\\.z=..../, "text.z=!!!!"));
            return [JSON.stringify(back.state) === JSON.stringify(state), back.name, hash.length < 400, broken.state];
        }"""
    )
    assert kept[:3] == [True, "parse", True]
    assert "text" not in kept[3]
    assert kept[3]["damaged"] is True


def test_a_damaged_link_opens_what_is_left(visitor) -> None:
    with visitor.visit("#parse?model=en&text.z=%%%%") as page:
        expect(page.locator(".toast")).to_contain_text("incomplete")
        expect(page.locator("#view-parse h1")).to_be_visible()


def test_an_unknown_view_is_the_first_one(visitor) -> None:
    with visitor.visit("#nonsense?x=1") as page:
        expect(page.locator("#view-parse h1")).to_be_visible()


def test_the_toggle_goes_through_the_colours_and_is_kept(page: Page) -> None:
    background = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(background)
    page.click("#theme")
    assert page.evaluate(background) != light
    page.reload()
    expect(page.locator("#theme")).to_have_text("Dark")
    assert page.evaluate(background) != light
    page.click("#theme")
    assert page.evaluate(background) == light


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_axe_finds_nothing_in_any_view(visitor, colours: str) -> None:
    with visitor.visit(color_scheme=colours, reduced_motion="reduce") as page:
        parse(page)
        page.locator(".arc.crossing").first.press("Enter")
        assert violations(page) == [], "parse"
        page.click("#to-step")
        expect(page.locator("#view-step .tree-canvas .word").first).to_be_visible()
        page.click("#step-forward")
        assert violations(page) == [], "step"
        for name in VIEWS[2:]:
            page.get_by_role("navigation", name="Views").get_by_role("link", name=name.capitalize()).click()
            expect(page.locator(f"#view-{name} h1")).to_be_visible()
            page.wait_for_load_state("networkidle")
            assert violations(page) == [], name


def test_nothing_is_wider_than_a_phone(visitor) -> None:
    phone = {"viewport": {"width": 360, "height": 740}, "is_mobile": True, "has_touch": True}
    with visitor.visit(**phone) as page:
        parse(
            page, "Economic news had little effect on financial markets, which the committee has said it will discuss."
        )
        page.locator("#view-parse .word").first.tap()
        expect(page.locator("#detail h2")).to_contain_text("Economic")
        page.tap("#to-step")
        expect(page.locator("#view-step .tree-canvas .word").first).to_be_visible()
        for name in VIEWS:
            page.get_by_role("navigation", name="Views").get_by_role("link", name=name.capitalize()).tap()
            expect(page.locator(f"#view-{name} h1")).to_be_visible()
            assert page.evaluate("document.documentElement.scrollWidth") <= 360, name


def test_the_policy_forbids_scripts_from_elsewhere(page: Page) -> None:
    policy = page.request.get(page.url).headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
    addresses = page.evaluate("performance.getEntriesByType('resource').map((entry) => new URL(entry.name).origin)")
    assert set(addresses) == {page.url.rstrip("/").split("/#")[0]}
