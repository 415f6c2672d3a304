"""Writes native/text/kinds_table.hpp from Python's Unicode data: python native/text/make_kinds.py > TABLE"""

import sys
import unicodedata

CATEGORIES = ["L", "M", "Nd", "N", "Pd", "Pc", "Ps", "Pe", "Po", "Sm", "Sc", "Sk", "So", "Z", "Cf", "C"]
"""In the order of `Category` in kinds.hpp; a longer name comes before the shorter one that it begins with."""
OPEN, CLOSE = {"Ps", "Pi"}, {"Pe", "Pf"}
MODIFIERS = range(0x1F3FB, 0x1F400)
"""Skin tones, which belong to the emoji before them."""


def category(code: int) -> int:
    """The number of the category of a code point."""
    found = unicodedata.category(chr(code))
    if code in MODIFIERS:
        found = "M"
    elif found in ("Cc", "Cs", "Zs", "Zl", "Zp") or code in (0x200B, 0xFEFF):
        found = "Z"
    elif found in OPEN or found in CLOSE:
        found = "Ps" if found in OPEN else "Pe"
    return next(i for i, name in enumerate(CATEGORIES) if found.startswith(name))


def ranges() -> list[tuple[int, int]]:
    """The first code point of every range, and its category."""
    found: list[tuple[int, int]] = []
    for code in range(sys.maxunicode + 1):
        one = category(code)
        if not found or found[-1][1] != one:
            found.append((code, one))
    return found


def main() -> None:
    """Prints the table."""
    print("// Categories of Unicode " + unicodedata.unidata_version + ", written by make_kinds.py.")
    print("#pragma once\n\n#include <cstdint>\n\nnamespace multiplane {\n")
    print("// The first code point of every range, times 16, plus its category.")
    print("// clang-format off\nconstexpr uint32_t kCategoryRanges[] = {")
    values = [f"{code * 16 + one:#x}" for code, one in ranges()]
    line = "   "
    for value in values:
        if len(line) + len(value) + 2 > 119:
            print(line)
            line = "   "
        line += f" {value},"
    print(line + "\n};\n// clang-format on\n\n}  // namespace multiplane")


if __name__ == "__main__":
    main()
