import pytest
from playwright.sync_api import Page, expect

import multiplane as mp
from browser.steps_of_use import CROSSING, conllu, is_drawn, parse, shown_arcs
from multiplane.formats import DIALECTS, convert

TANGLE = conllu(["one", "two", "three", "four", "five", "six"], [4, 5, 6, 0, 4, 4])


def test_the_tree_is_that_of_the_parser(page: Page) -> None:
    text = "She reads the letters that he wrote."
    parse(page, text)
    (sentence,) = mp.load("en").parse(text)
    assert shown_arcs(page, "parse") == {(head, word) for word, head in enumerate(sentence.heads, 1)}


def test_crossing_arcs_are_told_apart_and_named(page: Page) -> None:
    parse(page)
    assert page.locator(".arc.crossing").count() == 2
    properties = page.locator(".properties")
    expect(properties).to_contain_text("2 planes: acl:relcl (plan → think) and nsubj (good → which) cross")
    properties.get_by_role("button").first.click()
    assert page.locator(".arc.is-focus").count() == 2
    properties.get_by_role("button").first.click()
    assert page.locator(".arc.is-focus").count() == 0


def test_conll_is_detected_and_shown_as_it_is(page: Page) -> None:
    page.fill("#parse-input", TANGLE)
    expect(page.locator("#parse-kind")).to_contain_text("CoNLL")
    parse(page, TANGLE)
    assert shown_arcs(page, "parse") == {(4, 1), (5, 2), (6, 3), (0, 4), (4, 5), (4, 6)}
    expect(page.locator(".properties")).to_contain_text("2 planes are not enough")
    page.check("#parse-again")
    page.get_by_role("button", name="Parse", exact=True).click()
    expect(page.get_by_role("heading", name="The parser's best trees")).to_be_visible()


def test_broken_conll_is_reported_in_place(visitor) -> None:
    with visitor.visit(expected="422") as page:
        page.fill("#parse-input", conllu(["a", "b"], [9, 0]))
        page.get_by_role("button", name="Parse", exact=True).click()
        expect(page.get_by_role("alert")).to_contain_text("HEAD 9 is outside the sentence")
        assert page.locator(".word").count() == 0


@pytest.mark.parametrize("way", ["mouse", "keyboard"])
def test_a_word_shows_its_fields(page: Page, way: str) -> None:
    parse(page)
    if way == "mouse":
        page.locator('.word[data-word="5"]').click()
    else:
        page.locator('.word[data-word="1"]').focus()
        for key in ["ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight", "Enter"]:
            page.keyboard.press(key)
    detail = page.locator("#detail")
    expect(detail.get_by_role("heading", level=2)).to_contain_text("plan")
    expect(detail).to_contain_text("NOUN")
    expect(detail).to_contain_text("Confidence")
    expect(page.locator('.word[data-word="5"]')).to_have_attribute("aria-pressed", "true")


def test_arrow_keys_go_along_the_tree(page: Page) -> None:
    parse(page, conllu(["a", "b", "c"], [2, 0, 2]))
    where = "document.activeElement.getAttribute('aria-label')"
    page.locator('.word[data-word="1"]').focus()
    page.keyboard.press("ArrowUp")
    assert "dep" in page.evaluate(where)
    page.keyboard.press("ArrowUp")
    assert page.evaluate(where).startswith("2 b")
    page.keyboard.press("End")
    assert page.evaluate(where).startswith("3 c")
    assert page.locator('.tree-canvas [tabindex="0"]').count() == 1


def test_editing_changes_tree_and_properties_and_can_be_undone(page: Page) -> None:
    parse(page, TANGLE)
    page.locator('.word[data-word="2"]').click()
    page.select_option("select[name=head]", "4")
    page.fill("input[name=deprel]", "nsubj")
    page.get_by_role("button", name="Apply").click()
    edited = {(4, 1), (4, 2), (6, 3), (0, 4), (4, 5), (4, 6)}
    expect(page.locator('.arc[data-head="4"][data-dependent="2"]')).to_have_attribute("data-label", "nsubj")
    is_drawn(page)
    assert shown_arcs(page, "parse") == edited
    expect(page.locator(".properties")).not_to_contain_text("2 planes are not enough")
    page.locator("#content").focus()
    page.keyboard.press("Control+z")
    expect(page.locator('.arc[data-head="5"][data-dependent="2"]')).to_be_attached()
    expect(page.locator(".properties")).to_contain_text("2 planes are not enough")
    expect(page.locator("#undo")).to_be_disabled()
    page.click("#redo")
    expect(page.locator('.arc[data-head="4"][data-dependent="2"]')).to_be_attached()
    page.go_back()
    expect(page.locator('.arc[data-head="5"][data-dependent="2"]')).to_be_attached()
    page.reload()
    expect(page.locator('.arc[data-head="5"][data-dependent="2"]')).to_be_attached()


def test_an_alternative_tree_can_be_shown(page: Page) -> None:
    parse(page)
    before = shown_arcs(page, "parse")
    trees = page.locator(".alternatives button")
    assert trees.count() == 5
    trees.nth(1).click()
    expect(trees.nth(1)).to_have_attribute("aria-pressed", "true")
    is_drawn(page)
    (trees_of_parser,) = mp.load("en").parse(CROSSING, best=5)
    assert shown_arcs(page, "parse") == {(head, word) for word, head in enumerate(trees_of_parser[1].heads, 1)}
    page.click("#undo")
    expect(trees.nth(0)).to_have_attribute("aria-pressed", "true")
    is_drawn(page)
    assert shown_arcs(page, "parse") == before


