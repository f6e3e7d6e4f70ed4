// many-tokens.h: part of products.h, for prompts and blocks of 256.
#pragma once

#include <vector>

// Four rows of weights, unpacked. Numbers are multiplied by the integers of their groups, so that a block has one
// scale. The scales of the rows are side by side.
struct Panel {
  std::vector<int16_t> numbers;
  std::vector<float> scales;
  // Row after row.
  std::vector<int16_t> minimums;
  std::vector<float> minimum_scales;
};

inline void store_sixteen(v128_t numbers, int16_t *to) {
  wasm_v128_store(to, wasm_i16x8_extend_low_i8x16(numbers));
  wasm_v128_store(to + 8, wasm_i16x8_extend_high_i8x16(numbers));
}

inline void multiply_sixteen(int16_t *numbers, int16_t factor) {
  for (int i = 0; i < 16; i += 8) wasm_v128_store(numbers + i, wasm_i16x8_mul(wasm_v128_load(numbers + i), wasm_i16x8_splat(factor)));
}

template <class Block> void unpack_numbers(const Block &block, int16_t *to) {
  using Of = Format<Block>;
  for (int step = 0; step < Of::NUMBERS / Of::STEP; step++) {
    repeat<Of::STEP / 16>([&](auto i) __attribute__((always_inline)) { store_sixteen(Of::sixteen(block, step, i), to + Of::STEP * step + 16 * i); });
  }
  int16_t scales[16];
  Of::group_scales(block).store(scales);
  for (int i = 0; i < Of::NUMBERS / 16; i++) multiply_sixteen(to + 16 * i, scales[16 * i / Of::GROUP]);
}

// Unpacks block number `block` of four rows, of `blocks`.
template <class Block> void unpack_blocks(const Block *const rows[ROWS], int64_t block, int64_t blocks, Panel &panel) {
  using Of = Format<Block>;
  for (int row = 0; row < ROWS; row++) unpack_numbers(*rows[row], &panel.numbers[(row * blocks + block) * Of::NUMBERS]);
  wasm_v128_store(&panel.scales[block * ROWS], Of::scales(rows));
  if constexpr (Of::MINIMUMS > 0) {
    wasm_v128_store(&panel.minimum_scales[block * ROWS], Of::minimum_scales(rows));
    for (int row = 0; row < ROWS; row++) {
      const GroupIntegers minimums = Of::group_minimums(*rows[row]);
      int16_t *to = &panel.minimums[(row * blocks + block) * Of::MINIMUMS];
      wasm_v128_store(to, minimums.first);
      if (Of::MINIMUMS > 8) wasm_v128_store(to + 8, minimums.second);
    }
  }
}

template <class Block> void unpack_panel(const Block *rows[ROWS], int64_t blocks, Panel &panel) {
  using Of = Format<Block>;
  panel.numbers.resize(ROWS * blocks * Of::NUMBERS);
  panel.scales.resize(ROWS * blocks);
  panel.minimums.resize(ROWS * blocks * Of::MINIMUMS);
  panel.minimum_scales.resize(ROWS * blocks);
  for (int64_t block = 0; block < blocks; block++) {
    unpack_blocks(rows, block, blocks, panel);
    for (int row = 0; row < ROWS; row++) rows[row]++;
  }
}

