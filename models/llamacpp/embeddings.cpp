// embeddings.cpp: implements binding.h for embeddings. No C++ exception leaves this file.
#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "binding.h"
#include "contexts.h"
#include "failure.h"

namespace {

// A field of the model's file; empty: it has none.
std::string field(const std::string &key) {
  char value[64];
  const int length = llama_model_meta_val_str(model, key.c_str(), value, sizeof value);
  return length > 0 ? value : "";
}

int pooling() {
  const std::string type = field(field("general.architecture") + ".pooling_type");
  return type.empty() ? LLAMA_POOLING_TYPE_NONE : std::stoi(type);
}

std::vector<int> tokenized(const char *text, int bytes) {
  std::vector<int> tokens(bytes + 8);
  const int count = std::abs(llama_tokenize(vocabulary, text, bytes, tokens.data(), (int)tokens.size(), false, false));
  tokens.resize(count);
  return tokens;
}

int written(const std::vector<int> &from, int *tokens, int most) {
  if ((int)from.size() <= most) std::copy(from.begin(), from.end(), tokens);
  return (int)from.size();
}

void check(const Context &context, const int *tokens, const int *lengths, int count) {
  const int sequences = (int)llama_n_seq_max(context.llama);
  if (count < 1 || count > sequences) throw Refused("There may be 1 to " + std::to_string(sequences) + " texts.");
  if (std::any_of(lengths, lengths + count, [](int length) { return length < 1; })) throw Refused("A text has no tokens.");
  const int total = std::accumulate(lengths, lengths + count, 0);
  if (total > context.batch) throw Refused("The texts may have " + std::to_string(context.batch) + " tokens together.");
  const int size = llama_vocab_n_tokens(vocabulary);
  const auto unknown = [size](int token) { return token < 0 || token >= size; };
  if (std::any_of(tokens, tokens + total, unknown)) throw Refused("A token is not in the vocabulary.");
}

int embed(const Context &context, const int *tokens, const int *lengths, int count) {
  const int total = std::accumulate(lengths, lengths + count, 0);
  llama_batch batch = llama_batch_init(total, 0, 1);
  batch.n_tokens = 0;
  for (int text = 0; text < count; text++) {
    for (int position = 0; position < lengths[text]; position++) {
      const int at = batch.n_tokens++;
      batch.token[at] = tokens[at];
      batch.pos[at] = position;
      batch.n_seq_id[at] = 1;
      batch.seq_id[at][0] = text;
      batch.logits[at] = 1;
    }
  }
  const int result = llama_decode(context.llama, batch);
  llama_batch_free(batch);
  return result;
}

} // namespace

int lc_pooling(void) {
  return guarded([] { return pooling(); });
}

int lc_new_embedder(int tokens, int texts, int threads) {
  return guarded([&] {
    if (pooling() == LLAMA_POOLING_TYPE_NONE) throw Refused("This model's file does not say how its vectors are pooled.");
    llama_context_params params = context_params(tokens, tokens, threads);
    params.embeddings = true;
    params.n_outputs_max = 0;
    params.n_seq_max = texts;
    params.kv_unified = true;
    return new_context(params);
  });
}

int lc_tokenize_text(const char *text, int bytes, int *tokens, int most) {
  return guarded([&] { return std::abs(llama_tokenize(vocabulary, text, bytes, tokens, most, true, false)); });
}

int lc_tokenize_pair(const char *query, int query_bytes, const char *document, int document_bytes, int *tokens, int most) {
  return guarded([&] {
    // llama.cpp's server puts them together like this.
    const int end = llama_vocab_eos(vocabulary) == LLAMA_TOKEN_NULL ? llama_vocab_sep(vocabulary) : llama_vocab_eos(vocabulary);
    std::vector<int> pair;
    if (llama_vocab_get_add_bos(vocabulary)) pair.push_back(llama_vocab_bos(vocabulary));
    const std::vector<int> first = tokenized(query, query_bytes);
    pair.insert(pair.end(), first.begin(), first.end());
    if (llama_vocab_get_add_eos(vocabulary)) pair.push_back(end);
    if (llama_vocab_get_add_sep(vocabulary)) pair.push_back(llama_vocab_sep(vocabulary));
    const std::vector<int> second = tokenized(document, document_bytes);
    pair.insert(pair.end(), second.begin(), second.end());
    if (llama_vocab_get_add_eos(vocabulary)) pair.push_back(end);
    return written(pair, tokens, most);
  });
}

int lc_embed(int context, const int *tokens, const int *lengths, int count) {
  return guarded([&] {
    const Context &with = context_at(context);
    check(with, tokens, lengths, count);
    if (llama_get_memory(with.llama)) llama_memory_clear(llama_get_memory(with.llama), false);
    const int result = embed(with, tokens, lengths, count);
    if (result == DECODE_ABORTED || (result != 0 && is_aborted(nullptr))) return 1;
    if (result != 0) throw refused("embed these texts");
    return 0;
  });
}

int lc_embedding_size(void) {
  return guarded([] {
    return pooling() == LLAMA_POOLING_TYPE_RANK ? (int)llama_model_n_cls_out(model) : llama_model_n_embd_out(model);
  });
}

float *lc_embedding(int context, int text) {
  float *vector = nullptr;
  guarded([&] {
    vector = llama_get_embeddings_seq(context_at(context).llama, text);
    return 0;
  });
  return vector;
}
