"""How fast the web page is, in headless Chromium: opening, scrolling and searching treebanks, and stepping.

Times are those of the page's own clock; from key to paint, a step takes at least one frame of the screen. With
`--pictures`, takes the screenshots of `docs/page.md` instead.

Usage: python benchmarks/page.py [--pictures]
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

from playwright.sync_api import Browser, Page, expect, sync_playwright

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from browser import chromium, measuring, treebanks  # noqa: E402 - these are beside the tests that use them
from browser.steps_of_use import CROSSING, derive, parse  # noqa: E402

PATIENCE = 90_000
IMAGES = ROOT / "docs" / "images"
ROUNDS = 3


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pictures", action="store_true")
    options = parser.parse_args()
    command = [sys.executable, "-m", "multiplane", "serve", "--port", "0", "--quiet"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        address = server.stdout.readline().strip()
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium.path(), args=chromium.OPTIONS)
            if options.pictures:
                pictures(browser, address)
            else:
                measure(browser, address)
            browser.close()
    finally:
        server.terminate()
        server.wait(60)


def opened(browser: Browser, address: str, height: int = 900) -> Page:
    page = browser.new_page(viewport={"width": 1280, "height": height}, reduced_motion="reduce")
    page.set_default_timeout(PATIENCE)
    page.goto(address)
    return page


def measure(browser: Browser, address: str) -> None:
    """Prints all times, in several rounds: other programs on the machine disturb some of them."""
    expect.set_options(timeout=PATIENCE)
    with tempfile.TemporaryDirectory() as folder:
        for sentences in (5_000, 50_000):
            path = Path(folder, f"{sentences}.conllu")
            path.write_bytes(treebanks.repeated_sample(sentences))
            for _ in range(ROUNDS):
                page = opened(browser, address)
                print(f"{sentences:,} sentences: open in {measuring.opened_in(page, path, sentences):.2f} s")
                report(page, "scrolling", partial(measuring.frame_times, page, "scroll", 120))
                page.get_by_label("Word", exact=True).type("hond")
                report(page, "searching", partial(measuring.frame_times, page, "watch", 60))
                page.close()
    for _ in range(ROUNDS):
        page = opened(browser, address)
        measuring.derive_long_sentence(page)
        report(page, "100 words, each step", partial(measuring.step_times, page))
        page.close()


def report(page: Page, what: str, run: Callable[[], list[float]]) -> None:
    """Prints how long frames or steps took, and how much CPU time of the page's main thread they needed."""
    times, cpu = measuring.cpu_of_each(page, run)
    print(f"{what}: {measuring.share(times, 0.5):.0f} ms (median), {cpu:.1f} ms of CPU time (mean)")


def pictures(browser: Browser, address: str) -> None:
    """Takes the screenshots of the documentation."""
    page = opened(browser, address)
    parse(page, CROSSING)
    page.locator(".arc.crossing").first.press("Enter")
    expect(page.locator("#detail h2")).to_contain_text("acl:relcl")
    _save(page, "parse")
    derive(page, CROSSING)
    for _ in range(12):
        page.keyboard.press("ArrowRight")
    _save(page, "step")
    page.goto(f"{address}/#treebank?sample.j=true&row.j=31")
    expect(page.locator(".proof")).to_be_visible()
    _save(page, "treebank")


def _save(page: Page, name: str) -> None:
    page.evaluate("document.activeElement.blur()")
    page.mouse.move(0, 0)
    page.screenshot(path=IMAGES / f"page-{name}.png", full_page=True)


if __name__ == "__main__":
    main()
