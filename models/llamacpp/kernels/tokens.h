// tokens.h: the tokens of a batch as numbers of 16 bits, which WebAssembly can multiply.
#pragma once

#include <cstdint>
#include <vector>

struct Tokens {
  int64_t count = 0;
  // Numbers of a token.
  int64_t width = 0;
  // Numbers that have one scale.
  int block = 0;
  // Sums of a block: of all its numbers, or of each of its groups.
  int sums_of_block = 0;
  // Token after token.
  std::vector<int16_t> numbers;
  std::vector<float> scales;
  // The sums of the numbers of each group.
  std::vector<int16_t> group_sums;
  // The sum of each block's numbers, if it has 32, and that multiplied by the scale.
  std::vector<int32_t> totals;
  std::vector<float> sums;
  // What repacked.h makes of several tokens: two numbers of each, then the next two.
  std::vector<int32_t> pairs;

  int64_t blocks() const { return width / block; }
  const int16_t *numbers_of(int64_t token) const { return &numbers[token * width]; }
  const float *scales_of(int64_t token) const { return &scales[token * blocks()]; }
  const float *sums_of(int64_t token) const { return &sums[token * blocks()]; }
  const int16_t *group_sums_of(int64_t token) const { return &group_sums[token * blocks() * sums_of_block]; }
};

// Reads `tokens.count` tokens of ggml's type `type`, whose distance is in blocks. Returns false if these weights need
// another type.
bool read_tokens(int type, const void *blocks, int64_t distance, Tokens &tokens);
