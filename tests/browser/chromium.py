"""Finds the browser of the tests: one that the system has; none is downloaded."""

import os
import shutil

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# Headless, and silent: the only server it talks to is ours.
OPTIONS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def path() -> str | None:
    return next((found for name in NAMES if (found := shutil.which(name))), None)


def is_required() -> bool:
    """In CI a missing browser is a failure: tests that are always skipped prove nothing."""
    return bool(os.environ.get("CI"))
