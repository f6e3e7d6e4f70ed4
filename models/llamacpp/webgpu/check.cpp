// check.cpp: implements lc_begin_check() and lc_end_check() of gpu.h.
#include <cmath>
#include <vector>

#include "../failure.h"
#include "ggml-cpp.h"
#include "ggml.h"
#include "gpu.h"

namespace {

// A product that the GPU computes, and what it should be.
struct Check {
  ggml_backend_ptr backend;
  ggml_context_ptr context;
  ggml_backend_buffer_ptr buffer;
  std::vector<float> expected, found;
};

Check check;

// Numbers from -1 to 1, the same ones each time.
std::vector<float> random_numbers(size_t count) {
  std::vector<float> numbers(count);
  uint32_t state = 1;
  for (float &number : numbers) {
    state = state * 1664525u + 1013904223u;
    number = (float)(int32_t)state / 2147483648.0f;
  }
  return numbers;
}

std::vector<float> unpacked(const ggml_tensor *weights, const void *packed) {
  std::vector<float> numbers(ggml_nelements(weights));
  if (weights->type == GGML_TYPE_F32) memcpy(numbers.data(), packed, ggml_nbytes(weights));
  else ggml_get_type_traits(weights->type)->to_float(packed, numbers.data(), (int64_t)numbers.size());
  return numbers;
}

std::vector<float> product(const std::vector<float> &weights, const std::vector<float> &vectors, int columns) {
  std::vector<float> result;
  for (size_t vector = 0; vector < vectors.size(); vector += columns) {
    for (size_t row = 0; row < weights.size(); row += columns) {
      double sum = 0;
      for (int i = 0; i < columns; i++) sum += (double)weights[row + i] * vectors[vector + i];
      result.push_back((float)sum);
    }
  }
  return result;
}

void begin(ggml_type type, int columns, int rows, const void *packed, int tokens) {
  check = {};
  check.backend.reset(ggml_backend_init_by_type(GGML_BACKEND_DEVICE_TYPE_GPU, nullptr));
  if (!check.backend) throw Refused("There is no GPU.");
  check.context.reset(ggml_init({ggml_tensor_overhead() * 8 + ggml_graph_overhead(), nullptr, true}));
  ggml_context *context = check.context.get();
  ggml_tensor *weights = ggml_new_tensor_2d(context, type, columns, rows);
  ggml_tensor *vectors = ggml_new_tensor_2d(context, GGML_TYPE_F32, columns, tokens);
  ggml_tensor *result = ggml_mul_mat(context, weights, vectors);
  if (!ggml_backend_supports_op(check.backend.get(), result)) throw Refused("The GPU cannot multiply by such weights.");
  ggml_cgraph *graph = ggml_new_graph(context);
  ggml_build_forward_expand(graph, result);
  check.buffer.reset(ggml_backend_alloc_ctx_tensors(context, check.backend.get()));

  const std::vector<float> numbers = random_numbers((size_t)columns * tokens);
  check.expected = product(unpacked(weights, packed), numbers, columns);
  check.found.assign(check.expected.size(), NAN);
  ggml_backend_tensor_set(weights, packed, 0, ggml_nbytes(weights));
  ggml_backend_tensor_set(vectors, numbers.data(), 0, ggml_nbytes(vectors));
  ggml_backend_graph_compute(check.backend.get(), graph);
  ggml_backend_tensor_get_async(check.backend.get(), result, check.found.data(), 0, ggml_nbytes(result));
}

} // namespace

int lc_begin_check(int type, int columns, int rows, const void *weights, int tokens) {
  return guarded([&] {
    if (type < 0 || type >= GGML_TYPE_COUNT || columns % ggml_blck_size((ggml_type)type) != 0) throw Refused("There are no such weights.");
    begin((ggml_type)type, columns, rows, weights, tokens);
    return 0;
  });
}

double lc_end_check(void) {
  double square = 0, error = 0;
  for (size_t i = 0; i < check.expected.size(); i++) {
    square += std::pow((double)check.expected[i], 2);
    error += std::pow((double)check.found[i] - check.expected[i], 2);
  }
  check = {};
  return error / square;
}
