// products.h: multiplies rows of weights with tokens.
#pragma once

#include <algorithm>

#include "formats.h"
#include "tokens.h"

// Some rows of weights, one below the other.
struct Weights {
  const char *bytes;
  int64_t rows;
  // From one row to the next.
  int64_t row_bytes;

  // Four rows. After the last one comes the last one again.
  template <class Block> void four_rows(int64_t first, const Block *found[ROWS]) const {
    for (int i = 0; i < ROWS; i++) found[i] = (const Block *)(bytes + std::min(first + i, rows - 1) * row_bytes);
  }
};

// Where the products go: of each token, one for each row.
struct Products {
  float *values;
  // Values from one token to the next.
  int64_t distance;
  int64_t rows;

  // Stores what four rows, or the last ones, gave for a token.
  void store(v128_t products, int64_t token, int64_t row) const {
    float four[ROWS];
    wasm_v128_store(four, products);
    std::copy(four, four + std::min<int64_t>(rows - row, ROWS), values + token * distance + row);
  }
};

// Multiplies the rows from `first` up to `end` with tokens. The weights are unpacked in registers, for each token.
template <class Block> void multiply_each_token(const Weights &weights, int64_t first, int64_t end, const Tokens &tokens, const Products &products);

// Multiplies them with many tokens. The weights are unpacked once for all.
template <class Block> void multiply_all_tokens(const Weights &weights, int64_t first, int64_t end, const Tokens &tokens, const Products &products);

#include "one-token.h"
#include "many-tokens.h"
