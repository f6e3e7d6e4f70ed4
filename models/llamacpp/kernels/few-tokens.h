// few-tokens.h: part of products.h, for less than `MANY` tokens.
//
// A block of four rows is unpacked once for all tokens. For each token, the same floats are added in the same order as
// in one-token.h, so the results are equal bit for bit. The order of integers changes nothing.
#pragma once

// The numbers of a block of 32, of four rows.
template <class Block> INLINE void unpack_small(const Block *const rows[ROWS], v128_t numbers[ROWS][4]) {
  for (int row = 0; row < ROWS; row++) {
    repeat<2>([&](auto i) __attribute__((always_inline)) {
      const v128_t sixteen = Format<Block>::sixteen(*rows[row], 0, i);
      numbers[row][2 * i] = wasm_i16x8_extend_low_i8x16(sixteen);
      numbers[row][2 * i + 1] = wasm_i16x8_extend_high_i8x16(sixteen);
    });
  }
}

// The products of such a block and a token.
INLINE v128_t dot_unpacked(const v128_t numbers[ROWS][4], const int16_t *token) {
  v128_t sums[ROWS];
  for (int i = 0; i < 4; i++) {
    const v128_t eight = wasm_v128_load(token + 8 * i);
    for (int row = 0; row < ROWS; row++) {
      const v128_t product = wasm_i32x4_dot_i16x8(numbers[row][i], eight);
      sums[row] = i == 0 ? product : wasm_i32x4_add(sums[row], product);
    }
  }
  return wasm_f32x4_convert_i32x4(sums_of(sums));
}

// For blocks of 32. The number of tokens is a constant, so that the numbers of a block need no array: V8 keeps in
// registers what it can, and the rest where it need not compute addresses.
template <class Block, int COUNT> void multiply_small_blocks(const Weights &weights, int64_t first, int64_t end, const Tokens &tokens, const Products &products) {
  using Of = Format<Block>;
  const int blocks = tokens.blocks(), width = tokens.width;
  for (int64_t row = first; row < end; row += ROWS) {
    const Block *rows[ROWS];
    weights.four_rows(row, rows);
    const int16_t *numbers = tokens.numbers.data();
    const float *token_scales = tokens.scales.data(), *sums = tokens.sums.data();
    v128_t results[COUNT];
    for (int token = 0; token < COUNT; token++) results[token] = wasm_f32x4_splat(0);
    for (int block = 0; block < blocks; block++) {
      v128_t unpacked[ROWS][4];
      unpack_small(rows, unpacked);
      const v128_t scales = Of::scales(rows);
      v128_t minimums;
      if constexpr (Of::MINIMUMS > 0) minimums = Of::minimum_scales(rows);
      repeat<COUNT>([&](auto token) __attribute__((always_inline)) {
        const v128_t dots = dot_unpacked(unpacked, numbers + token * width);
        results[token] = add_product(results[token], dots, wasm_f32x4_mul(scales, wasm_v128_load32_splat(token_scales + token * blocks)));
        if constexpr (Of::MINIMUMS > 0) results[token] = add_product(results[token], minimums, wasm_v128_load32_splat(sums + token * blocks));
      });
      for (int i = 0; i < ROWS; i++) rows[i]++;
      numbers += Of::NUMBERS;
      token_scales++;
      sums++;
    }
    for (int token = 0; token < COUNT; token++) products.store(results[token], token, row);
  }
}

// Four rows of a block of 256, unpacked: four numbers of the first row and four of the second, then of the others, then
// the next four numbers. Numbers are multiplied by the integers of their groups.
template <class Block> struct Quartets {
  using Of = Format<Block>;
  alignas(16) int16_t numbers[ROWS * Of::NUMBERS];
  alignas(16) int16_t minimums[ROWS * (Of::MINIMUMS > 0 ? Of::MINIMUMS : 1)];
};

template <class Block> INLINE void unpack_numbers(const Block *const rows[ROWS], Quartets<Block> &to) {
  using Of = Format<Block>;
  int16_t scales[ROWS][16];
  for (int row = 0; row < ROWS; row++) Of::group_scales(*rows[row]).store(scales[row]);
#pragma clang loop unroll(disable)
  for (int step = 0; step < Of::NUMBERS / Of::STEP; step++) {
    repeat<Of::STEP / 16>([&](auto i) __attribute__((always_inline)) {
      const int group = (Of::STEP * step + 16 * i) / Of::GROUP;
      for (int row = 0; row < ROWS; row += 2) {
        const v128_t a = Of::sixteen(*rows[row], step, i), b = Of::sixteen(*rows[row + 1], step, i);
        const v128_t factors = wasm_i64x2_shuffle(wasm_i16x8_splat(scales[row][group]), wasm_i16x8_splat(scales[row + 1][group]), 0, 2);
        const v128_t first = wasm_i32x4_shuffle(a, b, 0, 4, 1, 5), second = wasm_i32x4_shuffle(a, b, 2, 6, 3, 7);
        int16_t *at = to.numbers + ROWS * (Of::STEP * step + 16 * i) + 4 * row;
        wasm_v128_store(at, wasm_i16x8_mul(wasm_i16x8_extend_low_i8x16(first), factors));
        wasm_v128_store(at + 16, wasm_i16x8_mul(wasm_i16x8_extend_high_i8x16(first), factors));
        wasm_v128_store(at + 32, wasm_i16x8_mul(wasm_i16x8_extend_low_i8x16(second), factors));
        wasm_v128_store(at + 48, wasm_i16x8_mul(wasm_i16x8_extend_high_i8x16(second), factors));
      }
    });
  }
}

