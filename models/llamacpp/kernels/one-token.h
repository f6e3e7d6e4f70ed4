// one-token.h: part of products.h, for answers.
#pragma once

// The products of 16 numbers and a part of a token, in four sums.
inline v128_t dot(v128_t numbers, const int16_t *token) {
  const v128_t low = wasm_i32x4_dot_i16x8(wasm_i16x8_extend_low_i8x16(numbers), wasm_v128_load(token));
  const v128_t high = wasm_i32x4_dot_i16x8(wasm_i16x8_extend_high_i8x16(numbers), wasm_v128_load(token + 8));
  return wasm_i32x4_add(low, high);
}

// The products of a block of 32.
template <class Block> v128_t dot_small(const Block &block, const int16_t *token) {
  return wasm_i32x4_add(dot(Format<Block>::sixteen(block, 0, 0), token), dot(Format<Block>::sixteen(block, 0, 1), token + 16));
}

// The products of a block of 256, with the integers of its groups. The loop keeps its steps, because V8 has too few
// registers for several at once.
template <class Block> v128_t dot_large(const Block &block, const int16_t *token) {
  using Of = Format<Block>;
  int16_t scales[16];
  Of::group_scales(block).store(scales);
  v128_t sum = wasm_i32x4_splat(0);
#pragma clang loop unroll(disable)
  for (int step = 0; step < Of::NUMBERS / Of::STEP; step++) {
    repeat<Of::STEP / Of::GROUP>([&](auto group) __attribute__((always_inline)) {
      const int first = group * Of::GROUP / 16;
      v128_t products = dot(Of::sixteen(block, step, first), token + 16 * first);
      if (Of::GROUP == 32) products = wasm_i32x4_add(products, dot(Of::sixteen(block, step, first + 1), token + 16 * first + 16));
      sum = wasm_i32x4_add(sum, wasm_i32x4_mul(products, wasm_i32x4_splat(scales[step * (Of::STEP / Of::GROUP) + group])));
    });
    token += Of::STEP;
  }
  return sum;
}

template <class Block> void dot_four_blocks(const Block *const rows[ROWS], const int16_t *token, v128_t products[ROWS]) {
  if constexpr (Format<Block>::NUMBERS == 32) {
    for (int row = 0; row < ROWS; row++) products[row] = dot_small(*rows[row], token);
  } else {
#pragma clang loop unroll(disable)
    for (int row = 0; row < ROWS; row++) products[row] = dot_large(*rows[row], token);
  }
}

// The products of a block's minimums and the sums of a token's groups.
template <class Block> v128_t dot_minimums(const Block &block, const int16_t *sums) {
  const GroupIntegers minimums = Format<Block>::group_minimums(block);
  const v128_t first = wasm_i32x4_dot_i16x8(minimums.first, wasm_v128_load(sums));
  if (Format<Block>::MINIMUMS == 8) return first;
  return wasm_i32x4_add(first, wasm_i32x4_dot_i16x8(minimums.second, wasm_v128_load(sums + 8)));
}

// Adds the part of four blocks that the minimums make.
template <class Block> v128_t add_minimums(v128_t result, const Block *const rows[ROWS], const Tokens &tokens, int64_t token, int64_t block) {
  using Of = Format<Block>;
  if constexpr (Of::MINIMUMS == 0) {
    return result;
  } else if constexpr (Of::MINIMUMS == 1) {
    return add_product(result, Of::minimum_scales(rows), wasm_v128_load32_splat(tokens.sums_of(token) + block));
  } else {
    v128_t products[ROWS];
    for (int row = 0; row < ROWS; row++) products[row] = dot_minimums(*rows[row], tokens.group_sums_of(token) + block * Of::MINIMUMS);
    const v128_t scales = wasm_f32x4_mul(Of::minimum_scales(rows), wasm_v128_load32_splat(tokens.scales_of(token) + block));
    return add_product(result, wasm_f32x4_convert_i32x4(sums_of(products)), scales);
  }
}

// Fetches the blocks that are `ahead` bytes further. With blocks of 32 that takes longer than it saves.
template <class Block> v128_t multiply_four_rows(const Block *rows[ROWS], int64_t ahead, const Tokens &tokens, int64_t token) {
  using Of = Format<Block>;
  const int16_t *numbers = tokens.numbers_of(token);
  const float *token_scales = tokens.scales_of(token);
  const int64_t blocks = tokens.width / Of::NUMBERS;
  v128_t result = wasm_f32x4_splat(0);
  for (int64_t block = 0; block < blocks; block++) {
    if constexpr (Of::NUMBERS > 32) {
      for (int row = 0; row < ROWS; row++) fetch((const char *)rows[row] + ahead, sizeof(Block));
    }
    v128_t products[ROWS];
    dot_four_blocks(rows, numbers + block * Of::NUMBERS, products);
    const v128_t scales = wasm_f32x4_mul(Of::scales(rows), wasm_v128_load32_splat(token_scales + block));
    result = add_product(result, wasm_f32x4_convert_i32x4(sums_of(products)), scales);
    result = add_minimums(result, rows, tokens, token, block);
    for (int row = 0; row < ROWS; row++) rows[row]++;
  }
  return result;
}

template <class Block> void multiply_one_token(const Weights &weights, int64_t first, int64_t end, const Tokens &tokens, const Products &products) {
  for (int64_t row = first; row < end; row += ROWS) {
    const Block *rows[ROWS];
    weights.four_rows(row, rows);
    const int64_t ahead = row + 2 * ROWS <= weights.rows ? ROWS * weights.row_bytes : 0;
    products.store(multiply_four_rows(rows, ahead, tokens, 0), 0, row);
  }
}
