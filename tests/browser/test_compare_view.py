"""The compare view: scores, ranked sentences, and differences that are told by more than colour."""

import pytest
from playwright.sync_api import Locator, Page, expect

import multiplane as mp
from browser.accessibility import violations
from multiplane.data import sample_path

GOLD = sample_path().read_bytes()


def changed() -> bytes:
    """The sample with a wrong head in one sentence, a wrong label in another, and both in a third."""
    text = GOLD.decode()
    for old, new in [
        ("3\tthat\tthat\tPRON\tWDT\tPronType=Rel\t4\tnsubj", "3\tthat\tthat\tPRON\tWDT\tPronType=Rel\t2\tnsubj"),
        ("5\told\told\tADJ\tJJ\tDegree=Pos\t7\tamod", "5\told\told\tADJ\tJJ\tDegree=Pos\t7\tdet"),
        ("8\tover\tover\tADP\tIN\t_\t10\tcase", "8\tover\tover\tADP\tIN\t_\t9\tmark"),
    ]:
        assert text.count(old) == 1
        text = text.replace(old, new)
    return text.encode()


def view(page: Page) -> Locator:
    return page.locator("#view-compare")


def open_files(page: Page, gold: bytes, system: bytes) -> None:
    page.get_by_role("link", name="Compare").click()
    view(page).get_by_role("button", name="a file", exact=True).click()
    for button, contents in [("Open a file", gold), ("Open the other file", system)]:
        with page.expect_file_chooser() as chooser:
            view(page).get_by_role("button", name=button).click()
        chooser.value.set_files([{"name": "trees.conllu", "mimeType": "text/plain", "buffer": contents}])
    view(page).get_by_role("button", name="Compare", exact=True).click()


def options(page: Page) -> Locator:
    return view(page).get_by_role("option").filter(has=page.locator(".row-name"))


def test_two_files_are_scored_and_their_differences_ranked(page: Page) -> None:
    open_files(page, GOLD, changed())
    scores = mp.evaluate(mp.sample(), mp.formats.reader.from_text(changed()))
    expect(view(page).get_by_role("row").filter(has_text="UAS")).to_contain_text(f"{scores.uas:.2f}")
    expect(view(page).get_by_role("row").filter(has_text="LAS").first).to_contain_text(f"{scores.las:.2f}")
    expect(view(page).locator(".count")).to_have_text("2 of 65 sentences with differences")
    expect(options(page).first).to_contain_text("en-002")  # two wrong labels and a wrong head
    expect(options(page).last).to_contain_text("en-001")


def test_differences_show_by_line_by_name_and_in_a_table(page: Page) -> None:
    open_files(page, GOLD, changed())
    expect(page.locator("#compare-sentence")).to_have_text("en-002")
    gold, system = view(page).locator(".tree-box").all()
    label = system.locator(".is-wrong-label")
    expect(label).to_have_attribute("data-dependent", "5")
    expect(label).to_have_attribute("aria-label", "det: 5 old ← 7 bridge; wrong label")
    head = system.locator(".is-wrong")
    expect(head).to_have_attribute("data-dependent", "8")
    dashes = [
        each.locator(".line").evaluate("line => getComputedStyle(line).strokeDasharray") for each in (label, head)
    ]
    assert len({*dashes, "none"}) == 3, "each kind has its own line"
    expect(gold.locator(".is-right")).to_have_count(2)
    rows = view(page).get_by_role("group", name="2 differences").get_by_role("row")
    expect(rows.nth(1)).to_have_text("5 oldwrong labelamod of 7 bridgedet of 7 bridge")
    expect(rows.nth(2)).to_have_text("8 overwrong head and labelcase of 10 Ardenmark of 9 the")


def test_sentences_are_filtered_by_kind_label_and_confusion(page: Page) -> None:
    open_files(page, GOLD, changed())
    number = view(page).locator(".count")
    view(page).get_by_role("combobox", name="Difference").select_option("label")
    expect(number).to_have_text("1 of 65 sentences with differences")
    view(page).get_by_role("combobox", name="Difference").select_option("any")
    view(page).get_by_role("combobox", name="Confusion").select_option(label="amod → det (1)")
    expect(options(page)).to_contain_text(["en-002"])
    view(page).get_by_role("combobox", name="Confusion").select_option("")
    view(page).get_by_label("Label", exact=True).fill("nsubj")
    expect(options(page)).to_contain_text(["en-001"])


def test_a_parser_is_compared_with_a_file_and_a_link_repeats_it(page: Page, visitor) -> None:
    page.get_by_role("link", name="Compare").click()
    view(page).get_by_role("button", name="Sample treebank").click()
    expect(view(page)).to_contain_text("sample.conllu: 65 sentences")
    view(page).get_by_role("button", name="Compare", exact=True).click()
    expect(view(page).get_by_role("row").filter(has_text="UAS")).to_be_visible()
    options(page).nth(2).click()
    name = options(page).nth(2).locator(".row-name").inner_text()
    expect(page.locator("#compare-sentence")).to_have_text(name)
    expect(view(page).locator(".tree-box .word").first).to_be_visible()
    page.wait_for_url("**row**")
    with visitor.visit("#" + page.url.partition("#")[2]) as other:
        expect(other.locator("#compare-sentence")).to_have_text(name)
        page.keyboard.press("Alt+ArrowDown")
        expect(page.locator("#compare-sentence")).not_to_have_text(name)


def test_equal_files_have_no_differences(page: Page) -> None:
    open_files(page, GOLD, GOLD)
    expect(view(page).locator(".count")).to_have_text("0 of 65 sentences with differences")


def test_other_words_are_said_not_drawn(page: Page) -> None:
    one = b"1\tdon't\t_\t_\t_\t_\t0\troot\t_\t_\n\n"
    two = b"1\tdo\t_\t_\t_\t_\t0\troot\t_\tSpaceAfter=No\n2\tn't\t_\t_\t_\t_\t1\tadvmod\t_\t_\n\n"
    open_files(page, one, two)
    expect(view(page).locator(".count")).to_have_text("1 of 1 sentence with differences")
    expect(view(page)).to_contain_text("The two sides split this text into different words")


def test_hostile_labels_stay_text(page: Page) -> None:
    label = "<img src=x onerror=alert(1)>"
    row = "1\tGo\t_\t_\t_\t_\t0\t{}\t_\t_\n\n"
    open_files(page, row.format("root").encode(), row.format(label).encode())
    expect(view(page).get_by_role("group", name="1 difference")).to_contain_text(label)
    expect(view(page).get_by_role("combobox", name="Confusion")).to_contain_text(f"root → {label} (1)")
    assert view(page).locator("img").count() == 0


@pytest.mark.parametrize(
    "options", [{"color_scheme": "dark"}, {"viewport": {"width": 360, "height": 740}, "is_mobile": True}]
)
def test_axe_finds_nothing_and_nothing_is_too_wide(visitor, options: dict[str, object]) -> None:
    with visitor.visit("#compare?sample.j=true&model=en", reduced_motion="reduce", **options) as page:
        expect(page.locator("#compare-sentence")).not_to_be_empty()
        expect(view(page).locator(".tree-box .word").first).to_be_visible()
        assert violations(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