template <class Block> INLINE void unpack_minimums(const Block *const rows[ROWS], Quartets<Block> &to) {
  for (int row = 0; row < ROWS; row += 2) {
    const GroupIntegers a = Format<Block>::group_minimums(*rows[row]), b = Format<Block>::group_minimums(*rows[row + 1]);
    int16_t *at = to.minimums + 4 * row;
    wasm_v128_store(at, wasm_i64x2_shuffle(a.first, b.first, 0, 2));
    wasm_v128_store(at + 16, wasm_i64x2_shuffle(a.first, b.first, 1, 3));
    if (Format<Block>::MINIMUMS == 8) continue;
    wasm_v128_store(at + 32, wasm_i64x2_shuffle(a.second, b.second, 0, 2));
    wasm_v128_store(at + 48, wasm_i64x2_shuffle(a.second, b.second, 1, 3));
  }
}

// The products of `NUMBERS` numbers of four rows and of `COUNT` tokens.
template <int COUNT, int NUMBERS> INLINE void dot_quartets(const int16_t *rows, const int16_t *tokens, int distance, v128_t products[COUNT]) {
  v128_t first[COUNT], second[COUNT];
  for (int i = 0; i < COUNT; i++) first[i] = second[i] = wasm_i32x4_splat(0);
#pragma clang loop unroll(disable)
  for (int start = 0; start < NUMBERS; start += 8) {
    for (int at = start; at < start + 8; at += 4) {
      const v128_t a = wasm_v128_load(rows + ROWS * at), b = wasm_v128_load(rows + ROWS * at + 8);
      for (int i = 0; i < COUNT; i++) {
        const v128_t token = wasm_v128_load64_splat(tokens + i * distance + at);
        first[i] = wasm_i32x4_add(first[i], wasm_i32x4_dot_i16x8(a, token));
        second[i] = wasm_i32x4_add(second[i], wasm_i32x4_dot_i16x8(b, token));
      }
    }
  }
  for (int i = 0; i < COUNT; i++) {
    const v128_t sums = wasm_i32x4_add(wasm_i32x4_shuffle(first[i], second[i], 0, 2, 4, 6), wasm_i32x4_shuffle(first[i], second[i], 1, 3, 5, 7));
    products[i] = wasm_f32x4_convert_i32x4(sums);
  }
}

// For blocks of 256, whose numbers are too many for registers.
template <class Block> void multiply_large_blocks(const Weights &weights, int64_t first, int64_t end, const Tokens &tokens, const Products &products) {
  using Of = Format<Block>;
  const int blocks = tokens.blocks(), width = tokens.width, count = tokens.count;
  for (int64_t row = first; row < end; row += ROWS) {
    const Block *rows[ROWS];
    weights.four_rows(row, rows);
    const int16_t *numbers = tokens.numbers.data(), *group_sums = tokens.group_sums.data();
    const float *scales_of_tokens = tokens.scales.data();
    v128_t results[MANY];
    for (int token = 0; token < count; token++) results[token] = wasm_f32x4_splat(0);
    for (int block = 0; block < blocks; block++) {
      Quartets<Block> unpacked;
      unpack_numbers(rows, unpacked);
      const v128_t scales = Of::scales(rows);
      v128_t minimum_scales;
      if constexpr (Of::MINIMUMS > 0) {
        unpack_minimums(rows, unpacked);
        minimum_scales = Of::minimum_scales(rows);
      }
      const auto multiply = [&](auto constant, int first_token) __attribute__((always_inline)) {
        const int COUNT = constant;
        v128_t dots[COUNT], token_scales[COUNT];
        dot_quartets<COUNT, Of::NUMBERS>(unpacked.numbers, numbers + first_token * width, width, dots);
        for (int i = 0; i < COUNT; i++) {
          v128_t &result = results[first_token + i];
          token_scales[i] = wasm_v128_load32_splat(scales_of_tokens + (first_token + i) * blocks);
          result = add_product(result, dots[i], wasm_f32x4_mul(scales, token_scales[i]));
        }
        if constexpr (Of::MINIMUMS > 0) {
          const int distance = blocks * Of::MINIMUMS;
          dot_quartets<COUNT, Of::MINIMUMS>(unpacked.minimums, group_sums + first_token * distance, distance, dots);
          for (int i = 0; i < COUNT; i++) {
            v128_t &result = results[first_token + i];
            result = add_product(result, dots[i], wasm_f32x4_mul(minimum_scales, token_scales[i]));
          }
        }
      };
      int token = 0;
      for (; token + 4 <= count; token += 4) multiply(std::integral_constant<int, 4>(), token);
      repeat<3>([&](auto i) __attribute__((always_inline)) {
        if (count - token == i + 1) multiply(std::integral_constant<int, i + 1>(), token);
      });
      for (int i = 0; i < ROWS; i++) rows[i]++;
      numbers += Of::NUMBERS;
      group_sums += Of::MINIMUMS;
      scales_of_tokens++;
    }
    for (int token = 0; token < count; token++) products.store(results[token], token, row);
  }
}

template <class Block> void multiply_few_tokens(const Weights &weights, int64_t first, int64_t end, const Tokens &tokens, const Products &products) {
  if constexpr (Format<Block>::NUMBERS == 32) {
    repeat<MANY - 2>([&](auto i) {
      if (tokens.count == i + 2) multiply_small_blocks<Block, i + 2>(weights, first, end, tokens, products);
    });
  } else {
    multiply_large_blocks<Block>(weights, first, end, tokens, products);
  }
}
