// repacked.h: part of products.h, for rows that repacking.cpp has put side by side.
//
// Eight rows are a group, in the bytes that they have in the file. Of each block of 32, a group has what is before the
// numbers in all eight rows, then vectors with the numbers: some pairs of each of the first four rows, the same of the
// other four, then the next pairs. So the rows are read in one stream, a vector of sums has one for each of four rows,
// and nothing is left to add up at the end of a block. The same floats are added in the same order as in one-token.h.
#pragma once

#include <cstring>

#include "ggml.h"

// Rows of a group.
const int GROUP_ROWS = SIDES * ROWS;

// Types that can be repacked. They have, of their numbers in a group,
//   PAIRS                 how many pairs of a row a vector has
//   pair(vector, i)       one of them, of four rows, in 16 bits each
//   packed(pairs)         the vector with these pairs
//   OFFSET                what is subtracted from the numbers
template <class Block> struct Vectors;

template <class Block> struct Nibbles {
  static const int PAIRS = 4;
  static v128_t pair(v128_t vector, int i) {
    const v128_t shifted = i == 0 ? vector : wasm_u16x8_shr(vector, 4 * i);
    return i == 3 ? shifted : wasm_v128_and(shifted, made_of(0x000f000f));
  }
  static v128_t packed(const v128_t pairs[PAIRS]) {
    const v128_t first = wasm_v128_or(pairs[0], wasm_i16x8_shl(pairs[1], 4));
    return wasm_v128_or(first, wasm_i16x8_shl(wasm_v128_or(pairs[2], wasm_i16x8_shl(pairs[3], 4)), 8));
  }
  // Sixteen numbers of a block in the file.
  static v128_t sixteen(const Block &block, int i) { return nibbles(block.qs, i); }
};

template <> struct Vectors<block_q4_0> : Nibbles<block_q4_0> {
  static const int OFFSET = 8;
};

template <> struct Vectors<block_q4_1> : Nibbles<block_q4_1> {
  static const int OFFSET = 0;
};

template <> struct Vectors<block_q8_0> {
  static const int PAIRS = 2;
  static const int OFFSET = 0;
  static v128_t pair(v128_t vector, int i) { return i == 0 ? wasm_i16x8_extend_low_i8x16(vector) : wasm_i16x8_extend_high_i8x16(vector); }
  static v128_t packed(const v128_t pairs[PAIRS]) { return wasm_i8x16_narrow_i16x8(pairs[0], pairs[1]); }
  static v128_t sixteen(const block_q8_0 &block, int i) { return wasm_v128_load(block.qs + 16 * i); }
};

// Calls a function with a null pointer to the type of the blocks. Returns false if it cannot be repacked.
template <class Call> bool for_repacked_type(int type, Call call) {
  switch (type) {
  case GGML_TYPE_Q4_0: call((block_q4_0 *)nullptr); return true;
  case GGML_TYPE_Q4_1: call((block_q4_1 *)nullptr); return true;
  case GGML_TYPE_Q8_0: call((block_q8_0 *)nullptr); return true;
  default: return false;
  }
}

// A block of eight rows.
template <class Block> struct Group {
  using Of = Vectors<Block>;
  // Vectors of four rows.
  static const int COUNT = 16 / Of::PAIRS;
  // Scale and, perhaps, minimum of each row.
  static const int HEAD = sizeof(Block) - sizeof(Block::qs);
  uint8_t heads[GROUP_ROWS][HEAD];
  uint8_t vectors[COUNT][SIDES][16];

  v128_t scales(int side) const {
    if (HEAD == 2) return widen_halves(wasm_u32x4_load16x4(heads[ROWS * side]));
    return widen_halves(wasm_v128_load(heads[ROWS * side]));
  }
  v128_t minimums(int side) const { return widen_upper_halves(wasm_v128_load(heads[ROWS * side])); }
};

template <class Block> const Group<Block> *group_at(const Weights &weights, int64_t row) {
  return (const Group<Block> *)(weights.bytes + row * weights.row_bytes);
}

