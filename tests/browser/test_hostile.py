"""Sentences that try to break out of the page do nothing."""

import pytest
from playwright.sync_api import Page, expect

from browser.steps_of_use import conllu, derive, parse

WORDS = [
    "<script>window.hacked=1</script>",
    "]]><script>window.hacked=1</script>",
    "<img/src=x/onerror=window.hacked=1>",
    '"onmouseover="window.hacked=1',
    "\u202eevil\u2066",
    "</svg><iframe/src=javascript:window.hacked=1>",
    "&lt;b&gt;",
    "{{constructor}}",
]
HOSTILE = "# sent_id = ../../<b>x\n# text = </textarea><script>window.hacked=1</script>\n" + conllu(
    WORDS, [2, 0, 2, 2, 2, 2, 2, 2], label="<script>window.hacked=1</script>"
)


def is_unharmed(page: Page) -> bool:
    return page.evaluate(
        """window.hacked === undefined && !document.querySelector("main :is(script, iframe, img)")
            && ![...document.querySelectorAll("main *")].flatMap((element) => element.getAttributeNames())
                .some((name) => name.startsWith("on"))"""
    )


def test_hostile_conll_is_only_text(page: Page) -> None:
    parse(page, HOSTILE)
    for number in range(1, len(WORDS) + 1):
        page.locator(f'.word[data-word="{number}"]').click()
        expect(page.locator("#detail h2 bdi")).to_have_text(WORDS[number - 1])
    page.locator(".arc").first.press("Enter")
    assert is_unharmed(page)
    derive(page, HOSTILE)
    page.keyboard.press("End")
    assert is_unharmed(page)


def test_hostile_text_is_only_text(page: Page) -> None:
    parse(page, "<script>window.hacked=1</script> ]]> \u202e &amp; <img src=x onerror=window.hacked=1>")
    assert is_unharmed(page)


def test_a_hostile_file_name_is_tamed(page: Page) -> None:
    parse(page, HOSTILE)
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Download CoNLL-U").click()
    assert waiting.value.suggested_filename == "b-x.conllu"


@pytest.mark.parametrize(
    "drawing",
    [
        '<svg xmlns="http://www.w3.org/2000/svg" onload="window.hacked=1"><script>window.hacked=1</script></svg>',
        '<svg xmlns="http://www.w3.org/2000/svg"><foreignObject><b xmlns="http://www.w3.org/1999/xhtml">x</b></foreignObject></svg>',
        '<svg xmlns="http://www.w3.org/2000/svg"><a href="javascript:window.hacked=1"><text>x</text></a></svg>',
        '<svg xmlns="http://www.w3.org/2000/svg"><image href="x" onerror="window.hacked=1"/><use href="#x"/></svg>',
        '<svg xmlns="http://www.w3.org/2000/svg"><rect id="skip" style="fill:red" fill="url(http://127.0.0.1/x)"/></svg>',
    ],
)
def test_a_hostile_drawing_is_cleaned(visitor, drawing: str) -> None:
    with visitor.visit(expected="Content Security Policy") as page:  # the second line of defence speaks, too
        cleaned = page.evaluate(
            """async (drawing) => {
                const { parseSvg } = await import(new URL("static/js/svg.js", location.href));
                const svg = parseSvg(drawing);
                document.querySelector("main").append(svg);
                return svg.outerHTML;
            }""",
            drawing,
        )
        for bad in ("script", "foreignObject", "href", "onload", "onerror", "style", "url(", "id="):
            assert bad not in cleaned
        assert is_unharmed(page)
