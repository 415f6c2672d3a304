"""The treebank view: files, filters, proofs, charts, and sizes that other pages would choke on."""

import gzip
import lzma
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

import multiplane as mp
from browser.accessibility import violations
from browser.measuring import cpu_of_each, frame_times, opened_in
from browser.treebanks import order, repeated_sample
from multiplane.data import sample_path

ATTEMPTS = 5  # at measuring, on a machine that may be busy with other things
PHONE = {"viewport": {"width": 360, "height": 740}, "is_mobile": True, "has_touch": True}


def count(page: Page) -> Locator:
    return page.locator("#view-treebank .count")


def open_sample(page: Page) -> None:
    page.get_by_role("link", name="Treebank").click()
    page.locator("#view-treebank").get_by_role("button", name="Sample treebank").click()
    expect(count(page)).to_have_text("65 of 65 sentences")


def open_file(page: Page, name: str, contents: bytes) -> None:
    page.get_by_role("link", name="Treebank").click()
    with page.expect_file_chooser() as chooser:
        page.locator("#view-treebank").get_by_role("button", name="Open a file").click()
    chooser.value.set_files([{"name": name, "mimeType": "text/plain", "buffer": contents}])


def choose(page: Page, name: str) -> None:
    """Finds a sentence by its name, and opens it."""
    page.get_by_text("More filters").click()
    page.get_by_label("sent_id contains").fill(name)
    page.get_by_role("listbox", name="Sentences", exact=True).get_by_role("option").filter(has_text=name).click()
    expect(page.locator("#treebank-sentence")).to_have_text(name)
    expect(page.locator("#view-treebank .tree-canvas .word").first).to_be_visible()


def marked(page: Page) -> set[tuple[int, int]]:
    arcs = page.locator("#view-treebank .is-focus").evaluate_all(
        "arcs => arcs.map(({dataset}) => [Number(dataset.head ?? 0), Number(dataset.dependent)])"
    )
    return {(head, dependent) for head, dependent in arcs}


def test_the_chart_and_its_table_agree_with_the_analysis(page: Page) -> None:
    open_sample(page)
    coverage = mp.sample()
    projective = sum(sentence.graph.is_projective() for sentence in coverage)
    chart = page.get_by_role("img", name="Share of sentences in each class")
    expect(chart).to_be_visible()
    share = f"{100 * projective / 65:.2f} %"
    assert f"projective {share}" in (chart.get_attribute("aria-label") or "")
    page.locator("figure").filter(has_text="in each class").get_by_text("As a table").click()
    row = page.get_by_role("group", name="Share of sentences in each class").get_by_role("row").nth(1)
    expect(row).to_have_text(f"projective{projective}{share}")


def test_filters_combine_and_can_be_cleared(page: Page) -> None:
    open_sample(page)
    graphs = [sentence.graph for sentence in mp.sample()]
    page.get_by_label("ill-nested").check()
    ill_nested = [graph for graph in graphs if not graph.is_well_nested()]
    expect(count(page)).to_have_text(f"{len(ill_nested)} of 65 sentences")
    page.get_by_label("not 2-planar").check()
    both = [graph for graph in ill_nested if graph.planarity() > 2]
    expect(count(page)).to_have_text(f"{len(both)} of 65 sentences")
    page.get_by_text("More filters").click()
    page.get_by_label("Planes needed").select_option("4")
    expect(count(page)).to_have_text(f"{sum(graph.planarity() == 4 for graph in both)} of 65 sentences")
    page.get_by_role("button", name="Clear filters").click()
    expect(count(page)).to_have_text("65 of 65 sentences")
    page.get_by_label("Gap degree, at least").fill("2")
    expect(count(page)).to_have_text(f"{sum(graph.gap_degree() >= 2 for graph in graphs)} of 65 sentences")


def test_word_and_label_must_meet_in_one_word(page: Page) -> None:
    open_sample(page)
    sentences = list(mp.sample())
    page.get_by_label("Label", exact=True).fill("acl*")
    labelled = [s for s in sentences if any(label.startswith("acl") for label in s.deprels)]
    expect(count(page)).to_have_text(f"{len(labelled)} of 65 sentences")
    page.get_by_label("Word", exact=True).fill("LINKED")
    expect(count(page)).to_have_text("1 of 65 sentences")
    page.get_by_label("Word", exact=True).fill("villages")  # is in the same sentence, but has another label
    expect(count(page)).to_have_text("0 of 65 sentences")


