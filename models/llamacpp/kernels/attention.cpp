// attention.cpp: attention with keys and values that are floats, in place of ggml's own.
//
// Queries of heads that share keys and values are computed together, so each key and value is converted once for up to
// four of them. The numbers of a query are added in the same order whatever is computed beside it: a token has the same
// bits alone, in a batch and in a prompt.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <type_traits>
#include <vector>

#include "floats.h"
#include "ggml-cpu-impl.h"

namespace {

// Queries that are computed together.
const int QUERIES = 4;
// Tokens whose queries one thread takes at once.
const int TOKENS = 4;
// Positions whose scores are computed before their values are added.
const int TILE = 64;

// A vector of equal floats, see made_of.
inline v128_t float_of(float number) {
  int32_t bits;
  memcpy(&bits, &number, sizeof(bits));
  return made_of(bits);
}

// e to the power of numbers that are not above zero; 0 for those below -87. The polynomial is ggml's, from Arm's
// optimised routines.
struct Exponential {
  const v128_t lowest = float_of(-87), log2e = float_of(0x1.715476p0f), shift = float_of(0x1.8p23f);
  const v128_t high = float_of(0x1.62e4p-1f), low = float_of(0x1.7f7d1cp-20f), one = float_of(1);
  const v128_t c1 = float_of(0x1.ffffecp-1f), c2 = float_of(0x1.fffdb6p-2f), c3 = float_of(0x1.555e66p-3f), c4 = float_of(0x1.573e2ep-5f), c5 = float_of(0x1.0e4020p-7f);

  INLINE v128_t operator()(v128_t x) const {
    const v128_t bounded = wasm_f32x4_pmax(x, lowest);
    const v128_t shifted = wasm_f32x4_add(wasm_f32x4_mul(bounded, log2e), shift);
    const v128_t whole = wasm_f32x4_sub(shifted, shift);
    const v128_t rest = wasm_f32x4_sub(wasm_f32x4_sub(bounded, wasm_f32x4_mul(whole, high)), wasm_f32x4_mul(whole, low));
    const v128_t scale = wasm_i32x4_add(wasm_i32x4_shl(shifted, 23), one);
    const v128_t square = wasm_f32x4_mul(rest, rest);
    const v128_t upper = wasm_f32x4_add(wasm_f32x4_mul(c5, rest), c4), middle = wasm_f32x4_add(wasm_f32x4_mul(c3, rest), c2);
    const v128_t sum = wasm_f32x4_add(wasm_f32x4_mul(wasm_f32x4_add(wasm_f32x4_mul(upper, square), middle), square), wasm_f32x4_mul(c1, rest));
    return wasm_v128_and(wasm_f32x4_add(wasm_f32x4_mul(scale, sum), scale), wasm_f32x4_ge(x, lowest));
  }
};

// What a node of a graph computes attention with.
struct Attention {
  const ggml_tensor *queries, *keys, *values, *mask, *sinks, *result;
  float scale, largest_bias, softcap;
  int64_t heads_of_key;

  explicit Attention(const ggml_tensor *product)
      : queries(product->src[0]), keys(product->src[1]), values(product->src[2]), mask(product->src[3]), sinks(product->src[4]), result(product),
        heads_of_key(queries->ne[2] / keys->ne[2]) {
    memcpy(&scale, product->op_params, sizeof(scale));
    memcpy(&largest_bias, product->op_params + 1, sizeof(largest_bias));
    memcpy(&softcap, product->op_params + 2, sizeof(softcap));
    if (softcap != 0) scale /= softcap;
  }

  bool can_be_computed() const {
    const bool are_floats = keys->type == GGML_TYPE_F16 || keys->type == GGML_TYPE_F32;
    return queries->type == GGML_TYPE_F32 && are_floats && keys->type == values->type && keys->ne[0] % 4 == 0 && values->ne[0] % 4 == 0 &&
           keys->ne[2] == values->ne[2] && keys->ne[3] == values->ne[3] && queries->ne[3] == keys->ne[3];
  }

