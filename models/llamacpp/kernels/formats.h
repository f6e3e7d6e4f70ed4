// formats.h: ggml's formats of quantised weights.
//
// The weights of a row are in blocks. A weight is scale * number + minimum, and a Format has, of its blocks,
//   NUMBERS                  how many weights they have
//   STEP                     a part of a block
//   sixteen(block, step, i)  the numbers from STEP * step + 16 * i on, as signed bytes
//   scales(rows)             the scales of four blocks
//   MINIMUMS                 how many minimums a block has: 0, 1, or one for each group
//   minimum_scales(rows)     what the minimums of four blocks are multiplied by
// Blocks of 256 weights are divided into groups, for which scale and minimum are multiplied by small integers:
//   GROUP                    weights of a group; without groups it is the block
//   group_scales(block)      these integers for the scales
//   group_minimums(block)    and for the minimums
#pragma once

#include <cstring>

#include "simd.h"

#define GGML_COMMON_DECL_C
#include "ggml-common.h"

// The rows that are computed at once. One vector has a value of each.
const int ROWS = 4;

template <class Block> struct Format;

// An integer for each group, 16 bits each.
struct GroupIntegers {
  v128_t first;
  v128_t second;

  void store(int16_t *to) const {
    wasm_v128_store(to, first);
    wasm_v128_store(to + 8, second);
  }
};

// Blocks of 32 with one scale.
template <class Block> struct SmallFormat {
  static const int NUMBERS = 32;
  static const int STEP = 32;
  static const int GROUP = 32;
  static const int MINIMUMS = 0;
  static v128_t scales(const Block *const rows[ROWS]) { return widen_halves(gather(rows[0], rows[1], rows[2], rows[3])); }
};

// Blocks of 32 with one scale and one minimum.
template <class Block> struct SmallFormatWithMinimum : SmallFormat<Block> {
  static const int MINIMUMS = 1;
  static v128_t minimum_scales(const Block *const rows[ROWS]) {
    return widen_upper_halves(gather(rows[0], rows[1], rows[2], rows[3]));
  }
};

// First the low halves of 16 bytes, then the high ones.
inline v128_t nibbles(const uint8_t *bytes, int half) { return bits(wasm_v128_load(bytes), 4 * half, 15); }

template <> struct Format<block_q4_0> : SmallFormat<block_q4_0> {
  static v128_t sixteen(const block_q4_0 &block, int, int i) { return wasm_i8x16_sub(nibbles(block.qs, i), made_of_bytes(8)); }
};

template <> struct Format<block_q4_1> : SmallFormatWithMinimum<block_q4_1> {
  static v128_t sixteen(const block_q4_1 &block, int, int i) { return nibbles(block.qs, i); }
};

template <> struct Format<block_q5_0> : SmallFormat<block_q5_0> {
  static v128_t sixteen(const block_q5_0 &block, int, int i) {
    return wasm_i8x16_sub(wasm_v128_or(nibbles(block.qs, i), sixteens(block.qh + 2 * i)), made_of_bytes(16));
  }
};

template <> struct Format<block_q5_1> : SmallFormatWithMinimum<block_q5_1> {
  static v128_t sixteen(const block_q5_1 &block, int, int i) { return wasm_v128_or(nibbles(block.qs, i), sixteens(block.qh + 2 * i)); }
};

template <> struct Format<block_q8_0> : SmallFormat<block_q8_0> {
  static v128_t sixteen(const block_q8_0 &block, int, int i) { return wasm_v128_load(block.qs + 16 * i); }
};

// Blocks of 256.
template <class Block> struct LargeFormat {
  static const int NUMBERS = QK_K;
  static v128_t scales(const Block *const rows[ROWS]) { return widen_halves(gather(&rows[0]->d, &rows[1]->d, &rows[2]->d, &rows[3]->d)); }
};

// Blocks of 256 of which multiples of `dmin` are subtracted.
template <class Block> struct LargeFormatWithMinimums : LargeFormat<Block> {
  static v128_t minimum_scales(const Block *const rows[ROWS]) {
    return wasm_f32x4_neg(widen_halves(gather(&rows[0]->dmin, &rows[1]->dmin, &rows[2]->dmin, &rows[3]->dmin)));
  }
};

// Q4_K and Q5_K: eight groups, with 6 bits for each integer.
template <class Block> struct SixBitFormat : LargeFormatWithMinimums<Block> {
  static const int GROUP = 32;
  static const int STEP = 64;
  static const int MINIMUMS = 8;
  static GroupIntegers group_scales(const Block &block) { return integers(block, 0, 0); }
  static GroupIntegers group_minimums(const Block &block) { return integers(block, 4, 4); }
  // Each 32 bytes have the low 4 bits of two groups.
  static v128_t low_bits(const Block &block, int step, int i) { return bits(wasm_v128_load(block.qs + step * 32 + i % 2 * 16), i / 2 * 4, 15); }

private:
  // The first four have 6 bits in the bytes from `start` on. Of the others the low 4 bits are in the last four bytes,
  // and the high 2 bits are beside those of the first four.
  static GroupIntegers integers(const Block &block, int start, int shift) {
    uint32_t own, last;
    memcpy(&own, block.scales + start, 4);
    memcpy(&last, block.scales + 8, 4);
    const uint64_t first = own & 0x3f3f3f3f;
    const uint64_t second = (last >> shift & 0x0f0f0f0f) | (own >> 6 & 0x03030303) << 4;
    const v128_t eight = wasm_u16x8_extend_low_u8x16(wasm_i64x2_splat((int64_t)(first | second << 32)));
    return {eight, eight};
  }
};

