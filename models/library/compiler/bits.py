"""Expressions that take packed integers apart, shared by the kernels."""

from tvm import tirx


def to_float(word):
    """A small u32 as f32, by way of i32: converting an unsigned integer takes several instructions on a CPU adapter."""
    return tirx.Cast("float32", tirx.Cast("int32", word))


def field(word, shift: int, bits: int):
    """Bits ``shift … shift + bits - 1`` of a u32, as f32."""
    part = word if shift == 0 else word >> tirx.const(shift, "uint32")
    if shift + bits < 32:
        part = part & tirx.const((1 << bits) - 1, "uint32")
    return to_float(part)


def field_in_place(word, shift: int, bits: int):
    """The same field times ``field_scale(shift, bits)``: saves the shift, and is exact."""
    if shift + bits >= 32:  # bit 31 would be read as a sign
        return field(word, shift, bits)
    return to_float(word & tirx.const(((1 << bits) - 1) << shift, "uint32"))


def field_scale(shift: int, bits: int) -> float:
    """The power of two by which ``field_in_place`` is too large; divide the other factor of a product by it."""
    return 1.0 if shift + bits >= 32 else float(1 << shift)