  // What positions are biased by in a head, if the model has no other word for where they are (ALiBi).
  float slope(int64_t head) const {
    if (largest_bias <= 0) return 1;
    const int64_t heads = 1 << (int)std::floor(std::log2(queries->ne[2]));
    return head < heads ? std::pow(std::pow(2.f, -largest_bias / heads), head + 1) : std::pow(std::pow(2.f, -largest_bias / 2 / heads), 2 * (head - heads) + 1);
  }
};

const char *at(const ggml_tensor *tensor, int64_t first, int64_t second, int64_t third) {
  return (const char *)tensor->data + first * tensor->nb[1] + second * tensor->nb[2] + third * tensor->nb[3];
}

// A query, and what was found for it in the tiles before.
struct Query {
  const float *numbers;
  // Null: nothing is masked.
  const ggml_fp16_t *mask;
  float slope;
  float *result;
  // Null: there is none.
  const float *sink;

  float largest, sum;
  // The values so far, where the largest score counts 1.
  float *values;
  // First the scores of a tile, then their weights.
  alignas(16) float weights[TILE];
};

// A vector that has the sums of two vectors in its first half.
INLINE v128_t sums_of_two(v128_t a, v128_t b) {
  const v128_t halves = wasm_f32x4_add(wasm_i32x4_shuffle(a, b, 0, 4, 2, 6), wasm_i32x4_shuffle(a, b, 1, 5, 3, 7));
  return wasm_f32x4_add(halves, wasm_i32x4_shuffle(halves, halves, 2, 3, 2, 3));
}

// The products of some queries and the keys of a tile, two at a time. After the last key comes the last one again.
template <class Number, int COUNT> void multiply_keys(const char *keys, int64_t distance, int count, int width, Query *queries) {
  for (int position = 0; position < count; position += 2) {
    const Number *first = (const Number *)(keys + position * distance);
    const Number *second = (const Number *)(keys + std::min(position + 1, count - 1) * distance);
    v128_t sums[2][COUNT];
    for (int i = 0; i < COUNT; i++) sums[0][i] = sums[1][i] = wasm_f32x4_splat(0);
#pragma clang loop unroll(disable)
    for (int start = 0; start < width; start += 4) {
      const v128_t a = load_four(first + start), b = load_four(second + start);
      for (int i = 0; i < COUNT; i++) {
        const v128_t numbers = wasm_v128_load(queries[i].numbers + start);
        sums[0][i] = wasm_f32x4_add(sums[0][i], wasm_f32x4_mul(a, numbers));
        sums[1][i] = wasm_f32x4_add(sums[1][i], wasm_f32x4_mul(b, numbers));
      }
    }
    for (int i = 0; i < COUNT; i++) wasm_v128_store64_lane(queries[i].weights + position, sums_of_two(sums[0][i], sums[1][i]), 0);
  }
}

// Adds `VECTORS` times four numbers of each value of a tile.
template <class Number, int COUNT, int VECTORS> INLINE void add_values(const char *values, int64_t distance, int count, int start, Query *queries) {
  v128_t sums[COUNT][VECTORS];
  for (int i = 0; i < COUNT; i++) {
    for (int k = 0; k < VECTORS; k++) sums[i][k] = wasm_v128_load(queries[i].values + start + 4 * k);
  }
#pragma clang loop unroll(disable)
  for (int position = 0; position < count; position++) {
    const Number *value = (const Number *)(values + position * distance) + start;
    v128_t numbers[VECTORS];
    for (int k = 0; k < VECTORS; k++) numbers[k] = load_four(value + 4 * k);
    for (int i = 0; i < COUNT; i++) {
      const v128_t weight = wasm_v128_load32_splat(queries[i].weights + position);
      for (int k = 0; k < VECTORS; k++) sums[i][k] = wasm_f32x4_add(sums[i][k], wasm_f32x4_mul(numbers[k], weight));
    }
  }
  for (int i = 0; i < COUNT; i++) {
    for (int k = 0; k < VECTORS; k++) wasm_v128_store(queries[i].values + start + 4 * k, sums[i][k]);
  }
}

template <class Number, int COUNT> void add_values(const char *values, int64_t distance, int count, int width, Query *queries) {
  int start = 0;
  for (; start + 8 <= width; start += 8) add_values<Number, COUNT, 2>(values, distance, count, start, queries);
  if (start < width) add_values<Number, COUNT, 1>(values, distance, count, start, queries);
}

void multiply(float *numbers, int count, float factor) {
  for (int i = 0; i < count; i += 4) wasm_v128_store(numbers + i, wasm_f32x4_mul(wasm_v128_load(numbers + i), wasm_f32x4_splat(factor)));
}

// How many positions of a tile there are up to the last one that a query sees. What is behind it may never have been
// written.
int seen(const Query &query, int64_t first, int count) {
  const ggml_fp16_t hidden = 0xfc00; // -infinity
  while (query.mask && count > 0 && query.mask[first + count - 1] == hidden) count--;
  return count;
}

// Adds the biases of positions. A hidden one has a bias of -infinity, which is read as -65536.
void add_mask(Query &query, int64_t first, int count) {
  const v128_t hidden = float_of(-INFINITY), lowest = float_of(-65504), slope = wasm_f32x4_splat(query.slope);
  alignas(16) ggml_fp16_t biases[TILE] = {};
  std::copy(query.mask + first, query.mask + first + count, biases);
  for (int i = 0; i < TILE; i += 4) {
    const v128_t bias = load_four(biases + i);
    const v128_t sum = wasm_f32x4_add(wasm_v128_load(query.weights + i), wasm_f32x4_mul(bias, slope));
    wasm_v128_store(query.weights + i, wasm_v128_bitselect(hidden, sum, wasm_f32x4_lt(bias, lowest)));
  }
}

// Turns the scores of a tile into weights.
void weigh(const Attention &attention, int64_t first, int count, int width, Query &query) {
  multiply(query.weights, TILE, attention.scale);
  if (attention.softcap != 0) {
    for (float &score : query.weights) score = attention.softcap * std::tanh(score);
  }
  if (query.mask) add_mask(query, first, count);
  std::fill(query.weights + count, query.weights + TILE, -INFINITY);
  v128_t largest = wasm_f32x4_splat(-INFINITY);
  for (int i = 0; i < TILE; i += 4) largest = wasm_f32x4_pmax(largest, wasm_v128_load(query.weights + i));
  float four[4];
  wasm_v128_store(four, largest);
  const float now = std::max(query.largest, *std::max_element(four, four + 4));
  if (now == -INFINITY) {
    std::fill(query.weights, query.weights + count, 0.f);
    return;
  }
  const Exponential exponential;
  if (now > query.largest) {
    const float factor = wasm_f32x4_extract_lane(exponential(wasm_f32x4_splat(query.largest - now)), 0);
    multiply(query.values, width, factor);
    query.sum *= factor;
    query.largest = now;
  }
  v128_t sums = wasm_f32x4_splat(0);
  for (int i = 0; i < TILE; i += 4) {
    const v128_t weights = exponential(wasm_f32x4_sub(wasm_v128_load(query.weights + i), wasm_f32x4_splat(now)));
    wasm_v128_store(query.weights + i, weights);
    sums = wasm_f32x4_add(sums, weights);
  }
  wasm_v128_store(four, sums);
  query.sum += (four[0] + four[1]) + (four[2] + four[3]);
}

template <class Number, int COUNT> void attend(const Attention &attention, int64_t key_head, int64_t batch, Query *queries) {
  const ggml_tensor *keys = attention.keys, *values = attention.values;
  for (int64_t first = 0; first < keys->ne[1]; first += TILE) {
    int count = 0;
    for (int i = 0; i < COUNT; i++) count = std::max(count, seen(queries[i], first, std::min<int64_t>(TILE, keys->ne[1] - first)));
    if (count == 0) continue;
    multiply_keys<Number, COUNT>(at(keys, first, key_head, batch), keys->nb[1], count, keys->ne[0], queries);
    for (int i = 0; i < COUNT; i++) weigh(attention, first, count, values->ne[0], queries[i]);
    add_values<Number, COUNT>(at(values, first, key_head, batch), values->nb[1], count, values->ne[0], queries);
  }
}

void finish(const Query &query, int width) {
  float sum = query.sum, factor = 1;
  if (query.sink) {
    const float largest = std::max(query.largest, *query.sink);
    factor = std::exp(query.largest - largest);
    sum = sum * factor + std::exp(*query.sink - largest);
  }
  multiply(query.values, width, sum == 0 ? 0 : factor / sum);
  std::copy(query.values, query.values + width, query.result);
}

// Computes what some tokens see in the heads that share a key's.
template <class Number> void attend(const Attention &attention, int64_t key_head, int64_t batch, int64_t first_token, int64_t end_token) {
  const int width = attention.values->ne[0];
  thread_local std::vector<float> values;
  values.resize(QUERIES * width);
  const int64_t all = (end_token - first_token) * attention.heads_of_key;
  for (int64_t first = 0; first < all; first += QUERIES) {
    const int count = std::min<int64_t>(QUERIES, all - first);
    std::fill(values.begin(), values.end(), 0.f);
    Query queries[QUERIES];
    for (int i = 0; i < count; i++) {
      const int64_t token = first_token + (first + i) / attention.heads_of_key, head = key_head * attention.heads_of_key + (first + i) % attention.heads_of_key;
      const ggml_tensor *mask = attention.mask;
      queries[i].numbers = (const float *)at(attention.queries, token, head, batch);
      queries[i].mask = mask ? (const ggml_fp16_t *)at(mask, token, head % mask->ne[2], batch % mask->ne[3]) : nullptr;
      queries[i].slope = attention.slope(head);
      // A result has the heads of a token side by side.
      queries[i].result = (float *)at(attention.result, head, token, batch);
      queries[i].sink = attention.sinks ? (const float *)attention.sinks->data + head : nullptr;
      queries[i].largest = -INFINITY;
      queries[i].sum = 0;
      queries[i].values = &values[i * width];
    }
    repeat<QUERIES>([&](auto i) {
      if (count == i + 1) attend<Number, i + 1>(attention, key_head, batch, queries);
    });
    for (int i = 0; i < count; i++) finish(queries[i], width);
  }
}

} // namespace

// Computes a node of a graph. Returns false if ggml has to do it.
bool lc_attend(const ggml_compute_params *params, const ggml_tensor *product) {
  const Attention attention(product);
  if (!attention.can_be_computed()) return false;
  const int64_t tokens = attention.queries->ne[1], heads = attention.keys->ne[2];
  const int64_t parts = (tokens + TOKENS - 1) / TOKENS, all = parts * heads * attention.keys->ne[3];
  if (params->ith == 0) ggml_threadpool_chunk_set(params->threadpool, params->nth);
  ggml_barrier(params->threadpool);
  for (int64_t i = params->ith; i < all; i = ggml_threadpool_chunk_add(params->threadpool, 1)) {
    const int64_t first = i % parts * TOKENS;
    const auto compute = [&](auto *number) { attend<std::remove_pointer_t<decltype(number)>>(attention, i / parts % heads, i / parts / heads, first, std::min(first + TOKENS, tokens)); };
    if (attention.keys->type == GGML_TYPE_F16) compute((ggml_fp16_t *)nullptr);
    else compute((float *)nullptr);
  }
  return true;
}