def test_keys_go_from_hit_to_hit_and_the_proof_is_drawn_and_explained(page: Page) -> None:
    open_sample(page)
    page.get_by_label("not 2-planar").check()
    expect(count(page)).to_have_text("3 of 65 sentences")
    page.get_by_role("listbox", name="Sentences", exact=True).focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator("#treebank-sentence")).to_have_text("nl-002")
    expect(page.locator(".proof")).to_contain_text("2 lachten →advcl 10 liet crosses 11 leren →obj 8 papegaai")
    sentence = next(s for s in mp.sample() if s.sent_id == "nl-002")
    assert marked(page) == {arc[:2] for arc in sentence.graph.odd_cycle() or ()}
    page.get_by_role("button", name="Not planar", exact=True).click()
    assert marked(page) == {arc[:2] for arc in sentence.graph.crossing() or ()}
    page.keyboard.press("Alt+ArrowDown")
    expect(page.locator("#treebank-sentence")).to_have_text("la-001")
    page.get_by_role("button", name="Next", exact=True).click()
    expect(page.locator("#treebank-sentence")).to_have_text("la-002")
    expect(page.get_by_role("button", name="Next", exact=True)).to_be_disabled()
    page.keyboard.press("Alt+ArrowUp")
    expect(page.locator("#treebank-sentence")).to_have_text("la-001")


def test_interleaving_subtrees_are_marked_in_two_ways(page: Page) -> None:
    open_sample(page)
    choose(page, "grc-002")
    page.get_by_role("button", name="Ill-nested", exact=True).click()
    graph = next(s for s in mp.sample() if s.sent_id == "grc-002").graph
    first, second = (graph.ill_nesting() or ())[:2]
    words = page.locator("#view-treebank .word")
    kinds = words.evaluate_all(
        "words => words.map(({classList}) => [1, 2].find((group) => classList.contains(`in-group-${group}`)) ?? 0)"
    )
    assert kinds[first - 1] == 1
    assert kinds[second - 1] == 2
    assert 0 in kinds


def test_projective_sentences_need_no_proof(page: Page) -> None:
    open_sample(page)
    page.get_by_role("listbox", name="Sentences", exact=True).focus()
    page.keyboard.press("Home")
    expect(page.locator(".proof")).to_contain_text("passes over")
    expect(page.locator("#view-treebank .has-proof")).to_have_count(1)
    page.keyboard.press("ArrowDown")
    expect(page.locator("#view-treebank")).to_contain_text("23 words; projective: no arcs cross")
    expect(page.locator(".proof")).to_have_count(0)
    expect(page.locator("#view-treebank .has-proof")).to_have_count(0)  # arcs beside a proof are pale


def test_hits_are_saved_byte_for_byte(page: Page) -> None:
    open_sample(page)
    page.get_by_label("ill-nested").check()
    expect(count(page)).to_have_text("3 of 65 sentences")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save these").click()
    assert download.value.suggested_filename == "sample-filtered.conllu"
    wanted = [s.to_bytes() for s in mp.sample() if not s.graph.is_well_nested()]
    assert Path(download.value.path()).read_bytes() == b"".join(wanted)


def test_packed_files_open_or_are_refused_with_advice(page: Page) -> None:
    text = sample_path().read_bytes()
    open_file(page, "small.conllu.gz", gzip.compress(text))
    expect(count(page)).to_have_text("65 of 65 sentences")
    for name, contents, advice in [
        ("small.conllu.xz", lzma.compress(text), "unxz small.conllu.xz"),
        ("small.conllu.gz", gzip.compress(text)[:-500], "damaged or cut off"),
    ]:
        open_file(page, name, contents)
        expect(page.locator("#view-treebank [role=alert]")).to_contain_text(advice)
        expect(count(page)).to_have_text("65 of 65 sentences")  # what was open stays open


