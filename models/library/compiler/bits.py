"""Expressions that take packed integers apart without shifting them.

A shift of a vector by a vector is taken apart lane by lane on a software adapter (SSE has none) and costs as
much as a dozen other operations. So a field is masked where it stands and converted: the result is too large
by a power of two, which goes into the other factor of the product. All of this is exact.
"""

import struct

from tvm import tirx


def _field(word, shift: int, bits: int):
    """Bits ``shift … shift + bits - 1`` of a u32, as f32, times 2**shift."""
    part = word & tirx.const(((1 << bits) - 1) << shift, "uint32")
    if shift + bits < 32:  # by way of i32, which is one instruction; at the top the sign bit is in the way
        part = tirx.Cast("int32", part)
    return tirx.Cast("float32", part)


def exact(value: float):
    """A constant as f32, by its bits: WGSL is generated with seven digits, one too few."""
    return tirx.reinterpret("float32", tirx.const(struct.unpack("<I", struct.pack("<f", value))[0], "uint32"))


def scaled(value, exponent: int):
    """``value`` times 2**exponent."""
    return value * exact(2.0**exponent) if exponent else value


def nibble(word, i: int):
    """The i-th of eight 4-bit values, times 2**(4 i)."""
    return _field(word, 4 * i, 4)


def two_bits(word, i: int):
    """The i-th of sixteen 2-bit values, times 2**(2 i)."""
    return _field(word, 2 * i, 2)


def byte(word, i: int):
    """The i-th of four bytes of a word."""
    return scaled(_field(word, 8 * i, 8), -8 * i)


def total(terms: list):
    """The sum of a power-of-two number of terms, added pairwise."""
    while len(terms) > 1:
        terms = [a + b for a, b in zip(terms[::2], terms[1::2])]
    return terms[0]
