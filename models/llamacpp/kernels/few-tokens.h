// few-tokens.h: part of products.h, for less than `MANY` tokens.
#pragma once

// Each block of four rows is unpacked, and multiplied with all tokens while it is in the processor's nearest cache. For
// each token, the same numbers are added in the same order as in one-token.h, so the results are equal bit for bit.
template <class Block> void multiply_few_tokens(const Weights &weights, int64_t first, int64_t end, const Tokens &tokens, const Products &products) {
  thread_local Panel panel;
  resize<Block>(panel, 1);
  for (int64_t row = first; row < end; row += ROWS) {
    const Block *rows[ROWS];
    weights.four_rows(row, rows);
    v128_t results[MANY];
    for (int i = 0; i < tokens.count; i++) results[i] = wasm_f32x4_splat(0);
    for (int64_t block = 0; block < tokens.blocks(); block++) {
      unpack_blocks(rows, 0, 1, panel);
      for (int i = 0; i < ROWS; i++) rows[i]++;
      int64_t token = 0;
      for (; token + 2 <= tokens.count; token += 2) add_block<Block, 2>(panel, 0, 1, tokens, token, block, results + token);
      if (token < tokens.count) add_block<Block, 1>(panel, 0, 1, tokens, token, block, results + token);
    }
    for (int64_t token = 0; token < tokens.count; token++) products.store(results[token], token, row);
  }
}
