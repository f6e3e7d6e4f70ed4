// floats.h: products of weights that are floats: F16, BF16 and F32.
//
// Tokens stay as they are. A row and a token are multiplied four numbers at a time, and each of the four sums is added
// up in the order of the numbers. So a token's products have the same bits, however many tokens there are.
#pragma once

#include <vector>

#include "ggml.h"
#include "products.h"

inline v128_t load_four(const float *at) { return wasm_v128_load(at); }

inline v128_t load_four(const ggml_bf16_t *at) { return wasm_i32x4_shl(wasm_u32x4_load16x4(at), 16); }

// Infinite numbers do not occur among weights. Here, one becomes 65536.
inline v128_t load_four(const ggml_fp16_t *at) {
  const v128_t shifted = wasm_i32x4_shl(wasm_i32x4_load16x4(at), 13);
  // 2^112 moves the exponent, also of subnormal numbers.
  return wasm_f32x4_mul(wasm_v128_and(shifted, made_of(0x8fffffff)), made_of(0x77800000));
}

// Tokens in F32.
struct FloatTokens {
  const float *values;
  int64_t count;
  int64_t width;
  // Values from one token to the next.
  int64_t distance;
};

inline float total_of(v128_t sums) {
  const v128_t pairs = wasm_f32x4_add(sums, wasm_i32x4_shuffle(sums, sums, 2, 3, 2, 3));
  return wasm_f32x4_extract_lane(pairs, 0) + wasm_f32x4_extract_lane(pairs, 1);
}

// Multiplies `COUNT` rows from `row` on with `TOKENS` tokens from `token` on.
template <int COUNT, int TOKENS, class Number>
void multiply_tile(const Number *const rows[COUNT], int64_t row, const FloatTokens &tokens, int64_t token, const Products &products) {
  const float *values = tokens.values + token * tokens.distance;
  const int width = tokens.width, distance = tokens.distance;
  v128_t sums[TOKENS][COUNT];
  for (int i = 0; i < TOKENS; i++) {
    for (int j = 0; j < COUNT; j++) sums[i][j] = wasm_f32x4_splat(0);
  }
#pragma clang loop unroll(disable)
  for (int at = 0; at < width; at += 4) {
    v128_t numbers[TOKENS];
    for (int i = 0; i < TOKENS; i++) numbers[i] = wasm_v128_load(values + i * distance + at);
    for (int j = 0; j < COUNT; j++) {
      const v128_t weights = load_four(rows[j] + at);
      for (int i = 0; i < TOKENS; i++) sums[i][j] = add_product(sums[i][j], weights, numbers[i]);
    }
  }
  const int64_t found = std::min<int64_t>(products.rows - row, COUNT);
  for (int i = 0; i < TOKENS; i++) {
    for (int64_t j = 0; j < found; j++) products.values[(token + i) * products.distance + row + j] = total_of(sums[i][j]);
  }
}

// Multiplies `COUNT` rows with all tokens, of which it takes up to `MOST` at once.
template <int COUNT, int MOST, class Number>
void multiply_tiles(const Number *const rows[COUNT], int64_t row, const FloatTokens &tokens, const Products &products) {
  int64_t token = 0;
  for (; token + MOST <= tokens.count; token += MOST) multiply_tile<COUNT, MOST>(rows, row, tokens, token, products);
  repeat<MOST - 1>([&](auto i) {
    if (tokens.count - token == i + 1) multiply_tile<COUNT, i + 1>(rows, row, tokens, token, products);
  });
}

// Makes floats of four rows.
template <class Number> void widen(const Number *const rows[ROWS], int64_t width, std::vector<float> &to) {
  to.resize(ROWS * width);
  for (int row = 0; row < ROWS; row++) {
    for (int64_t at = 0; at < width; at += 4) wasm_v128_store(&to[row * width + at], load_four(rows[row] + at));
  }
}

// One token is multiplied with four rows at once. Up to eight tokens share what a row is widened to while it is in
// registers, more of them where it is in memory.
template <class Number> void multiply_floats(const Weights &weights, int64_t first, int64_t end, const FloatTokens &tokens, const Products &products) {
  thread_local std::vector<float> floats;
  for (int64_t row = first; row < end; row += ROWS) {
    const Number *rows[ROWS];
    weights.four_rows(row, rows);
    if (tokens.count == 1 || sizeof(Number) == sizeof(float)) {
      multiply_tiles<ROWS, 2>(rows, row, tokens, products);
    } else if (tokens.count < MANY) {
      for (int i = 0; i < ROWS; i += 2) multiply_tiles<2, 4>(rows + i, row + i, tokens, products);
    } else {
      widen(rows, tokens.width, floats);
      const float *widened[ROWS];
      for (int i = 0; i < ROWS; i++) widened[i] = &floats[i * tokens.width];
      multiply_tiles<ROWS, 2>(widened, row, tokens, products);
    }
  }
}
