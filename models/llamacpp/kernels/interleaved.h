// interleaved.h: part of products.h, for prompts and blocks of 32.
//
// Eight rows are unpacked side by side: two numbers of each of four rows, then of the other four, then the next two
// numbers. A vector of sums has one for each of four rows, so nothing is left to add up at the end of a block. Blocks of
// 256 have eight times fewer ends, and gain nothing by that.
#pragma once

#include <vector>

// The vectors that have a value of each row, `ROWS` rows each.
const int SIDES = 2;

// Eight rows of weights, unpacked. The scales of the rows are side by side.
struct Interleaved {
  std::vector<int16_t> numbers;
  std::vector<float> scales;
  std::vector<float> minimum_scales;

  template <class Block> void resize(int64_t blocks) {
    numbers.resize(SIDES * ROWS * blocks * Format<Block>::NUMBERS);
    scales.resize(SIDES * ROWS * blocks);
    minimum_scales.resize(SIDES * ROWS * blocks * Format<Block>::MINIMUMS);
  }
};

// Four pairs of numbers of each of four rows, as vectors that have one pair of each row.
INLINE void transpose(const v128_t rows[ROWS], v128_t pairs[4]) {
  const v128_t a = wasm_i32x4_shuffle(rows[0], rows[1], 0, 4, 1, 5), b = wasm_i32x4_shuffle(rows[0], rows[1], 2, 6, 3, 7);
  const v128_t c = wasm_i32x4_shuffle(rows[2], rows[3], 0, 4, 1, 5), d = wasm_i32x4_shuffle(rows[2], rows[3], 2, 6, 3, 7);
  pairs[0] = wasm_i64x2_shuffle(a, c, 0, 2);
  pairs[1] = wasm_i64x2_shuffle(a, c, 1, 3);
  pairs[2] = wasm_i64x2_shuffle(b, d, 0, 2);
  pairs[3] = wasm_i64x2_shuffle(b, d, 1, 3);
}

// Unpacks a block of four rows, which are the first or the second four.
template <class Block> void interleave_block(const Block *const rows[ROWS], int64_t block, int side, Interleaved &to) {
  using Of = Format<Block>;
  v128_t numbers[ROWS][4];
  unpack_small(rows, numbers);
  int16_t *at = &to.numbers[SIDES * ROWS * block * Of::NUMBERS + 8 * side];
  for (int i = 0; i < 4; i++) {
    const v128_t eight_of_each[ROWS] = {numbers[0][i], numbers[1][i], numbers[2][i], numbers[3][i]};
    v128_t pairs[4];
    transpose(eight_of_each, pairs);
    for (int pair = 0; pair < 4; pair++) wasm_v128_store(at + 8 * SIDES * (4 * i + pair), pairs[pair]);
  }
  wasm_v128_store(&to.scales[(SIDES * block + side) * ROWS], Of::scales(rows));
  if constexpr (Of::MINIMUMS > 0) wasm_v128_store(&to.minimum_scales[(SIDES * block + side) * ROWS], Of::minimum_scales(rows));
}

// Unpacks the rows from `first` on.
template <class Block> void interleave(const Weights &weights, int64_t first, int64_t blocks, Interleaved &to) {
  to.resize<Block>(blocks);
  for (int side = 0; side < SIDES; side++) {
    const Block *rows[ROWS];
    weights.four_rows(first + ROWS * side, rows);
    for (int64_t block = 0; block < blocks; block++) {
      interleave_block(rows, block, side, to);
      for (int row = 0; row < ROWS; row++) rows[row]++;
    }
  }
}

// The products of a block of eight rows and of `COUNT` tokens, which are `distance` apart. The loop is not unrolled:
// clang would change its order, and V8 has too few registers for that.
template <int COUNT, int NUMBERS> INLINE void dot_interleaved(const int16_t *rows, const int16_t *tokens, int distance, v128_t products[COUNT][SIDES]) {
  for (int i = 0; i < COUNT; i++) products[i][0] = products[i][1] = wasm_i32x4_splat(0);
#pragma clang loop unroll(disable)
  for (int at = 0; at < NUMBERS; at += 2) {
    const v128_t first = wasm_v128_load(rows + SIDES * ROWS * at), second = wasm_v128_load(rows + SIDES * ROWS * at + 8);
    for (int i = 0; i < COUNT; i++) {
      const v128_t token = wasm_v128_load32_splat(tokens + i * distance + at);
      products[i][0] = wasm_i32x4_add(products[i][0], wasm_i32x4_dot_i16x8(first, token));
      products[i][1] = wasm_i32x4_add(products[i][1], wasm_i32x4_dot_i16x8(second, token));
    }
  }
}

// Multiplies eight rows, which begin at `row`, with `COUNT` tokens from `first` on.
template <class Block, int COUNT> void multiply_interleaved(const Interleaved &weights, const Tokens &tokens, int64_t first, int64_t row, const Products &products) {
  using Of = Format<Block>;
  const int width = tokens.width, blocks = tokens.blocks();
  const int16_t *const numbers = tokens.numbers_of(first);
  const float *const token_scales = tokens.scales_of(first), *const sums = tokens.sums_of(first);
  v128_t results[COUNT][SIDES];
  for (int i = 0; i < COUNT; i++) results[i][0] = results[i][1] = wasm_f32x4_splat(0);
  for (int block = 0; block < blocks; block++) {
    v128_t dots[COUNT][SIDES];
    dot_interleaved<COUNT, Of::NUMBERS>(&weights.numbers[SIDES * ROWS * block * Of::NUMBERS], numbers + block * Of::NUMBERS, width, dots);
    for (int side = 0; side < SIDES; side++) {
      const v128_t scales = wasm_v128_load(&weights.scales[(SIDES * block + side) * ROWS]);
      for (int i = 0; i < COUNT; i++) {
        const v128_t token_scale = wasm_v128_load32_splat(token_scales + i * blocks + block);
        results[i][side] = add_product(results[i][side], wasm_f32x4_convert_i32x4(dots[i][side]), wasm_f32x4_mul(scales, token_scale));
      }
      if constexpr (Of::MINIMUMS > 0) {
        const v128_t minimums = wasm_v128_load(&weights.minimum_scales[(SIDES * block + side) * ROWS]);
        for (int i = 0; i < COUNT; i++) results[i][side] = add_product(results[i][side], minimums, wasm_v128_load32_splat(sums + i * blocks + block));
      }
    }
  }
  for (int side = 0; side < SIDES && row + ROWS * side < products.rows; side++) {
    for (int i = 0; i < COUNT; i++) products.store(results[i][side], first + i, row + ROWS * side);
  }
}

// `unpack` gets the first of eight rows, and where they go.
template <class Block, class Unpack> void multiply_rows_interleaved(int64_t first, int64_t end, const Tokens &tokens, const Products &products, Unpack unpack) {
  thread_local Interleaved interleaved;
  for (int64_t row = first; row < end; row += SIDES * ROWS) {
    unpack(row, interleaved);
    int64_t token = 0;
    for (; token + 3 <= tokens.count; token += 3) multiply_interleaved<Block, 3>(interleaved, tokens, token, row, products);
    repeat<2>([&](auto i) {
      if (tokens.count - token == i + 1) multiply_interleaved<Block, i + 1>(interleaved, tokens, token, row, products);
    });
  }
}