template <> struct Format<block_q4_K> : SixBitFormat<block_q4_K> {
  static v128_t sixteen(const block_q4_K &block, int step, int i) { return low_bits(block, step, i); }
};

template <> struct Format<block_q5_K> : SixBitFormat<block_q5_K> {
  static v128_t sixteen(const block_q5_K &block, int step, int i) {
    const v128_t fifth = bits(wasm_v128_load(block.qh + i % 2 * 16), step * 2 + i / 2, 1);
    return wasm_v128_or(low_bits(block, step, i), move_left(fifth, 4));
  }
};

template <> struct Format<block_q6_K> : LargeFormat<block_q6_K> {
  static const int GROUP = 16;
  static const int STEP = 128;
  static const int MINIMUMS = 0;
  // Each half of a block has 64 bytes of low and 32 of high bits, for four times 32 numbers.
  static v128_t sixteen(const block_q6_K &block, int step, int i) {
    const int quarter = i / 2, start = i % 2 * 16;
    const v128_t low = bits(wasm_v128_load(block.ql + step * 64 + quarter % 2 * 32 + start), quarter / 2 * 4, 15);
    const v128_t high = bits(wasm_v128_load(block.qh + step * 32 + start), quarter * 2, 3);
    return wasm_i8x16_sub(wasm_v128_or(low, move_left(high, 4)), made_of_bytes(32));
  }
  static GroupIntegers group_scales(const block_q6_K &block) {
    const v128_t bytes = wasm_v128_load(block.scales);
    return {wasm_i16x8_extend_low_i8x16(bytes), wasm_i16x8_extend_high_i8x16(bytes)};
  }
};

// Each half of a block has 32 bytes, for four times 32 numbers of 2 bits.
inline v128_t two_bits(const uint8_t *bytes, int step, int i) { return bits(wasm_v128_load(bytes + step * 32 + i % 2 * 16), i / 2 * 2, 3); }

template <> struct Format<block_q2_K> : LargeFormatWithMinimums<block_q2_K> {
  static const int GROUP = 16;
  static const int STEP = 128;
  static const int MINIMUMS = 16;
  static v128_t sixteen(const block_q2_K &block, int step, int i) { return two_bits(block.qs, step, i); }
  static GroupIntegers group_scales(const block_q2_K &block) { return integers(block, 0); }
  static GroupIntegers group_minimums(const block_q2_K &block) { return integers(block, 4); }

private:
  static GroupIntegers integers(const block_q2_K &block, int shift) {
    const v128_t bytes = bits(wasm_v128_load(block.scales), shift, 15);
    return {wasm_u16x8_extend_low_u8x16(bytes), wasm_u16x8_extend_high_u8x16(bytes)};
  }
};

template <> struct Format<block_q3_K> : LargeFormat<block_q3_K> {
  static const int GROUP = 16;
  static const int STEP = 128;
  static const int MINIMUMS = 0;
  static v128_t sixteen(const block_q3_K &block, int step, int i) {
    const v128_t high = bits(wasm_v128_load(block.hmask + i % 2 * 16), step * 4 + i / 2, 1);
    return wasm_i8x16_sub(wasm_v128_or(two_bits(block.qs, step, i), move_left(high, 2)), made_of_bytes(4));
  }
  // 6 bits each: the low 4 in the first 8 bytes, the high 2 in the last 4.
  static GroupIntegers group_scales(const block_q3_K &block) {
    uint64_t low;
    uint32_t high;
    memcpy(&low, block.scales, 8);
    memcpy(&high, block.scales + 8, 4);
    const uint64_t high8 = (high & 0x03030303) | (uint64_t)(high >> 2 & 0x03030303) << 32;
    const uint64_t next8 = (high >> 4 & 0x03030303) | (uint64_t)(high >> 6 & 0x03030303) << 32;
    const uint64_t first = (low & 0x0f0f0f0f0f0f0f0f) | high8 << 4;
    const uint64_t second = (low >> 4 & 0x0f0f0f0f0f0f0f0f) | next8 << 4;
    const v128_t bytes = wasm_i8x16_sub(wasm_i64x2_make((int64_t)first, (int64_t)second), made_of_bytes(32));
    return {wasm_i16x8_extend_low_i8x16(bytes), wasm_i16x8_extend_high_i8x16(bytes)};
  }
};
