"""What axe-core finds wrong with a page."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page


def violations(page: Page) -> list[str]:
    results = Axe().run(page)
    return [f"{found['id']}: {node['target']}" for found in results.response["violations"] for node in found["nodes"]]