// The products of a token and a block, where sums begin at `start`. In two of four pairs, the numbers of nibbles are left where
// they are in their 16 bits, and their sums are shifted at the end: 8 * 15 * 256 * 32767 is less than 2^31.
template <class Block> INLINE void dot_group(const Group<Block> &group, const int16_t *token, v128_t start, v128_t products[SIDES]) {
  using Of = Vectors<Block>;
  const v128_t zero = wasm_i32x4_splat(0);
  for (int side = 0; side < SIDES; side++) products[side] = start;
  v128_t sixteenfold[SIDES] = {zero, zero}, times256[SIDES] = {zero, zero};
  repeat<Group<Block>::COUNT>([&](auto at) __attribute__((always_inline)) {
    v128_t vectors[SIDES];
    for (int side = 0; side < SIDES; side++) vectors[side] = wasm_v128_load(group.vectors[at][side]);
    repeat<Of::PAIRS>([&](auto i) __attribute__((always_inline)) {
      const v128_t two = wasm_v128_load32_splat(token + 2 * (Of::PAIRS * at + i));
      const bool is_shifted = Of::PAIRS == 4 && (i == 1 || i == 2);
      for (int side = 0; side < SIDES; side++) {
        const v128_t pair = is_shifted ? wasm_v128_and(vectors[side], made_of(0x000f000f << 4 * i)) : Of::pair(vectors[side], i);
        v128_t &sum = !is_shifted ? products[side] : i == 1 ? sixteenfold[side] : times256[side];
        sum = wasm_i32x4_add(sum, wasm_i32x4_dot_i16x8(pair, two));
      }
    });
  });
  if constexpr (Of::PAIRS == 4) {
    for (int side = 0; side < SIDES; side++) {
      const v128_t shifted = wasm_i32x4_add(wasm_i32x4_shr(sixteenfold[side], 4), wasm_i32x4_shr(times256[side], 8));
      products[side] = wasm_i32x4_add(products[side], shifted);
    }
  }
}

// From more tokens on, V8 has too few registers for the sums: it pays to unpack whole rows into memory.
const int FEW = 4;

// Puts up to `FEW` tokens side by side: two numbers of each, then the next two.
inline void pair_tokens(Tokens &tokens) {
  const int count = tokens.count, pairs = tokens.width / 2;
  tokens.pairs.resize(count * pairs);
  for (int token = 0; token < count; token++) {
    const int16_t *numbers = tokens.numbers_of(token);
    for (int i = 0; i < pairs; i++) memcpy(&tokens.pairs[i * count + token], numbers + 2 * i, 4);
  }
}

// Adds the products of `COUNT` tokens and the rows of a block. The loop keeps its steps, because V8 has too few registers
// for several at once.
template <class Block, int COUNT> INLINE void dot_groups(const Group<Block> &group, const int32_t *tokens, v128_t sums[SIDES][COUNT]) {
  using Of = Vectors<Block>;
#pragma clang loop unroll(disable)
  for (int at = 0; at < Group<Block>::COUNT; at++) {
    v128_t vectors[SIDES];
    for (int side = 0; side < SIDES; side++) vectors[side] = wasm_v128_load(group.vectors[at][side]);
    repeat<Of::PAIRS>([&](auto pair) __attribute__((always_inline)) {
      v128_t numbers[SIDES];
      for (int side = 0; side < SIDES; side++) numbers[side] = Of::pair(vectors[side], pair);
      for (int token = 0; token < COUNT; token++) {
        const v128_t two = wasm_v128_load32_splat(tokens + pair * COUNT + token);
        for (int side = 0; side < SIDES; side++) sums[side][token] = wasm_i32x4_add(sums[side][token], wasm_i32x4_dot_i16x8(numbers[side], two));
      }
    });
    tokens += Of::PAIRS * COUNT;
  }
}

// How far ahead groups are fetched, in bytes.
const int AHEAD = 1024;

