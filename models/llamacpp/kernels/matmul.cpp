// matmul.cpp: where ggml calls our kernels.
//
// ggml's own kernels for WebAssembly compute the product of one row of weights and one token, and unpack both each
// time. ggml calls this function in place of llamafile's, so it needs no change for it: first with the tokens as they
// are, and, if it cannot take these, with tokens that it has rounded to 8 bits.
#include <cstring>
#include <type_traits>

#include "floats.h"
#include "ggml-cpu-impl.h"
#include "products.h"
#include "repacking.h"

namespace {

// Rows that a thread takes at once.
const int64_t CHUNK = 32;

// Calls a function with the first row of each chunk and the row after its last one, where this thread takes it.
template <class Multiply> void for_chunks(const ggml_compute_params *params, int64_t rows, Multiply multiply) {
  if (params->ith == 0) ggml_threadpool_chunk_set(params->threadpool, params->nth);
  ggml_barrier(params->threadpool);
  for (int64_t chunk = params->ith; chunk * CHUNK < rows; chunk = ggml_threadpool_chunk_add(params->threadpool, 1)) {
    multiply(chunk * CHUNK, std::min((chunk + 1) * CHUNK, rows));
  }
  ggml_barrier(params->threadpool);
}

struct Call {
  const ggml_compute_params *params;
  int64_t rows;
  int64_t count;
  // How many blocks a row has. A float is a block of its own.
  int64_t blocks;
  const void *weights;
  // This distance is in blocks.
  int64_t weights_distance;
  const void *tokens;
  int tokens_type;
  int64_t tokens_distance;
  float *products;
  int64_t products_distance;

  template <class Block> Weights rows_of() const { return {(const char *)weights, rows, weights_distance * (int64_t)sizeof(Block)}; }
  Products place() const { return {products, products_distance, rows}; }
};

// Reads the tokens, unless these weights need another type.
template <class Block> bool read(const Call &call, Tokens &tokens) {
  tokens.count = call.count;
  tokens.width = call.blocks * Format<Block>::NUMBERS;
  tokens.block = Format<Block>::NUMBERS;
  tokens.sums_of_block = Format<Block>::MINIMUMS;
  return read_tokens(call.tokens_type, call.tokens, call.tokens_distance, tokens);
}

template <class Block> bool multiply(const Call &call) {
  thread_local Tokens tokens;
  if (!read<Block>(call, tokens)) return false;
  const Weights weights = call.rows_of<Block>();
  const Products products = call.place();
  for_chunks(call.params, call.rows, [&](int64_t first, int64_t end) {
    if (tokens.count == 1) multiply_one_token<Block>(weights, first, end, tokens, products);
    else if (tokens.count < MANY) multiply_few_tokens<Block>(weights, first, end, tokens, products);
    else multiply_many_tokens<Block>(weights, first, end, tokens, products);
  });
  return true;
}

template <class Block> void multiply_repacked(const Call &call) {
  thread_local Tokens tokens;
  read<Block>(call, tokens);
  if (tokens.count > 1 && tokens.count <= FEW) pair_tokens(tokens);
  for_chunks(call.params, call.rows, [&](int64_t first, int64_t end) { multiply_repacked<Block>(call.rows_of<Block>(), first, end, tokens, call.place()); });
}

void multiply_repacked(int weights_type, const Call &call) {
  for_repacked_type(weights_type, [&](auto *type) { multiply_repacked<std::remove_pointer_t<decltype(type)>>(call); });
}

// All threads do it together.
void repack(const ggml_compute_params *params, const ggml_tensor *weights) {
  const int64_t blocks = weights->ne[0] / ggml_blck_size(weights->type);
  for_chunks(params, weights->ne[1], [&](int64_t first, int64_t end) {
    for (int64_t row = first; row < end; row += GROUP_ROWS) repack_group(weights->type, (char *)weights->data + row * weights->nb[1], blocks);
  });
}

template <class Number> bool multiply_floats(const Call &call) {
  if (call.tokens_type != GGML_TYPE_F32 || call.blocks % 4 != 0) return false;
  const Weights weights = call.rows_of<Number>();
  const FloatTokens tokens{(const float *)call.tokens, call.count, call.blocks, call.tokens_distance};
  for_chunks(call.params, call.rows, [&](int64_t first, int64_t end) { multiply_floats<Number>(weights, first, end, tokens, call.place()); });
  return true;
}

bool multiply(int weights_type, const Call &call) {
  switch (weights_type) {
  case GGML_TYPE_F32: return multiply_floats<float>(call);
  case GGML_TYPE_F16: return multiply_floats<ggml_fp16_t>(call);
  case GGML_TYPE_BF16: return multiply_floats<ggml_bf16_t>(call);
  case GGML_TYPE_Q4_0: return multiply<block_q4_0>(call);
  case GGML_TYPE_Q4_1: return multiply<block_q4_1>(call);
  case GGML_TYPE_Q5_0: return multiply<block_q5_0>(call);
  case GGML_TYPE_Q5_1: return multiply<block_q5_1>(call);
  case GGML_TYPE_Q8_0: return multiply<block_q8_0>(call);
  case GGML_TYPE_Q2_K: return multiply<block_q2_K>(call);
  case GGML_TYPE_Q3_K: return multiply<block_q3_K>(call);
  case GGML_TYPE_Q4_K: return multiply<block_q4_K>(call);
  case GGML_TYPE_Q5_K: return multiply<block_q5_K>(call);
  case GGML_TYPE_Q6_K: return multiply<block_q6_K>(call);
  default: return false;
  }
}

} // namespace

