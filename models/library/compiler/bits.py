"""Expressions that unpack integers without shifting them.

SSE cannot shift a vector by a vector, so a software adapter shifts lane by lane, which costs as much as a dozen
other operations. Instead, a field is masked in place and converted. The result is too large by a power of two,
which the other factor of the product makes up for. All of this is exact.
"""

import struct

from tvm import tirx


def _field(word, shift: int, bits: int):
    """Bits ``shift … shift + bits - 1`` of a u32, as f32, times 2**shift."""
    part = word & tirx.const(((1 << bits) - 1) << shift, "uint32")
    if shift + bits < 32:  # converting from i32 is one instruction, but the topmost field would set its sign bit
        part = tirx.Cast("int32", part)
    return tirx.Cast("float32", part)


def exact(value: float):
    """A constant as f32, given by its bits: TVM writes WGSL constants with seven digits, which is one too few."""
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