def test_other_formats_open_too(page: Page) -> None:
    open_file(page, "frames.conll09", sample_path("conll09").read_bytes())
    expect(count(page)).to_have_text("16 of 16 sentences")
    page.get_by_label("Label", exact=True).fill("nsubj")
    wanted = sum("nsubj" in sentence.deprels for sentence in mp.sample("conll09"))
    expect(count(page)).to_have_text(f"{wanted} of 16 sentences")
    page.get_by_role("listbox", name="Sentences", exact=True).get_by_role("option").first.click()
    expect(page.locator("#view-treebank .tree-canvas .word").first).to_be_visible()


def test_a_dropped_file_opens(page: Page) -> None:
    page.get_by_role("link", name="Treebank").click()
    expect(page.locator("#view-treebank h1")).to_be_visible()
    page.evaluate(
        """(text) => {
            const files = new DataTransfer();
            files.items.add(new File([text], "dropped.conllu"));
            const target = document.querySelector("#view-treebank .drop");
            for (const type of ["dragenter", "dragover", "drop"]) {
                target.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: files }));
            }
        }""",
        sample_path().read_text(encoding="utf-8"),
    )
    expect(count(page)).to_have_text("65 of 65 sentences")
    expect(page.locator("#view-treebank")).to_contain_text("dropped.conllu")


def test_broken_sentences_are_listed_with_their_lines(page: Page) -> None:
    broken = b"# sent_id = bad\n1\tGo\t_\t_\t_\t_\t9\troot\t_\t_\n\n"
    open_file(page, "half.conllu", sample_path().read_bytes() + broken)
    expect(count(page)).to_have_text("65 of 65 sentences")
    line = sample_path().read_bytes().count(b"\n") + 2
    expect(page.locator(".problems")).to_contain_text("1 problem; broken sentences are left out")
    expect(page.locator(".problems li")).to_contain_text(f"Line {line} bad: HEAD 9 is outside the sentence")


def test_a_file_without_sentences_is_empty_not_broken(page: Page) -> None:
    open_file(page, "empty.conllu", b"")
    expect(count(page)).to_have_text("0 of 0 sentences")
    expect(page.locator("#view-treebank")).to_contain_text("There are no sentences to count.")


HOSTILE = "<img src=x onerror=alert(1)>"


def test_hostile_contents_stay_text(page: Page) -> None:
    rows = [
        f"# sent_id = {HOSTILE}\u202e",
        f"# text = </bdi><script>alert(2)</script>{HOSTILE}",
        f"1\t{HOSTILE}\t_\t_\t_\t_\t3\t</text><script>alert(3)</script>\t_\t_",
        '2\tb\t_\t_\t_\t_\t4\t"onmouseover=alert(4)\t_\t_',
        "3\tc\t_\t_\t_\t_\t0\troot\t_\t_",
        "4\td\t_\t_\t_\t_\t3\tx' onfocus='alert(5)\t_\t_",
    ]
    open_file(page, f"{HOSTILE}.conllu", ("\n".join(rows) + "\n\n").encode())
    expect(count(page)).to_have_text("1 of 1 sentence")
    option = page.get_by_role("listbox", name="Sentences", exact=True).get_by_role("option")
    expect(option).to_contain_text(HOSTILE)
    option.click()
    expect(page.locator("#treebank-sentence")).to_contain_text(HOSTILE)
    expect(page.locator(".proof")).to_contain_text("crosses")
    page.locator("#view-treebank .arc .label").first.hover()
    page.locator("#view-treebank .arc").first.focus()
    assert page.locator("#view-treebank :is(img, script, [onerror], [onfocus], [onmouseover])").count() == 0
    page.get_by_label("Word", exact=True).fill("(.*[")  # is no regular expression here
    expect(count(page)).to_have_text("0 of 1 sentence")


def test_a_link_brings_back_filter_and_sentence(page: Page, visitor) -> None:
    open_sample(page)
    page.get_by_label("ill-nested").check()
    expect(count(page)).to_have_text("3 of 65 sentences")
    page.get_by_role("listbox", name="Sentences", exact=True).get_by_role("option").nth(1).click()
    expect(page.locator("#treebank-sentence")).to_have_text("la-002")
    page.wait_for_url("**row**")
    with visitor.visit("#" + page.url.partition("#")[2]) as other:
        expect(count(other)).to_have_text("3 of 65 sentences")
        expect(other.locator("#treebank-sentence")).to_have_text("la-002")
        expect(other.get_by_label("ill-nested")).to_be_checked()