def test_one_can_move_through_the_sentences(page: Page) -> None:
    parse(page, "Dogs bark. Cats sleep. Nobody knows why.")
    expect(page.locator(".sentence-nav")).to_contain_text("Sentence 1 of 3")
    page.click("#sentence-next")
    expect(page.locator(".sentence-text")).to_contain_text("Cats sleep.")
    page.keyboard.press("Enter")  # the focus stays at the button
    expect(page.locator(".sentence-text")).to_contain_text("Nobody knows why.")
    page.go_back()
    expect(page.locator(".sentence-text")).to_contain_text("Cats sleep.")


def test_a_long_list_of_sentences_stays_where_it_is(page: Page) -> None:
    parse(page, conllu(["a", "b"], [2, 0]) * 200)
    page.locator("#sentence-150").click()
    expect(page.locator(".sentence-nav")).to_contain_text("Sentence 150 of 200")
    is_drawn(page)
    expect(page.locator("#sentence-150")).to_be_in_viewport()
    page.reload()
    expect(page.locator("#sentence-150")).to_be_in_viewport()


def test_a_word_edited_by_hand_has_no_confidence_of_the_parser(page: Page) -> None:
    parse(page)
    page.locator('.word[data-word="6"]').click()
    expect(page.locator("#detail")).to_contain_text("Confidence")
    page.select_option("select[name=head]", "8")
    page.get_by_role("button", name="Apply").click()
    expect(page.locator('.arc[data-head="8"][data-dependent="6"]')).to_be_attached()
    expect(page.locator("#detail")).not_to_contain_text("Confidence")


@pytest.mark.parametrize(
    "title", ["English", "Portuguese", "Semantic roles", "Enhanced", "Dutch verbs", "Latin verse", "Arabic"]
)
def test_examples_show_what_they_promise(page: Page, title: str) -> None:
    page.get_by_role("group", name="Examples").get_by_role("button", name=title, exact=True).click()
    expect(page.locator(".tree-canvas .word").first).to_be_visible()
    if title == "Semantic roles":
        page.click("#layer-semantics")
        expect(page.locator('.arc[data-label="obj"]')).to_have_count(0)  # the drawing of both layers has gone
        page.locator('.arc[data-head="9"][data-dependent="1"]').press("Enter")
        expect(page.locator("#detail")).to_contain_text("RoleARG1 of frightened (9)")
    if title == "Enhanced":
        expect(page.locator('.arc[data-label="nsubj:xsubj"]')).to_be_attached()
        page.locator('.word[data-word="8"]').click()
        expect(page.locator("#detail")).to_contain_text("nsubj:xsubj of sing (16)")
    if title == "Latin verse":
        expect(page.locator(".properties")).to_contain_text("4 planes")
    if title == "Portuguese":
        expect(page.locator(".properties")).to_contain_text("2 planes")
    if title == "Arabic":
        boxes = [page.locator(f'.word[data-word="{number}"]').bounding_box() for number in (1, 7)]
        assert boxes[0]["x"] > boxes[1]["x"]


def test_words_stay_in_view_when_a_tall_tree_scrolls(page: Page) -> None:
    size = 60  # nested arcs, one above the other
    parse(page, conllu([f"w{number}" for number in range(size)], nested(size)))
    scroller = page.locator(".tree-scroller")
    assert scroller.evaluate("(box) => box.scrollHeight > box.clientHeight")
    for place in (0, 10_000):
        scroller.evaluate(  # the page moves the words before the next frame is painted
            """async (box, place) => {
                box.scrollTop = place;
                for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
            }""",
            place,
        )
        frame, word = scroller.bounding_box(), page.locator('.word[data-word="1"]').bounding_box()
        assert frame["y"] <= word["y"] + 1
        assert word["y"] + word["height"] <= frame["y"] + frame["height"] + 1


def nested(size: int) -> list[int]:
    """Heads of a tree whose arcs nest: the last word governs the first, that the last but one, and so on."""
    heads = [0] * size
    left, right = 0, size - 1
    while left < right:
        heads[left] = right + 1
        if left + 1 < right:
            heads[right - 1] = left + 1
        left, right = left + 1, right - 1
    return heads


def test_a_format_without_trees_shows_its_semantics(page: Page) -> None:
    text, _ = convert(mp.sample("conll09"), DIALECTS["sdp"])
    parse(page, text.decode())
    page.click("#sentence-2")
    expect(page.locator(".sentence-text")).to_contain_text("Who did the neighbours say")
    expect(page.locator('.arc[data-head="9"][data-dependent="1"]')).to_have_attribute("data-label", "ARG1")
    expect(page.locator("#to-step")).to_have_count(0)
    expect(page.locator(".properties")).to_have_count(0)


def test_trees_of_long_sentences_are_compared_with_the_best(page: Page) -> None:
    parse(page, "The committee, which " + "said that the plan which the members had when they met " * 8 + "was good.")
    scores = page.locator(".alternatives .score")
    expect(scores.nth(1)).to_contain_text("× the best")