// Multiplies them with up to `FEW` tokens, which are side by side if there are several.
template <class Block, int COUNT> void multiply_groups(const Weights &weights, int64_t first, int64_t end, const Tokens &tokens, const Products &products) {
  const int blocks = tokens.blocks();
  const char *const last = (const char *)(group_at<Block>(weights, weights.rows) - 1);
  for (int64_t row = first; row < end; row += GROUP_ROWS) {
    const Group<Block> *group = group_at<Block>(weights, row);
    const int16_t *numbers = tokens.numbers.data();
    const int32_t *pairs = tokens.pairs.data();
    const float *token_scales = tokens.scales.data(), *sums = tokens.sums.data();
    const int32_t *totals = tokens.totals.data();
    v128_t results[SIDES][COUNT];
    for (int i = 0; i < COUNT; i++) results[0][i] = results[1][i] = wasm_f32x4_splat(0);
    for (int block = 0; block < blocks; block++) {
      fetch(std::min((const char *)group + AHEAD, last), sizeof(Group<Block>));
      v128_t dots[SIDES][COUNT];
      for (int i = 0; i < COUNT; i++) dots[0][i] = dots[1][i] = wasm_i32x4_splat(-Vectors<Block>::OFFSET * totals[i * blocks]);
      if constexpr (COUNT == 1) {
        v128_t products_of_one[SIDES];
        dot_group(*group, numbers, dots[0][0], products_of_one);
        for (int side = 0; side < SIDES; side++) dots[side][0] = products_of_one[side];
      } else {
        dot_groups<Block, COUNT>(*group, pairs, dots);
      }
      for (int side = 0; side < SIDES; side++) {
        const v128_t scales = group->scales(side);
        for (int i = 0; i < COUNT; i++) {
          v128_t &result = results[side][i];
          const v128_t token_scale = wasm_v128_load32_splat(token_scales + i * blocks);
          result = add_product(result, wasm_f32x4_convert_i32x4(dots[side][i]), wasm_f32x4_mul(scales, token_scale));
        }
        if constexpr (Format<Block>::MINIMUMS > 0) {
          const v128_t minimums = group->minimums(side);
          for (int i = 0; i < COUNT; i++) results[side][i] = add_product(results[side][i], minimums, wasm_v128_load32_splat(sums + i * blocks));
        }
      }
      group++;
      numbers += Format<Block>::NUMBERS;
      pairs += Format<Block>::NUMBERS / 2 * COUNT;
      token_scales++;
      sums++;
      totals++;
    }
    for (int side = 0; side < SIDES; side++) {
      for (int i = 0; i < COUNT; i++) products.store(results[side][i], i, row + ROWS * side);
    }
  }
}

// Unpacks the group that begins at `row`.
template <class Block> void interleave_group(const Weights &weights, int64_t row, int64_t blocks, Interleaved &to) {
  using Of = Vectors<Block>;
  to.resize<Block>(blocks);
  const Group<Block> *group = group_at<Block>(weights, row);
  int16_t *numbers = to.numbers.data();
  for (int64_t block = 0; block < blocks; block++, group++) {
    for (int at = 0; at < Group<Block>::COUNT; at++) {
      repeat<Of::PAIRS>([&](auto i) __attribute__((always_inline)) {
        for (int side = 0; side < SIDES; side++) {
          const v128_t pair = Of::pair(wasm_v128_load(group->vectors[at][side]), i);
          wasm_v128_store(numbers, wasm_i16x8_sub(pair, wasm_i16x8_splat(Of::OFFSET)));
          numbers += 8;
        }
      });
    }
    for (int side = 0; side < SIDES; side++) {
      const int64_t place = (SIDES * block + side) * ROWS;
      wasm_v128_store(&to.scales[place], group->scales(side));
      if constexpr (Format<Block>::MINIMUMS > 0) wasm_v128_store(&to.minimum_scales[place], group->minimums(side));
    }
  }
}

template <class Block> void multiply_repacked(const Weights &weights, int64_t first, int64_t end, const Tokens &tokens, const Products &products) {
  repeat<FEW>([&](auto i) {
    if (tokens.count == i + 1) multiply_groups<Block, i + 1>(weights, first, end, tokens, products);
  });
  if (tokens.count <= FEW) return;
  multiply_rows_interleaved<Block>(first, end, tokens, products, [&](int64_t row, Interleaved &to) {
    interleave_group<Block>(weights, row, tokens.blocks(), to);
  });
}
