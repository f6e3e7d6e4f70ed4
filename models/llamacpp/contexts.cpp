#include "contexts.h"

#include <algorithm>
#include <vector>

#include "binding.h"
#include "failure.h"
#include "ggml-cpu.h"

// This function is in library.js. A native program has its own.
extern "C" int lc_most_threads(void);

llama_model *model = nullptr;
const llama_vocab *vocabulary = nullptr;
int abort_flag = 0;
double abort_at = 0;
bool quantizes_cache = false;

namespace {

std::vector<Context> contexts;

// Unless Q8_0 is asked for, the KV cache is as exact as the weights: 32 bits if they all have 32, else 16.
// src/core/files/gguf/gguf-memory.ts counts so, too.
ggml_type cache_type() {
  if (quantizes_cache) return GGML_TYPE_Q8_0;
  const bool has_floats = llama_model_size(model) == sizeof(float) * llama_model_n_params(model);
  return has_floats ? GGML_TYPE_F32 : GGML_TYPE_F16;
}

// The place of a new context in `contexts`.
int free_number() {
  const auto freed = [](const Context &context) { return !context.llama; };
  const auto found = std::find_if(contexts.begin(), contexts.end(), freed);
  const int number = (int)(found - contexts.begin());
  if (found == contexts.end()) contexts.emplace_back();
  return number;
}

llama_memory_t memory_of(const Context &context) { return llama_get_memory(context.llama); }

} // namespace

bool is_aborted(void *) {
  if (__atomic_load_n(&abort_flag, __ATOMIC_RELAXED) != 0) return true;
  return abort_at > 0 && ggml_time_us() / 1000.0 > abort_at;
}

// llama.cpp would start threads for each decode, but in a page a thread is a worker, and that is free for the next
// thread only after JavaScript had a turn.
ggml_threadpool *shared_threads() {
  static ggml_threadpool *threads = nullptr;
  if (!threads && lc_most_threads() > 1) {
    ggml_threadpool_params params = ggml_threadpool_params_default(lc_most_threads());
    // Between two computations they sleep at once. ggml's default is to look for work 6.5 million times before.
    params.poll = 0;
    threads = ggml_threadpool_new(&params);
  }
  return threads;
}

int allowed_threads(int wanted) { return std::max(1, std::min(wanted, lc_most_threads())); }

void set_threads(ggml_backend_t backend, int wanted) {
  ggml_backend_cpu_set_n_threads(backend, allowed_threads(wanted));
  if (ggml_threadpool *threads = shared_threads()) ggml_backend_cpu_set_threadpool(backend, threads);
}

llama_context_params context_params(int tokens, int batch, int threads) {
  llama_context_params params = llama_context_default_params();
  params.n_ctx = tokens;
  params.n_batch = batch;
  params.n_ubatch = batch;
  params.n_outputs_max = std::min(batch, (int)LC_MOST_OUTPUTS);
  params.type_k = cache_type();
  params.type_v = cache_type();
  params.n_threads = allowed_threads(threads);
  params.n_threads_batch = allowed_threads(threads);
  params.abort_callback = is_aborted;
  return params;
}

int new_context(llama_context_params params) {
  llama_context *llama = llama_init_from_model(model, params);
  if (!llama) throw refused("make a context of " + std::to_string(params.n_ctx) + " tokens");
  if (ggml_threadpool *threads = shared_threads()) llama_attach_threadpool(llama, threads, threads);
  const int number = free_number();
  static uint64_t made = 0;
  contexts[number] = {llama, (int)params.n_ctx, (int)params.n_batch};
  contexts[number].serial = ++made;
  return number;
}

void check_decode(const Context &context, const int *tokens, int count, int position) {
  if (count < 1 || count > context.batch) throw Refused("A batch has 1 to " + std::to_string(context.batch) + " tokens.");
  if (position + count > context.tokens) throw Refused("The context has only " + std::to_string(context.tokens) + " tokens.");
  if (position > context.end) throw Refused("The KV cache has only " + std::to_string(context.end) + " tokens.");
  const int size = llama_vocab_n_tokens(vocabulary);
  const auto unknown = [size](int token) { return token < 0 || token >= size; };
  if (std::any_of(tokens, tokens + count, unknown)) throw Refused("A token is not in the vocabulary.");
}

void compute_alone(Context &context) {
  context.computed_by = context.llama;
  context.outputs_after = 0;
}

Context &context_at(int number) {
  const bool exists = number >= 0 && number < (int)contexts.size() && contexts[number].llama;
  if (!exists) throw Refused("There is no context " + std::to_string(number) + ".");
  return contexts[number];
}

Context &idle_context_at(int number) {
  Context &context = context_at(number);
  if (context.is_begun) empty(context);
  return context;
}

void free_context(int number) {
  llama_free(context_at(number).llama);
  contexts[number] = {};
}

void empty(Context &context) {
  llama_memory_clear(memory_of(context), false);
  context.end = 0;
  context.is_begun = false;
}

bool truncate(Context &context, int position) {
  if (position >= context.end) return true;
  if (!llama_memory_seq_rm(memory_of(context), 0, position, -1)) {
    empty(context);
    return false;
  }
  context.end = position;
  return true;
}

bool restore(Context &context, int position) {
  // A part of the batch may be in the KV cache.
  context.end = position + 1;
  if (!truncate(context, position)) return false;
  if (has_several_dimensions() || llama_memory_seq_pos_max(memory_of(context), 0) + 1 == position) return true;
  empty(context);
  return false;
}

bool has_several_dimensions() {
  const llama_rope_type type = llama_model_rope_type(model);
  return type == LLAMA_ROPE_TYPE_MROPE || type == LLAMA_ROPE_TYPE_IMROPE;
}
