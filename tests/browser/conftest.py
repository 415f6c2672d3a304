import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from browser import chromium

PATIENCE = 90_000  # milliseconds; the machine may be very busy
expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="package")
def address() -> Iterator[str]:
    """The address of a server with the bundled models, one for all tests of the page in a process."""
    command = [sys.executable, "-m", "multiplane", "serve", "--port", "0", "--max-seconds", "600"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        assert server.stdout is not None
        found = server.stdout.readline().strip()
        assert found.startswith("http://127.0.0.1:"), "the server ended before it had an address"
        yield f"{found}/"
        server.terminate()


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Chromium, as long as tests of the page run: Playwright holds the event loop, which later tests may need."""
    path = chromium.path()
    if path is None:
        assert not chromium.is_required(), "no Chromium on this machine; make chromium installs it"
        pytest.skip("no Chromium on this machine; make chromium installs it")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=chromium.OPTIONS)
        yield browser
        browser.close()


class Visitor:
    """Opens the page in a fresh context, and fails if the page writes an error to the console."""

    def __init__(self, browser: Browser, address: str) -> None:
        self._browser = browser
        self.address = address

    @contextmanager
    def visit(self, hash: str = "", *, expected: str | None = None, **options: object) -> Iterator[Page]:  # noqa: A002
        """Opens an address; `expected` is part of the errors that the browser may write to the console."""
        context = self._browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **options})
        context.set_default_timeout(PATIENCE)
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        page = context.new_page()
        problems: list[str] = []
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
        page.on("dialog", lambda dialog: (problems.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        try:
            page.goto(self.address + hash)
            yield page
        finally:
            context.close()
        assert [problem for problem in problems if expected is None or expected not in problem] == []


@pytest.fixture(scope="package")
def visitor(browser: Browser, address: str) -> Visitor:
    return Visitor(browser, address)


@pytest.fixture
def page(visitor: Visitor) -> Iterator[Page]:
    """The page in a fresh window of a usual size."""
    with visitor.visit() as opened:
        yield opened
