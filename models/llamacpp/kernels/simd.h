// simd.h: what the kernels add to WebAssembly's vectors of 128 bits.
#pragma once

#include <cstdint>
#include <utility>

#include <wasm_simd128.h>

#define INLINE inline __attribute__((always_inline))

// Calls a function with the constants 0 to COUNT - 1.
template <class Function, int... INDEX> INLINE void repeat(Function call, std::integer_sequence<int, INDEX...>) {
  (call(std::integral_constant<int, INDEX>()), ...);
}
template <int COUNT, class Function> INLINE void repeat(Function call) { repeat(call, std::make_integer_sequence<int, COUNT>()); }

// Zero, because stacks are aligned to 16 bytes. Neither the compiler nor V8 knows that.
inline int32_t hidden_zero() {
  int32_t zero;
  asm("global.get __stack_pointer\n i32.const 15\n i32.and\n local.set %0" : "=r"(zero));
  return zero;
}

// A vector of equal parts, which is made once, before a loop. V8 would make a vector that it knows to be constant anew
// wherever it is used, in three instructions.
inline v128_t made_of(int32_t part) { return wasm_i32x4_splat(part ^ hidden_zero()); }
inline v128_t made_of_bytes(int byte) { return made_of(byte * 0x01010101); }
inline v128_t made_of(uint64_t first, uint64_t second) {
  const uint64_t zero = hidden_zero();
  return wasm_i64x2_make((int64_t)(first ^ zero), (int64_t)(second ^ zero));
}

// Four words from four places.
inline v128_t gather(const void *a, const void *b, const void *c, const void *d) {
  const v128_t two = wasm_v128_load32_lane(b, wasm_v128_load32_zero(a), 1);
  return wasm_v128_load32_lane(d, wasm_v128_load32_lane(c, two, 2), 3);
}

// The 16-bit floats in the upper halves of four words as 32-bit floats. Infinite numbers do not occur among weights.
inline v128_t widen_upper_halves(v128_t words) {
  const v128_t shifted = wasm_v128_and(wasm_i32x4_shr(words, 3), made_of(0x8fffe000));
  // 2^112 moves the exponent, also of subnormal numbers.
  return wasm_f32x4_mul(shifted, made_of(0x77800000));
}
// Those in the lower halves.
inline v128_t widen_halves(v128_t words) { return widen_upper_halves(wasm_i32x4_shl(words, 16)); }
inline float widen_half(uint16_t half) { return wasm_f32x4_extract_lane(widen_halves(wasm_i32x4_splat(half)), 0); }

// The bits of `mask` that are `shift` bits from the right in each byte. Shifts of 16 bits are one instruction in most
// processors, those of 8 bits are five.
inline v128_t bits(v128_t bytes, int shift, int mask) { return wasm_v128_and(wasm_u16x8_shr(bytes, shift), made_of_bytes(mask)); }

// Moves the bits of each byte to the left, where there must be room for them.
inline v128_t move_left(v128_t bytes, int shift) { return wasm_i16x8_shl(bytes, shift); }

// For each of the 16 bits of two bytes: 16 if it is set, else 0.
inline v128_t sixteens(const uint8_t *two_bytes) {
  const v128_t spread = wasm_i8x16_swizzle(wasm_v128_load16_splat(two_bytes), made_of(0, 0x0101010101010101));
  const v128_t bit = made_of(0x8040201008040201, 0x8040201008040201);
  return wasm_v128_and(wasm_i8x16_eq(wasm_v128_and(spread, bit), bit), made_of_bytes(16));
}

// The sums of four vectors of integers, as one vector.
inline v128_t sums_of(const v128_t vectors[4]) {
  const v128_t first = wasm_i32x4_add(wasm_i32x4_shuffle(vectors[0], vectors[1], 0, 4, 1, 5), wasm_i32x4_shuffle(vectors[0], vectors[1], 2, 6, 3, 7));
  const v128_t second = wasm_i32x4_add(wasm_i32x4_shuffle(vectors[2], vectors[3], 0, 4, 1, 5), wasm_i32x4_shuffle(vectors[2], vectors[3], 2, 6, 3, 7));
  return wasm_i32x4_add(wasm_i32x4_shuffle(first, second, 0, 1, 4, 5), wasm_i32x4_shuffle(first, second, 2, 3, 6, 7));
}

// a + b * c
inline v128_t add_product(v128_t a, v128_t b, v128_t c) { return wasm_f32x4_add(a, wasm_f32x4_mul(b, c)); }
