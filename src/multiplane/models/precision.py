"""Numbers of 16 bits in PyTorch."""

from __future__ import annotations

import torch


def has_bfloat16() -> bool:
    """Whether the CPU has bfloat16 instructions, with which large products are two to four times as fast.

    Older versions of PyTorch cannot tell, so False.
    """
    known = torch.cpu.get_capabilities() if hasattr(torch.cpu, "get_capabilities") else {}
    return bool(known.get("avx512_bf16", False) or known.get("amx_bf16", False))


def in_half(precision: str) -> bool:
    """Whether to compute with bfloat16.

    >>> in_half("bfloat16"), in_half("float32"), in_half("auto") == has_bfloat16()
    (True, False, True)
    """
    return precision == "bfloat16" or (precision == "auto" and has_bfloat16())
