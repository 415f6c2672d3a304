"""What a field can contain."""

from __future__ import annotations

import re

EMPTY = "_"
"""A field without a value."""

NUMBER = re.compile("[0-9]{1,9}")
"""The number of a word."""

FORBIDDEN = re.compile("[\0\t\n\r\ud800-\udfff]")
"""Characters that no field can contain."""

FORBIDDEN_ADVICE = "remove tabs, line ends, NUL and lone surrogates"
