#include "tokens.h"

#include <algorithm>
#include <numeric>

#include "ggml.h"
#include "simd.h"

#define GGML_COMMON_DECL_C
#include "ggml-common.h"

namespace {

// Where the parts of a block go.
struct Place {
  int16_t *numbers;
  float &scale;
  int32_t &total;
  float &sum;
  int16_t *group_sums;
};

template <class Block> void read_small(const Block &block, const Place &to) {
  std::copy(block.qs, block.qs + sizeof(block.qs), to.numbers);
  to.scale = widen_half(block.d);
  to.total = std::accumulate(to.numbers, to.numbers + sizeof(block.qs), 0);
}

void read_block(const block_q8_0 &block, const Place &to, int) { read_small(block, to); }

void read_block(const block_q8_1 &block, const Place &to, int) {
  read_small(block, to);
  to.sum = widen_half(block.s);
}

void read_block(const block_q8_K &block, const Place &to, int sums) {
  std::copy(block.qs, block.qs + QK_K, to.numbers);
  to.scale = block.d;
  if (sums == 16) std::copy(block.bsums, block.bsums + 16, to.group_sums);
  for (int i = 0; sums == 8 && i < 8; i++) to.group_sums[i] = (int16_t)(block.bsums[2 * i] + block.bsums[2 * i + 1]);
}

// The numbers of a block are as large as 16 bits allow. Products with weights of 8 bits do not overflow.
const float LARGEST = 32767;

float largest_of(const float *values, int count) {
  v128_t largest = wasm_f32x4_splat(0);
  for (int i = 0; i < count; i += 4) largest = wasm_f32x4_max(largest, wasm_f32x4_abs(wasm_v128_load(values + i)));
  float four[4];
  wasm_v128_store(four, largest);
  return *std::max_element(four, four + 4);
}

v128_t rounded(const float *values, v128_t factor) {
  return wasm_i32x4_trunc_sat_f32x4(wasm_f32x4_nearest(wasm_f32x4_mul(wasm_v128_load(values), factor)));
}

void round_block(const float *values, int count, const Place &to) {
  const float largest = largest_of(values, count);
  const v128_t factor = wasm_f32x4_splat(largest > 0 ? LARGEST / largest : 0);
  v128_t sums = wasm_i32x4_splat(0);
  for (int i = 0; i < count; i += 8) {
    const v128_t first = rounded(values + i, factor), second = rounded(values + i + 4, factor);
    wasm_v128_store(to.numbers + i, wasm_i16x8_narrow_i32x4(first, second));
    sums = wasm_i32x4_add(sums, wasm_i32x4_add(first, second));
  }
  int32_t four[4];
  wasm_v128_store(four, sums);
  to.scale = largest / LARGEST;
  to.total = four[0] + four[1] + four[2] + four[3];
  to.sum = to.scale * (float)to.total;
}

// Makes room for the numbers of all tokens.
void resize(Tokens &tokens) {
  const int64_t count = tokens.count * tokens.blocks();
  tokens.numbers.resize(tokens.count * tokens.width);
  tokens.scales.resize(count);
  tokens.totals.resize(count);
  tokens.sums.resize(count);
  tokens.group_sums.resize(count * tokens.sums_of_block);
}

Place place_of(Tokens &tokens, int64_t block) {
  return {&tokens.numbers[block * tokens.block], tokens.scales[block], tokens.totals[block], tokens.sums[block], tokens.group_sums.data() + block * tokens.sums_of_block};
}

// Blocks of 256 weights have numbers and sums for which this would be too large: ggml makes 8 bits of their tokens.
bool read_floats(const float *values, int64_t distance, Tokens &tokens) {
  if (tokens.block != 32) return false;
  resize(tokens);
  for (int64_t i = 0; i < tokens.count * tokens.blocks(); i++) {
    const float *block = values + i / tokens.blocks() * distance + i % tokens.blocks() * tokens.block;
    round_block(block, tokens.block, place_of(tokens, i));
  }
  return true;
}

template <class Block> bool read_all(const void *blocks, int64_t distance, Tokens &tokens) {
  if (sizeof(Block::qs) != tokens.block) return false;
  resize(tokens);
  for (int64_t i = 0; i < tokens.count * tokens.blocks(); i++) {
    const Block &block = ((const Block *)blocks)[i / tokens.blocks() * distance + i % tokens.blocks()];
    read_block(block, place_of(tokens, i), tokens.sums_of_block);
  }
  return true;
}

} // namespace

bool read_tokens(int type, const void *blocks, int64_t distance, Tokens &tokens) {
  switch (type) {
  case GGML_TYPE_F32: return read_floats((const float *)blocks, distance, tokens);
  case GGML_TYPE_Q8_0: return read_all<block_q8_0>(blocks, distance, tokens);
  case GGML_TYPE_Q8_1: return read_all<block_q8_1>(blocks, distance, tokens);
  case GGML_TYPE_Q8_K: return read_all<block_q8_K>(blocks, distance, tokens);
  default: return false;
  }
}
