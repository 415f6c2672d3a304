"""How fast the page is, measured by its own clock; `benchmarks/page.py` prints what tests only compare with bounds."""

import random
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import CDPSession, Page, expect

from browser.steps_of_use import conllu, derive

_STEPS = """async () => {
    const painted = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    const press = (key) => document.body.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
    const times = [];
    for (const key of ["ArrowRight", "ArrowLeft"]) {
        for (let step = 0; step < 90; step++) {
            const began = performance.now();
            press(key);
            await painted();
            times.push(performance.now() - began);
        }
    }
    return times.sort((a, b) => a - b);
}"""
_FRAMES = """async ([action, frames]) => {
    const list = document.querySelector("#view-treebank .virtual-list");
    const times = [];
    let last = performance.now();
    for (let i = 0; i < frames; i++) {
        if (action === "scroll") list.scrollTop = ((i * 0.618) % 1) * list.scrollHeight;
        await new Promise(requestAnimationFrame);
        const now = performance.now();
        times.push(now - last);
        last = now;
    }
    return times.sort((a, b) => a - b);
}"""
_OPENED = """(wanted) => {
    const began = performance.now();
    window.opened = new Promise((done) => {
        const look = () => {
            const text = document.querySelector("#view-treebank .count").textContent;
            if (text === wanted && document.querySelector("#view-treebank .chart")) done(performance.now());
            else requestAnimationFrame(look);
        };
        look();
    });
    return began;
}"""


def cpu_of_each(page: Page, run: Callable[[], list[float]]) -> tuple[list[float], float]:
    """The times that `run` finds, and the mean CPU time in milliseconds that the page's main thread used for each.

    Other programs on a busy machine change the CPU time little.
    """
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable")
    before, times, after = _cpu(session), run(), _cpu(session)
    session.detach()
    assert after > before, "the browser does not tell its CPU time"
    return times, (after - before) / len(times)


def _cpu(session: CDPSession) -> float:
    metrics = session.send("Performance.getMetrics")["metrics"]
    return next(float(each["value"]) for each in metrics if each["name"] == "ThreadTime") * 1000


def derive_long_sentence(page: Page, words: int = 100) -> None:
    """Opens the step view with a random tree, the same each time."""
    chance = random.Random(1)
    heads = [0, *(chance.randint(max(1, word - 12), word) for word in range(1, words))]
    derive(page, conllu([f"word{number}" for number in range(words)], heads))


def step_times(page: Page) -> list[float]:
    """Milliseconds from key to paint of 180 steps, forwards and backwards, the fastest first."""
    return list(page.evaluate(_STEPS))


def frame_times(page: Page, action: str, frames: int) -> list[float]:
    """Milliseconds between frames while the list of the treebank view scrolls, or while one only watches it."""
    return list(page.evaluate(_FRAMES, [action, frames]))


def opened_in(page: Page, path: Path, sentences: int) -> float:
    """Opens a treebank, and returns the seconds until its sentences and its chart are there."""
    page.get_by_role("navigation", name="Views").get_by_role("link", name="Treebank").click()
    expect(page.locator("#treebank-file")).to_be_attached()
    began = page.evaluate(_OPENED, f"{sentences:,} of {sentences:,} sentences")
    page.set_input_files("#treebank-file", path)
    return float(page.evaluate("window.opened") - began) / 1000


def share(times: list[float], part: float) -> float:
    """The time that this part of all, from 0 to 1, do not exceed."""
    return times[min(int(part * len(times)), len(times) - 1)]
