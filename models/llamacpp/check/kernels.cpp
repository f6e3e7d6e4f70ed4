// kernels.cpp: compares kernels/ with exact products of the same numbers, for each type of weights and several numbers
// of tokens. Prints for each how many million products a second it computes, and how many ggml's own kernel does. Then
// compares repacked rows with rows as they are in a file, bit for bit, and prints how many times as fast they are.
// Ends with 1 if a result is wrong. Compiled by check/kernels.sh.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <random>
#include <vector>

#include <emscripten.h>

#include "ggml-backend.h"
#include "ggml-cpu.h"
#include "ggml.h"
#include "repacking.h"

namespace {

const int64_t WIDTH = 1536;
const int64_t ROWS = 574; // not a multiple of 4
const ggml_type TYPES[] = {GGML_TYPE_F32, GGML_TYPE_F16, GGML_TYPE_BF16, GGML_TYPE_Q4_0, GGML_TYPE_Q4_1, GGML_TYPE_Q5_0, GGML_TYPE_Q5_1, GGML_TYPE_Q8_0,
                           GGML_TYPE_Q2_K, GGML_TYPE_Q3_K, GGML_TYPE_Q4_K, GGML_TYPE_Q5_K, GGML_TYPE_Q6_K};
const int64_t COUNTS[] = {1, 2, 4, 7, 8, 32};
const ggml_type REPACKED_TYPES[] = {GGML_TYPE_Q4_0, GGML_TYPE_Q4_1, GGML_TYPE_Q8_0};
const int64_t REPACKED_ROWS = 568;
const int64_t REPACKED_COUNTS[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 32};

std::vector<float> random_numbers(int64_t count) {
  static std::mt19937 generator(1);
  std::normal_distribution<float> distribution;
  std::vector<float> numbers(count);
  for (float &number : numbers) number = distribution(generator);
  return numbers;
}

// The processor's time, so that it matters little whether the machine is busy.
double seconds() { return EM_ASM_DOUBLE({ return process.cpuUsage().user / 1e6; }); }

// How often something runs in a second: the best of several short times, because the machine may be busy.
template <class Function> double per_second(Function run) {
  double best = 0;
  for (int i = 0; i < 40; i++) {
    const double start = seconds();
    int runs = 0;
    while (seconds() - start < 0.01 || runs == 0) {
      run();
      runs++;
    }
    best = std::max(best, runs / (seconds() - start));
  }
  return best;
}

std::vector<float> unpacked(ggml_type type, const char *packed, int64_t count) {
  std::vector<float> numbers(count);
  if (type == GGML_TYPE_F32) memcpy(numbers.data(), packed, count * sizeof(float));
  else ggml_get_type_traits(type)->to_float(packed, numbers.data(), count);
  return numbers;
}

// A token as ggml quantises it for products with weights of this type.
std::vector<char> quantised(ggml_type type, const float *token) {
  const ggml_type packed_type = ggml_get_type_traits_cpu(type)->vec_dot_type;
  std::vector<char> packed(ggml_row_size(packed_type, WIDTH));
  ggml_get_type_traits_cpu(packed_type)->from_float(token, packed.data(), WIDTH);
  return packed;
}

// A token as the kernels see it: exact, or as ggml rounds it for blocks of 256 weights.
std::vector<float> seen(ggml_type type, const float *token) {
  if (ggml_blck_size(type) < 256) return {token, token + WIDTH};
  const auto packed = quantised(type, token);
  const ggml_type packed_type = ggml_get_type_traits_cpu(type)->vec_dot_type;
  const int64_t size = ggml_blck_size(packed_type), bytes = ggml_type_size(packed_type);
  std::vector<float> numbers;
  for (int64_t block = 0; block < WIDTH / size; block++) {
    const char *at = &packed[block * bytes];
    for (int64_t i = 0; i < size; i++) numbers.push_back(*(const float *)at * (signed char)at[4 + i]);
  }
  return numbers;
}

struct Case {
  ggml_type type;
  int64_t count;
  std::vector<char> weights;
  std::vector<float> tokens;
};

Case make_case(ggml_type type, int64_t count) {
  std::vector<char> weights(ggml_row_size(type, WIDTH) * ROWS);
  ggml_quantize_chunk(type, random_numbers(WIDTH * ROWS).data(), weights.data(), 0, ROWS, WIDTH, nullptr);
  return {type, count, weights, random_numbers(WIDTH * count)};
}

// A product of matrices as llama.cpp computes it.
class Product {
public:
  explicit Product(const Case &from, int64_t rows = ROWS) : backend(ggml_backend_cpu_init()) {
    ggml_backend_cpu_set_n_threads(backend, 1);
    context = ggml_init({1 << 20, nullptr, true});
    weights = ggml_new_tensor_2d(context, from.type, WIDTH, rows);
    ggml_tensor *tokens = ggml_new_tensor_2d(context, GGML_TYPE_F32, WIDTH, from.count);
    result = ggml_mul_mat(context, weights, tokens);
    graph = ggml_new_graph(context);
    ggml_build_forward_expand(graph, result);
    buffer = ggml_backend_alloc_ctx_tensors(context, backend);
    ggml_backend_tensor_set(weights, from.weights.data(), 0, ggml_nbytes(weights));
    ggml_backend_tensor_set(tokens, from.tokens.data(), 0, from.tokens.size() * sizeof(float));
  }
  Product(const Product &) = delete;
  ~Product() {
    ggml_backend_buffer_free(buffer);
    ggml_free(context);
    ggml_backend_free(backend);
  }
  // The weights are repacked when it is computed.
  void allow_repacking() {
    ggml_backend_buffer_set_usage(buffer, GGML_BACKEND_BUFFER_USAGE_WEIGHTS);
    note_readers(graph);
  }
  bool is_repacked() const {
    const Layout *layout = layout_at(weights->data);
    return layout && *layout == Layout::REPACKED;
  }
  // Whether each row, turned into floats, is the same as in the file.
  bool has_rows(const std::vector<float> &expected) const {
    std::vector<float> row(WIDTH);
    for (int64_t i = 0; i < weights->ne[1]; i++) {
      if (!widen_repacked_row(weights, i, row.data()) || memcmp(row.data(), &expected[i * WIDTH], WIDTH * sizeof(float)) != 0) return false;
    }
    return true;
  }
  void compute() { ggml_backend_graph_compute(backend, graph); }
  std::vector<float> values() {
    std::vector<float> numbers(ggml_nelements(result));
    ggml_backend_tensor_get(result, numbers.data(), 0, ggml_nbytes(result));
    return numbers;
  }

private:
  ggml_backend_t backend;
  ggml_context *context;
  ggml_tensor *weights;
  ggml_tensor *result;
  ggml_cgraph *graph;
  ggml_backend_buffer_t buffer;
};

// The largest difference to the exact products, in units of their usual size.
double worst(const Case &from, const std::vector<float> &values) {
  const auto weights = unpacked(from.type, from.weights.data(), WIDTH * ROWS);
  double largest = 0;
  for (int64_t token = 0; token < from.count; token++) {
    const auto numbers = seen(from.type, &from.tokens[token * WIDTH]);
    for (int64_t row = 0; row < ROWS; row++) {
      double exact = 0;
      for (int64_t i = 0; i < WIDTH; i++) exact += (double)weights[row * WIDTH + i] * numbers[i];
      largest = std::max(largest, std::abs(exact - values[token * ROWS + row]) / std::sqrt((double)WIDTH));
    }
  }
  return largest;
}

double ggml_speed(const Case &from) {
  const auto token = quantised(from.type, from.tokens.data());
  const auto dot = ggml_get_type_traits_cpu(from.type)->vec_dot;
  float result;
  return per_second([&] {
    for (int64_t row = 0; row < ROWS; row++) dot(WIDTH, &result, 0, &from.weights[row * ggml_row_size(from.type, WIDTH)], 0, token.data(), 0, 1);
  });
}

// Prints how many times as fast repacked rows are. Returns whether all bits are equal.
bool check_repacked(ggml_type type) {
  bool is_right = true;
  printf("%s repacked:", ggml_type_name(type));
  for (int64_t count : REPACKED_COUNTS) {
    const Case from = make_case(type, count);
    // They are never freed: the layout of weights is noted by their address.
    Product &of_file = *new Product(from, REPACKED_ROWS), &repacked = *new Product(from, REPACKED_ROWS);
    repacked.allow_repacking();
    of_file.compute();
    repacked.compute();
    const auto values = of_file.values(), others = repacked.values();
    const bool ok = repacked.is_repacked() && !of_file.is_repacked() && memcmp(values.data(), others.data(), values.size() * sizeof(float)) == 0 &&
                    repacked.has_rows(unpacked(type, from.weights.data(), WIDTH * REPACKED_ROWS));
    if (!ok) is_right = false;
    const double speed = per_second([&] { of_file.compute(); });
    printf(" %d tokens %.2f%s", (int)count, per_second([&] { repacked.compute(); }) / speed, ok ? "" : " WRONG");
  }
  printf("\n");
  return is_right;
}

} // namespace

int main() {
  int status = 0;
  for (ggml_type type : REPACKED_TYPES) {
    if (!check_repacked(type)) status = 1;
  }
  const double million = WIDTH * ROWS / 1e6;
  for (ggml_type type : TYPES) {
    printf("%s: ggml %.0f;", ggml_type_name(type), million * ggml_speed(make_case(type, 1)));
    for (int64_t count : COUNTS) {
      const Case from = make_case(type, count);
      Product product(from);
      product.compute();
      const double difference = worst(from, product.values());
      // Exact tokens are rounded to 16 bits.
      const bool ok = difference < (ggml_blck_size(type) < 256 ? 3e-4 : 1e-5);
      if (!ok) status = 1;
      printf(" %d tokens %.0f%s", (int)count, million * count * per_second([&] { product.compute(); }), ok ? "" : " WRONG");
      if (!ok) printf(" (%.0e)", difference);
    }
    printf("\n");
  }
  return status;
}