// The products of `NUMBERS` numbers of four rows and of `COUNT` tokens. Rows and tokens are `distance` apart.
template <int COUNT, int NUMBERS> void dot_four_rows(const int16_t *rows, const int16_t *tokens, int64_t distance, v128_t products[COUNT]) {
  v128_t sums[COUNT][ROWS];
#pragma unroll
  for (int at = 0; at < NUMBERS && at < 32; at += 8) {
    v128_t token[COUNT];
    for (int i = 0; i < COUNT; i++) token[i] = wasm_v128_load(tokens + i * distance + at);
    for (int row = 0; row < ROWS; row++) {
      const v128_t weights = wasm_v128_load(rows + row * distance + at);
      for (int i = 0; i < COUNT; i++) {
        const v128_t product = wasm_i32x4_dot_i16x8(weights, token[i]);
        sums[i][row] = at == 0 ? product : wasm_i32x4_add(sums[i][row], product);
      }
    }
  }
  for (int start = 32; start < NUMBERS; start += 8) {
    v128_t token[COUNT];
    for (int i = 0; i < COUNT; i++) token[i] = wasm_v128_load(tokens + i * distance + start);
    for (int row = 0; row < ROWS; row++) {
      const v128_t weights = wasm_v128_load(rows + row * distance + start);
      for (int i = 0; i < COUNT; i++) sums[i][row] = wasm_i32x4_add(sums[i][row], wasm_i32x4_dot_i16x8(weights, token[i]));
    }
  }
  for (int i = 0; i < COUNT; i++) products[i] = wasm_f32x4_convert_i32x4(sums_of(sums[i]));
}

// Multiplies a panel with `COUNT` tokens from `first` on.
template <class Block, int COUNT> void multiply_panel(const Panel &panel, const Tokens &tokens, int64_t first, v128_t results[COUNT]) {
  using Of = Format<Block>;
  const int64_t width = tokens.width, blocks = tokens.blocks();
  for (int i = 0; i < COUNT; i++) results[i] = wasm_f32x4_splat(0);
  for (int64_t block = 0; block < blocks; block++) {
    const v128_t scales = wasm_v128_load(&panel.scales[block * ROWS]);
    v128_t products[COUNT];
    dot_four_rows<COUNT, Of::NUMBERS>(&panel.numbers[block * Of::NUMBERS], tokens.numbers_of(first) + block * Of::NUMBERS, width, products);
    for (int i = 0; i < COUNT; i++) {
      results[i] = add_product(results[i], products[i], wasm_f32x4_mul(scales, wasm_v128_load32_splat(tokens.scales_of(first + i) + block)));
    }
    if constexpr (Of::MINIMUMS > 0) {
      const v128_t minimum_scales = wasm_v128_load(&panel.minimum_scales[block * ROWS]);
      dot_four_rows<COUNT, Of::MINIMUMS>(&panel.minimums[block * Of::MINIMUMS], tokens.group_sums_of(first) + block * Of::MINIMUMS, blocks * Of::MINIMUMS, products);
      for (int i = 0; i < COUNT; i++) {
        results[i] = add_product(results[i], products[i], wasm_f32x4_mul(minimum_scales, wasm_v128_load32_splat(tokens.scales_of(first + i) + block)));
      }
    }
  }
}

template <class Block, int COUNT> void multiply_panel(const Panel &panel, const Tokens &tokens, int64_t first, int64_t row, const Products &products) {
  v128_t results[COUNT];
  multiply_panel<Block, COUNT>(panel, tokens, first, results);
  for (int i = 0; i < COUNT; i++) products.store(results[i], first + i, row);
}

template <class Block> void multiply_panels(const Weights &weights, int64_t first, int64_t end, const Tokens &tokens, const Products &products) {
  thread_local Panel panel;
  for (int64_t row = first; row < end; row += ROWS) {
    const Block *rows[ROWS];
    weights.four_rows(row, rows);
    unpack_panel(rows, tokens.blocks(), panel);
    int64_t token = 0;
    for (; token + 2 <= tokens.count; token += 2) multiply_panel<Block, 2>(panel, tokens, token, row, products);
    if (token < tokens.count) multiply_panel<Block, 1>(panel, tokens, token, row, products);
  }
}

template <class Block> void multiply_many_tokens(const Weights &weights, int64_t first, int64_t end, const Tokens &tokens, const Products &products) {
  if constexpr (Format<Block>::NUMBERS == 32) {
    multiply_rows_interleaved<Block>(first, end, tokens, products, [&](int64_t row, Interleaved &to) { interleave<Block>(weights, row, tokens.blocks(), to); });
  } else {
    multiply_panels<Block>(weights, first, end, tokens, products);
  }
}
