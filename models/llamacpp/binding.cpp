// binding.cpp: implements binding.h for text. No C++ exception leaves this file.
#include "binding.h"

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "contexts.h"
#include "failure.h"
#include "llama-ext.h"
#include "repacking.h"
#ifdef LC_WEBGPU
#include "webgpu/gpu.h"
#endif

namespace {

std::vector<std::string> lines_of(const char *text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

llama_model *load(const std::vector<std::string> &names) {
  std::vector<const char *> paths;
  for (const std::string &name : names) paths.push_back(name.c_str());
  llama_model_params params = llama_model_default_params();
#ifdef LC_WEBGPU
  use_gpu(params);
#else
  // Weights are used where the file is in memory. Nothing but the header is read here.
  params.load_mode = LLAMA_LOAD_MODE_MMAP;
#endif
  llama_model *loaded = llama_model_load_from_splits(paths.data(), paths.size(), params);
  if (!loaded) throw refused("load this model");
  return loaded;
}

// A batch of one sequence.
struct Batch {
  llama_batch llama;
  explicit Batch(int count) : llama(llama_batch_init(count, 0, 1)) { llama.n_tokens = count; }
  Batch(const Batch &) = delete;
  ~Batch() { llama_batch_free(llama); }
};

// `outputs` is the number of last tokens that have logits.
int decode(Context &context, const int *tokens, int count, int position, int outputs) {
  Batch batch(count);
  for (int i = 0; i < count; i++) {
    batch.llama.token[i] = tokens[i];
    batch.llama.pos[i] = position + i;
    batch.llama.n_seq_id[i] = 1;
    batch.llama.seq_id[i][0] = 0;
    batch.llama.logits[i] = i >= count - outputs;
  }
  compute_alone(context);
  return llama_decode(context.llama, batch.llama);
}

// While it exists, results do not matter, and computations end after some time.
struct Rehearsal {
  explicit Rehearsal(double milliseconds) {
    abort_at = ggml_time_us() / 1000.0 + milliseconds;
    weights_are_missing = true;
  }
  ~Rehearsal() {
    abort_at = 0;
    weights_are_missing = false;
  }
};

void copy(const Context &from, Context &to) {
#ifdef LC_WEBGPU
  copy_on_gpu(from.llama, to.llama);
#else
  std::vector<uint8_t> state(llama_state_seq_get_size(from.llama, 0));
  llama_state_seq_get_data(from.llama, state.data(), state.size(), 0);
  if (llama_state_seq_set_data(to.llama, state.data(), state.size(), 0) == 0) throw refused("copy the KV cache");
#endif
  to.end = from.end;
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
int lc_goes_back(void) { return !llama_model_is_recurrent(model) && !llama_model_is_hybrid(model); }
int lc_ends_turn(int token) { return llama_vocab_is_eog(vocabulary, token); }
int lc_is_control(int token) { return llama_vocab_is_control(vocabulary, token); }
double lc_weight_bytes(void) { return (double)llama_model_size(model); }

int lc_tokenize(const char *text, int bytes, int *tokens, int most) {
  return guarded([&] { return std::abs(llama_tokenize(vocabulary, text, bytes, tokens, most, false, true)); });
}

int lc_piece(int token, char *bytes, int most) {
  return guarded([&] { return std::abs(llama_token_to_piece(vocabulary, token, bytes, most, 0, true)); });
}

void lc_quantize_cache(int quantized) { quantizes_cache = quantized != 0; }

int lc_new_context(int tokens, int batch, int threads) {
  return guarded([&] { return new_context(context_params(tokens, batch, threads)); });
}

void lc_free_context(int context) {
  guarded([&] {
    free_context(context);
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

int lc_decode(int context, const int *tokens, int count, int position, int outputs) {
  return guarded([&] {
    Context &to = idle_context_at(context);
    check_decode(to, tokens, count, position);
    if (outputs > LC_MOST_OUTPUTS) throw Refused("At most " + std::to_string(LC_MOST_OUTPUTS) + " tokens of a batch have logits.");
    if (!truncate(to, position) && position > 0) throw Refused("This architecture cannot go back to an earlier token.");
    const int result = decode(to, tokens, count, position, outputs);
    if (result == DECODE_ABORTED) return restore(to, position) ? 1 : 2;
    if (result != 0) throw refused("compute these tokens");
    to.end = position + count;
    return 0;
  });
}

int lc_warm_up(int context, int count, double milliseconds) {
  return guarded([&] {
    Context &to = idle_context_at(context);
    const std::vector<int> tokens(count);
    check_decode(to, tokens.data(), count, 0);
    empty(to);
    const Rehearsal rehearsal(milliseconds);
    const int result = decode(to, tokens.data(), count, 0, 1);
    empty(to);
    if (result != 0 && result != DECODE_ABORTED) throw refused("compute these tokens");
    return 0;
  });
}

float *lc_logits(int context, int before) {
  float *logits = nullptr;
  guarded([&] {
    const Context &of = context_at(context);
    if (!of.is_begun && of.computed_by) logits = llama_get_logits_ith(of.computed_by, -1 - before - of.outputs_after);
    return 0;
  });
  return logits;
}

int lc_keep(int context, int tokens) {
  return guarded([&] { return truncate(idle_context_at(context), tokens) ? 1 : 0; });
}

int lc_copy(int from, int to) {
  return guarded([&] {
    empty(context_at(to));
    if (idle_context_at(from).end > 0) copy(context_at(from), context_at(to));
    return 0;
  });
}

int *lc_abort_flag(void) { return &abort_flag; }
