// binding.cpp: implements binding.h on llama.cpp. No C++ exception leaves this file.
#include "binding.h"

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "failure.h"
#include "llama-ext.h"
#include "llama.h"

// In library.js. A native program has its own.
extern "C" int lc_most_threads(void);

namespace {

struct Context {
  llama_context *llama = nullptr;
  int tokens = 0;
  int batch = 0;
};

// What llama_decode() returns if the abort flag was set.
const int DECODE_ABORTED = 2;

llama_model *model = nullptr;
const llama_vocab *vocabulary = nullptr;
std::vector<Context> contexts;
int abort_flag = 0;

std::vector<std::string> lines_of(const char *text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

bool is_aborted(void *) { return __atomic_load_n(&abort_flag, __ATOMIC_RELAXED) != 0; }

llama_model *load(const std::vector<std::string> &names) {
  std::vector<const char *> paths;
  for (const std::string &name : names) paths.push_back(name.c_str());
  llama_model_params params = llama_model_default_params();
  // Weights are used where the file is in memory. Nothing but the header is read here.
  params.load_mode = LLAMA_LOAD_MODE_MMAP;
  llama_model *loaded = llama_model_load_from_splits(paths.data(), paths.size(), params);
  if (!loaded) throw refused("load this model");
  return loaded;
}

// The threads that all contexts share. llama.cpp would start threads for each decode, but in a page a thread is a
// worker, and that is free for the next thread only after JavaScript had a turn.
ggml_threadpool *shared_threads() {
  static ggml_threadpool *threads = nullptr;
  if (!threads && lc_most_threads() > 1) {
    ggml_threadpool_params params = ggml_threadpool_params_default(lc_most_threads());
    threads = ggml_threadpool_new(&params);
  }
  return threads;
}

int allowed_threads(int wanted) { return std::max(1, std::min(wanted, lc_most_threads())); }

// The KV cache is as exact as the weights: 32 bits if they all have 32, else 16. src/core/gguf/gguf-memory.ts counts so, too.
ggml_type cache_type() {
  const bool has_floats = llama_model_size(model) == sizeof(float) * llama_model_n_params(model);
  return has_floats ? GGML_TYPE_F32 : GGML_TYPE_F16;
}

llama_context_params context_params(int tokens, int batch, int threads) {
  llama_context_params params = llama_context_default_params();
  params.n_ctx = tokens;
  params.n_batch = batch;
  params.n_ubatch = batch;
  params.n_outputs_max = 1;
  params.type_k = cache_type();
  params.type_v = cache_type();
  params.n_threads = allowed_threads(threads);
  params.n_threads_batch = allowed_threads(threads);
  params.abort_callback = is_aborted;
  return params;
}

// The place of a new context in `contexts`.
int free_number() {
  const auto freed = [](const Context &context) { return !context.llama; };
  const auto found = std::find_if(contexts.begin(), contexts.end(), freed);
  const int number = (int)(found - contexts.begin());
  if (found == contexts.end()) contexts.emplace_back();
  return number;
}

Context &context_at(int number) {
  const bool exists = number >= 0 && number < (int)contexts.size() && contexts[number].llama;
  if (!exists) throw Refused("There is no context " + std::to_string(number) + ".");
  return contexts[number];
}

llama_memory_t memory_of(const Context &context) { return llama_get_memory(context.llama); }

int cached_tokens(const Context &context) { return llama_memory_seq_pos_max(memory_of(context), 0) + 1; }

void empty(const Context &context) { llama_memory_clear(memory_of(context), false); }

// Truncates the KV cache to its first `tokens` tokens, or empties it and returns false.
bool truncate(const Context &context, int tokens) {
  if (tokens >= cached_tokens(context)) return true;
  if (llama_memory_seq_rm(memory_of(context), 0, tokens, -1)) return true;
  empty(context);
  return false;
}

// llama.cpp ends in an assertion for some of these.
void check_decode(const Context &context, const int *tokens, int count, int position) {
  if (count < 1 || count > context.batch) throw Refused("A batch has 1 to " + std::to_string(context.batch) + " tokens.");
  if (position + count > context.tokens) throw Refused("The context has only " + std::to_string(context.tokens) + " tokens.");
  if (position > cached_tokens(context)) throw Refused("The KV cache has only " + std::to_string(cached_tokens(context)) + " tokens.");
  const int size = llama_vocab_n_tokens(vocabulary);
  const auto unknown = [size](int token) { return token < 0 || token >= size; };
  if (std::any_of(tokens, tokens + count, unknown)) throw Refused("A token is not in the vocabulary.");
}

// A batch of one sequence. Only its last token may have logits.
struct Batch {
  llama_batch llama;
  explicit Batch(int count) : llama(llama_batch_init(count, 0, 1)) { llama.n_tokens = count; }
  Batch(const Batch &) = delete;
  ~Batch() { llama_batch_free(llama); }
};

int decode(const Context &context, const int *tokens, int count, int position, bool wants_logits) {
  Batch batch(count);
  for (int i = 0; i < count; i++) {
    batch.llama.token[i] = tokens[i];
    batch.llama.pos[i] = position + i;
    batch.llama.n_seq_id[i] = 1;
    batch.llama.seq_id[i][0] = 0;
    batch.llama.logits[i] = wants_logits && i == count - 1;
  }
  return llama_decode(context.llama, batch.llama);
}

void copy(const Context &from, const Context &to) {
  std::vector<uint8_t> state(llama_state_seq_get_size(from.llama, 0));
  llama_state_seq_get_data(from.llama, state.data(), state.size(), 0);
  if (llama_state_seq_set_data(to.llama, state.data(), state.size(), 0) == 0) throw refused("copy the KV cache");
}

} // namespace

const char *lc_error(void) { return failure.c_str(); }

int lc_load(const char *paths) {
  return guarded([&] {
    if (model) throw Refused("This module has a model already.");
    watch_llama();
    llama_backend_init();
    model = load(lines_of(paths));
    vocabulary = llama_model_get_vocab(model);
    return 0;
  });
}

int lc_vocabulary_size(void) { return llama_vocab_n_tokens(vocabulary); }
int lc_trained_context(void) { return llama_model_n_ctx_train(model); }
int lc_first_token(void) { return llama_vocab_get_add_bos(vocabulary) ? llama_vocab_bos(vocabulary) : -1; }
int lc_ends_turn(int token) { return llama_vocab_is_eog(vocabulary, token); }
int lc_is_control(int token) { return llama_vocab_is_control(vocabulary, token); }
double lc_weight_bytes(void) { return (double)llama_model_size(model); }

int lc_tokenize(const char *text, int bytes, int *tokens, int most) {
  return guarded([&] { return std::abs(llama_tokenize(vocabulary, text, bytes, tokens, most, false, true)); });
}

int lc_piece(int token, char *bytes, int most) {
  return guarded([&] { return std::abs(llama_token_to_piece(vocabulary, token, bytes, most, 0, true)); });
}

int lc_new_context(int tokens, int batch, int threads) {
  return guarded([&] {
    llama_context *llama = llama_init_from_model(model, context_params(tokens, batch, threads));
    if (!llama) throw refused("make a context of " + std::to_string(tokens) + " tokens");
    if (ggml_threadpool *threads = shared_threads()) llama_attach_threadpool(llama, threads, threads);
    const int number = free_number();
    contexts[number] = {llama, tokens, batch};
    return number;
  });
}

void lc_free_context(int context) {
  guarded([&] {
    llama_free(context_at(context).llama);
    contexts[context] = {};
    return 0;
  });
}

double lc_context_bytes(int context) {
  return guarded([&] {
    double bytes = 0;
    for (const auto &[type, used] : llama_get_memory_breakdown(context_at(context).llama)) bytes += (double)(used.context + used.compute);
    return bytes;
  });
}

int lc_set_threads(int context, int threads) {
  return guarded([&] {
    llama_set_n_threads(context_at(context).llama, allowed_threads(threads), allowed_threads(threads));
    return 0;
  });
}

int lc_decode(int context, const int *tokens, int count, int position, int wants_logits) {
  return guarded([&] {
    const Context &to = context_at(context);
    check_decode(to, tokens, count, position);
    if (!truncate(to, position)) throw Refused("This architecture cannot go back to an earlier token.");
    const int result = decode(to, tokens, count, position, wants_logits != 0);
    if (result == DECODE_ABORTED) return truncate(to, position) && cached_tokens(to) == position ? 1 : 2;
    if (result != 0) throw refused("compute these tokens");
    return 0;
  });
}

float *lc_logits(int context) {
  float *logits = nullptr;
  guarded([&] {
    logits = llama_get_logits_ith(context_at(context).llama, -1);
    return 0;
  });
  return logits;
}

int lc_keep(int context, int tokens) {
  return guarded([&] { return truncate(context_at(context), tokens) ? 1 : 0; });
}

int lc_copy(int from, int to) {
  return guarded([&] {
    empty(context_at(to));
    if (cached_tokens(context_at(from)) > 0) copy(context_at(from), context_at(to));
    return 0;
  });
}

int *lc_abort_flag(void) { return &abort_flag; }
