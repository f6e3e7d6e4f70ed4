// products.h: multiplies rows of weights with tokens.
#pragma once

#include <algorithm>

#include "formats.h"
#include "tokens.h"

// Some rows of weights, one below the other.
struct Weights {
  const char *bytes;
  int64_t rows;
  // The distance from one row to the next.
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

// Reads a word of each line of `bytes` bytes that are needed soon. A processor's own prefetching comes too late for
// weights in more than one stream, or with much to compute between two lines.
INLINE void fetch(const void *from, int bytes) {
  for (int line = 0; line < bytes; line += 64) (void)*(const volatile int32_t *)((const char *)from + line);
}

// From this many tokens on, it pays to unpack whole rows of weights into memory.
const int64_t MANY = 9;

// Each of these multiplies the rows from `first` up to `end` with tokens. All give the same bits.

// Multiplies them with one token. The weights are unpacked in registers.
template <class Block> void multiply_one_token(const Weights &weights, int64_t first, int64_t end, const Tokens &tokens, const Products &products);

// Multiplies them with less than `MANY` tokens. A block of weights is unpacked once for all.
template <class Block> void multiply_few_tokens(const Weights &weights, int64_t first, int64_t end, const Tokens &tokens, const Products &products);

// Multiplies them with any number of tokens. A row of weights is unpacked once for all.
template <class Block> void multiply_many_tokens(const Weights &weights, int64_t first, int64_t end, const Tokens &tokens, const Products &products);

// Multiplies rows that are repacked with any number of tokens.
template <class Block> void multiply_repacked(const Weights &weights, int64_t first, int64_t end, const Tokens &tokens, const Products &products);

#include "one-token.h"
#include "few-tokens.h"
#include "interleaved.h"
#include "many-tokens.h"
#include "repacked.h"