// Multiplies `m` rows of weights `a` with `n` tokens `b`, `k` blocks each. Returns false if ggml has to do it.
extern "C" bool llamafile_sgemm(const ggml_compute_params *params, int64_t m, int64_t n, int64_t k, const void *a, int64_t lda,
                                const void *b, int64_t ldb, void *c, int64_t ldc, int a_type, int b_type, int c_type) {
  if (c_type != GGML_TYPE_F32) return false;
  return multiply(a_type, {params, m, n, k, a, lda, b, b_type, ldb, (float *)c, ldc});
}

// Multiplies weights that may be repacked. Returns false if they are not to be. Their first product repacks them.
extern "C" bool lc_multiply_repacked(const ggml_compute_params *params, const ggml_tensor *product) {
  const ggml_tensor *weights = product->src[0], *tokens = product->src[1];
  Layout *layout = layout_at(weights->data);
  if (!layout || *layout == Layout::OF_FILE) return false;
  if (*layout == Layout::TO_REPACK && !weights_are_missing) {
    repack(params, weights);
    // The other threads read it only after the next barrier.
    if (params->ith == 0) *layout = Layout::REPACKED;
  }
  const int64_t blocks = weights->ne[0] / ggml_blck_size(weights->type);
  for (int64_t i = 0; i < tokens->ne[2] * tokens->ne[3]; i++) {
    const int64_t second = i % tokens->ne[2], third = i / tokens->ne[2];
    const char *from = (const char *)tokens->data + second * tokens->nb[2] + third * tokens->nb[3];
    float *to = (float *)((char *)product->data + second * product->nb[2] + third * product->nb[3]);
    multiply_repacked(weights->type, {params, weights->ne[1], tokens->ne[1], blocks, weights->data, blocks, from, GGML_TYPE_F32,
                                      (int64_t)(tokens->nb[1] / sizeof(float)), to, (int64_t)(product->nb[1] / sizeof(float))});
  }
  // Rows that are not repacked yet were read in the wrong layout, so a product may be NaN. In the KV cache it would outlive
  // the warm-up: a masked position is multiplied by zero, and zero times NaN is NaN.
  if (*layout == Layout::TO_REPACK && params->ith == 0) memset(product->data, 0, ggml_nbytes(product));
  return true;
}
