import re

import pytest
from playwright.sync_api import Page, expect

import multiplane as mp
from browser.measuring import cpu_of_each, derive_long_sentence, step_times
from browser.steps_of_use import CROSSING, derive, shown_arcs

SHORT = "She reads letters."
DUTCH = next(sentence for sentence in mp.sample() if sentence.sent_id == "nl-001")


def at_step(page: Page, step: int) -> None:
    expect(page.locator("#step-count")).to_have_text(re.compile(rf"^{step} / \d+$"))


def last_step(page: Page) -> int:
    return int(page.get_attribute("#step-slider", "max"))


def test_keys_go_forwards_and_backwards(page: Page) -> None:
    derive(page, CROSSING)
    at_step(page, 0)
    assert shown_arcs(page) == set()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    at_step(page, 2)
    page.keyboard.press("ArrowLeft")
    at_step(page, 1)
    page.keyboard.press("End")
    at_step(page, last_step(page))
    page.locator(".history").scroll_into_view_if_needed()
    expect(page.locator(".history [aria-current=step]")).to_be_in_viewport()
    (sentence,) = mp.load("en").parse(CROSSING)
    tree = {(head, word) for word, head in enumerate(sentence.heads, 1)}
    assert {arc for arc in shown_arcs(page) if arc[0]} == {arc for arc in tree if arc[0]}
    page.keyboard.press("Home")
    at_step(page, 0)
    assert shown_arcs(page) == set()


def test_space_plays_to_the_end_and_the_slider_jumps(page: Page) -> None:
    derive(page, SHORT)
    page.select_option("#step-speed", "30")
    page.locator("#content").focus()
    page.keyboard.press("Space")
    at_step(page, last_step(page))
    expect(page.locator("#step-play")).to_contain_text("Play")
    page.locator("#step-slider").fill("2")
    at_step(page, 2)
    page.locator(".history button").nth(1).click()
    at_step(page, 1)


def test_the_configuration_is_that_of_the_system(page: Page) -> None:
    derive(page, DUTCH.to_bytes().decode())
    page.select_option("#step-follow", "system:2-planar")
    page.get_by_role("button", name="Derive").click()
    sequence = mp.oracle("2-planar").sequence(DUTCH.graph)
    expect(page.locator("#step-count")).to_have_text(f"0 / {len(sequence)}")
    expected = mp.systems["2-planar"].initial(len(DUTCH))
    for transition in sequence:
        expected = expected.apply(transition)
        page.keyboard.press("ArrowRight")
        rows = page.evaluate(
            """[...document.querySelectorAll("#view-step .configuration .words")]
                .map((row) => [...row.children].map((word) => Number(word.dataset.position)))"""
        )
        assert rows == [*map(list, expected.stacks), list(expected.buffer)]
        assert page.locator("#step-caption b").text_content() == transition
    arcs = {(head, word) for word, head in enumerate(DUTCH.heads, 1) if head}
    assert {arc for arc in shown_arcs(page) if arc[0]} == arcs


def test_scores_and_costs_are_shown(page: Page) -> None:
    derive(page, DUTCH.to_bytes().decode())
    page.check("#step-gold")
    page.get_by_role("button", name="Derive").click()
    expect(page.locator(".legal .cost").first).to_contain_text("cost")
    expect(page.locator(".legal .number").first).to_contain_text("%")
    expect(page.locator(".legal [aria-current=step]")).to_have_count(1)


def test_another_transition_is_a_detour_that_can_be_undone(page: Page) -> None:
    derive(page, SHORT)
    page.keyboard.press("ArrowRight")
    own = page.locator(".history .name").all_text_contents()
    other = page.locator(".legal button:not([aria-current])").first
    name = other.locator(".name").text_content()
    other.click()
    expect(page.locator("#step-caption b")).to_have_text(name)
    at_step(page, 2)
    expect(page.locator(".detour")).to_contain_text("1 transition chosen by hand, first at step 2")
    page.reload()
    expect(page.locator("#step-caption b")).to_have_text(name)
    page.locator("#content").focus()
    page.keyboard.press("Control+z")
    expect(page.locator(".detour")).to_be_hidden()
    assert page.locator(".history .name").all_text_contents() == own
    at_step(page, 1)
    page.locator(".legal button:not([aria-current])").first.click()
    page.click("#step-own")
    expect(page.locator(".detour")).to_be_hidden()
    assert page.locator(".history .name").all_text_contents() == own


def test_a_link_leads_to_the_same_step(page: Page, visitor) -> None:
    derive(page, SHORT)
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    page.click("#step-link")
    expect(page.locator(".toast")).to_be_visible()
    link = page.evaluate("navigator.clipboard.readText()")
    with visitor.visit(link.removeprefix(visitor.address)) as other:
        at_step(other, 3)
        expect(other.locator(".tree-canvas .word").first).to_be_visible()
        assert shown_arcs(other) == shown_arcs(page)


def test_an_arc_that_is_not_in_the_tree_is_drawn_too(page: Page) -> None:
    derive(page, DUTCH.to_bytes().decode())
    page.select_option("#step-follow", "system:planar[]")  # it may give a word several heads
    page.get_by_role("button", name="Derive").click()
    expect(page.locator(".legal .cost").first).to_be_visible()
    page.keyboard.press("ArrowRight")
    page.locator(".legal button").filter(has_text=re.compile("^RIGHT-ARC")).click()
    expect(page.locator("#step-caption")).to_contain_text("Ze → vertelde")
    page.locator(".legal button").filter(has_text=re.compile("^LEFT-ARC")).click()
    expect(page.locator("#step-caption")).to_contain_text("vertelde → Ze")
    expect(page.locator('#view-step .arc[data-head="2"][data-dependent="1"]')).to_be_attached()
    assert shown_arcs(page) == {(1, 2), (2, 1)}


@pytest.mark.measures
def test_a_hundred_words_step_thirty_times_a_second(page: Page) -> None:
    derive_long_sentence(page)
    _, cpu = cpu_of_each(page, lambda: step_times(page))
    assert cpu < 1000 / 30  # a third of that is usual