@pytest.mark.parametrize("view", ["Parse", "Step", "Compare"])
def test_a_sentence_opens_in_other_views(page: Page, view: str) -> None:
    open_sample(page)
    choose(page, "nl-001")
    page.locator("#view-treebank .links").get_by_role("button", name=view).click()
    expect(page.locator(f"#view-{view.lower()}")).to_be_visible()
    expect(page.locator(f"#view-{view.lower()} .word").first).to_contain_text("Ze")


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_axe_finds_nothing_with_a_sentence_open(visitor, colours: str) -> None:
    with visitor.visit("#treebank", color_scheme=colours, reduced_motion="reduce") as page:
        open_sample(page)
        choose(page, "la-001")
        expect(page.locator(".proof")).to_be_visible()
        for summary in page.get_by_text("As a table").all():
            summary.click()
        assert violations(page) == []


def test_everything_fits_a_phone_and_works_by_touch(visitor) -> None:
    with visitor.visit("#treebank?sample.j=true", **PHONE) as page:
        expect(count(page)).to_have_text("65 of 65 sentences")
        page.get_by_text("Filters", exact=True).tap()
        page.get_by_label("not 2-planar").tap()
        expect(count(page)).to_have_text("3 of 65 sentences")
        page.get_by_role("listbox", name="Sentences", exact=True).get_by_role("option").first.tap()
        expect(page.locator(".proof")).to_contain_text("cross each other in a ring")
        assert page.evaluate("document.documentElement.scrollWidth") <= 360


@pytest.mark.measures
def test_5000_sentences_open_within_two_seconds(visitor, tmp_path: Path) -> None:
    path = tmp_path / "large.conllu"
    path.write_bytes(repeated_sample(5_000))
    times: list[float] = []
    while len(times) < ATTEMPTS and min(times, default=99) > 2:
        with visitor.visit() as page:
            times.append(opened_in(page, path, 5_000))
    assert min(times) < 6, "2 s is the aim, and a third of a second usual; busy machines get three times the aim"


@pytest.mark.measures
def test_50000_sentences_scroll_and_filter_without_jerks(page: Page, tmp_path: Path) -> None:
    path = tmp_path / "huge.conllu"
    path.write_bytes(repeated_sample(50_000))
    opened_in(page, path, 50_000)
    assert cpu_per_frame(page, "scroll") < 1000 / 30  # a third of that is usual
    page.get_by_label("Word", exact=True).type("hond")
    assert cpu_per_frame(page, "watch") < 1000 / 30
    sample = list(mp.sample())
    hits = [sample[place] for place in order(50_000) if "hond" in sample[place].forms]
    expect(count(page)).to_have_text(f"{len(hits):,} of 50,000 sentences")
    page.get_by_label("not planar").check()
    hard = {sentence.sent_id for sentence in sample if not sentence.graph.is_planar()}
    expect(count(page)).to_have_text(f"{sum(sentence.sent_id in hard for sentence in hits):,} of 50,000 sentences")
    assert page.locator("#view-treebank [role=option]").count() < 100, "only the rows in view are in the document"


def cpu_per_frame(page: Page, action: str) -> float:
    """Milliseconds of CPU time per frame; frames that take longer than the screen's would make it jerk."""
    return cpu_of_each(page, lambda: frame_times(page, action, 40))[1]


def test_a_link_about_a_file_waits_for_the_file(page: Page, visitor) -> None:
    contents = sample_path().read_bytes()
    open_file(page, "mine.conllu", contents)
    expect(count(page)).to_have_text("65 of 65 sentences")
    page.get_by_label("ill-nested").check()
    page.get_by_role("listbox", name="Sentences", exact=True).get_by_role("option").nth(1).click()
    expect(page.locator("#treebank-sentence")).to_have_text("la-002")
    page.click("#treebank-link")
    expect(page.locator(".toast")).to_be_visible()
    link = page.evaluate("navigator.clipboard.readText()")
    with visitor.visit(link.removeprefix(visitor.address)) as other:
        expect(other.locator("#view-treebank")).to_contain_text("This link is about mine.conllu")
        open_file(other, "mine.conllu", contents)
        expect(other.locator("#treebank-sentence")).to_have_text("la-002")
        expect(count(other)).to_have_text("3 of 65 sentences")
