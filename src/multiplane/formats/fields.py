"""Fields: what they can hold."""

from __future__ import annotations

import re

EMPTY = "_"
"""What a field without a value holds."""

FORBIDDEN = re.compile("[\0\t\n\r\ud800-\udfff]")
"""What no field of a file can hold."""

FORBIDDEN_ADVICE = "leave out tabs, line ends, NUL and lone surrogates"
