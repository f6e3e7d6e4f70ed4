// together.cpp: computes tokens of several contexts in one batch. Each of them is stored in its own context's KV cache
// and sees only that, so it has the bits that it has alone. No C++ exception leaves this file.
#include <algorithm>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "binding.h"
#include "contexts.h"
#include "failure.h"
#include "llama-kv-cache-iswa.h"
#include "llama-kv-cache.h"

namespace {

using Part = llama_kv_cache_context::part;

// A context whose tokens the next batch has.
struct Member {
  llama_memory_t memory;
  // Identifies the context: another one may get its address when it was freed.
  uint64_t serial;
};

// Nodes of a layer that a further context adds to a graph, rounded up.
const uint32_t NODES_OF_LAYER = 24;

// The tokens of a batch from `first` on, as the batch of one context.
llama_ubatch part_of(const llama_ubatch &all, uint32_t first, uint32_t count) {
  auto data = std::make_shared<llama_ubatch::data_t>();
  data->token.assign(all.token + first, all.token + first + count);
  for (uint32_t i = 0; i < all.n_pos; i++) {
    const llama_pos *positions = all.pos + i * all.n_tokens + first;
    data->pos.insert(data->pos.end(), positions, positions + count);
  }
  data->n_seq_id.assign(count, 1);
  data->seq_id_data.assign(count, 0);
  for (llama_seq_id &sequence : data->seq_id_data) data->seq_id.push_back(&sequence);
  data->seq_id_unq = {0};
  data->seq_idx.assign(LLAMA_MAX_SEQ, -1);
  data->seq_idx[0] = 0;
  data->output.assign(all.output + first, all.output + first + count);
  llama_ubatch part{};
  part.n_tokens = count;
  part.n_seq_tokens = 1;
  part.n_seqs = count;
  part.n_seqs_unq = 1;
  part.n_pos = all.n_pos;
  part.token = data->token.data();
  part.pos = data->pos.data();
  part.n_seq_id = data->n_seq_id.data();
  part.seq_id = data->seq_id.data();
  part.seq_id_unq = data->seq_id_unq.data();
  part.seq_idx = data->seq_idx.data();
  part.output = data->output.data();
  part.data = data;
  return part;
}

// How many tokens of the batch each sequence has: they follow each other.
std::vector<uint32_t> lengths_of(const llama_ubatch &all) {
  std::vector<uint32_t> lengths(all.n_seqs_unq);
  for (uint32_t i = 0; i < all.n_tokens; i++) lengths[all.seq_id[i][0]]++;
  return lengths;
}

using CacheOf = llama_kv_cache *(*)(llama_memory_t memory);

llama_kv_cache *only_cache(llama_memory_t memory) { return dynamic_cast<llama_kv_cache *>(memory); }

llama_kv_cache_iswa *two_caches(llama_memory_t memory) { return dynamic_cast<llama_kv_cache_iswa *>(memory); }

// The memory of a context that computes tokens of others. Sequence i of a batch is that of its member i.
class SharedMemory : public llama_memory_i {
public:
  std::vector<Member> members;

  llama_memory_context_ptr init_batch(llama_batch_allocr &batch, uint32_t most, bool) override {
    batch.split_reset();
    const llama_ubatch all = batch.split_simple(most);
    if (batch.get_n_used() < batch.get_n_tokens()) return failed();
    return context_of(all, [&](CacheOf cache_of) { return parts_of(all, cache_of); });
  }

  llama_memory_context_ptr init_full() override {
    return context_of({}, [&](CacheOf cache_of) {
      std::vector<Part> parts;
      for (const Member &member : members) {
        parts.push_back({std::make_shared<llama_kv_cache_context>(cache_of(member.memory)), member.serial, 0});
      }
      return parts;
    });
  }

  llama_memory_context_ptr init_update(llama_context *, bool) override {
    return std::make_unique<llama_kv_cache_context>(LLAMA_MEMORY_STATUS_NO_UPDATE);
  }

  bool get_can_shift() const override { return false; }
  void clear(bool) override {}

  bool seq_rm(llama_seq_id sequence, llama_pos from, llama_pos to) override {
    return sequence < 0 || sequence >= (int)members.size() || members[sequence].memory->seq_rm(0, from, to);
  }
  void seq_cp(llama_seq_id, llama_seq_id, llama_pos, llama_pos) override {}
  void seq_keep(llama_seq_id) override {}
  void seq_add(llama_seq_id, llama_pos, llama_pos, llama_pos) override {}
  void seq_div(llama_seq_id, llama_pos, llama_pos, int) override {}

  llama_pos seq_pos_min(llama_seq_id sequence) const override {
    return sequence < (int)members.size() ? members[sequence].memory->seq_pos_min(0) : -1;
  }
  llama_pos seq_pos_max(llama_seq_id sequence) const override {
    return sequence < (int)members.size() ? members[sequence].memory->seq_pos_max(0) : -1;
  }

  std::map<ggml_backend_buffer_type_t, size_t> memory_breakdown() const override { return {}; }
  void state_write(llama_io_write_i &, llama_seq_id, llama_state_seq_flags) const override {}
  void state_read(llama_io_read_i &, llama_seq_id, llama_state_seq_flags) override {}

private:
  static llama_memory_context_ptr failed() { return std::make_unique<llama_kv_cache_context>(LLAMA_MEMORY_STATUS_FAILED_PREPARE); }

  // Makes parts of each kind of cache that the model has.
  template <class MakeParts> llama_memory_context_ptr context_of(const llama_ubatch &all, MakeParts make) {
    const auto joined = [&](CacheOf cache_of) -> llama_memory_context_ptr {
      std::vector<Part> parts = make(cache_of);
      if (parts.empty()) return nullptr;
      return std::make_unique<llama_kv_cache_context>(std::move(parts), all);
    };
    if (!two_caches(members[0].memory)) {
      llama_memory_context_ptr one = joined(only_cache);
      return one ? std::move(one) : failed();
    }
    llama_memory_context_ptr base = joined([](llama_memory_t memory) { return two_caches(memory)->get_base(); });
    llama_memory_context_ptr window = joined([](llama_memory_t memory) { return two_caches(memory)->get_swa(); });
    if (!base || !window) return failed();
    return std::make_unique<llama_kv_cache_iswa_context>(std::move(base), std::move(window), all);
  }

  // Finds room in each member's cache. @returns none if one has too little
  std::vector<Part> parts_of(const llama_ubatch &all, CacheOf cache_of) const {
    const std::vector<uint32_t> lengths = lengths_of(all);
    std::vector<Part> parts;
    uint32_t first = 0;
    for (size_t i = 0; i < lengths.size(); i++) {
      llama_kv_cache *cache = cache_of(members[i].memory);
      std::vector<llama_ubatch> own = {part_of(all, first, lengths[i])};
      llama_kv_cache::slot_info_vec_t places = cache->prepare(own);
      if (places.empty()) return {};
      parts.push_back({std::make_shared<llama_kv_cache_context>(cache, std::move(places), std::move(own)), members[i].serial, lengths[i]});
      first += lengths[i];
    }
    return parts;
  }
};

// The memory of the context that is being made; null: it gets its own.
llama_memory_i *memory_to_share = nullptr;

// The context that computes for others; null: it was not needed yet.
llama_context *computing = nullptr;
SharedMemory *shared = nullptr;

Member member_of(const Context &context) { return {llama_get_memory(context.llama), context.serial}; }

// Makes the context, with room for all members at once.
void make_computing(const Context &like) {
  const llama_memory_t memory = llama_get_memory(like.llama);
  if (!only_cache(memory) && !two_caches(memory)) throw Refused("This architecture computes only one conversation at once.");
  const int most = LC_MOST_TOGETHER * LC_MOST_OUTPUTS;
  llama_context_params params = context_params(std::max(like.tokens, most), most, 1);
  params.n_outputs_max = most;
  params.n_seq_max = LC_MOST_TOGETHER;
  params.kv_unified = true;
  SharedMemory *made = new SharedMemory;
  made->members.assign(LC_MOST_TOGETHER, member_of(like));
  memory_to_share = made;
  computing = llama_init_from_model(model, params);
  if (memory_to_share) delete made;
  memory_to_share = nullptr;
  if (!computing) throw refused("compute several conversations at once");
  shared = made;
  if (ggml_threadpool *threads = shared_threads()) llama_attach_threadpool(computing, threads, threads);
}

// Tokens of several contexts, each of which is a sequence.
struct Tokens {
  llama_batch llama;
  explicit Tokens(int count) : llama(llama_batch_init(count, 0, 1)) {}
  Tokens(const Tokens &) = delete;
  ~Tokens() { llama_batch_free(llama); }
  void add(int token, int sequence, int position) {
    const int at = llama.n_tokens++;
    llama.token[at] = token;
    llama.pos[at] = position;
    llama.n_seq_id[at] = 1;
    llama.seq_id[at][0] = sequence;
    llama.logits[at] = 1;
  }
};

void check(int count, const int *contexts, const int *counts) {
  if (count < 1 || count > LC_MOST_TOGETHER) throw Refused("A batch has tokens of 1 to " + std::to_string(LC_MOST_TOGETHER) + " contexts.");
  std::vector<int> sorted(contexts, contexts + count);
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) throw Refused("A context is named twice.");
  if (std::any_of(counts, counts + count, [](int each) { return each > LC_MOST_OUTPUTS; })) {
    throw Refused("At most " + std::to_string(LC_MOST_OUTPUTS) + " tokens of a context have logits.");
  }
}

int decode_together(int count, const int *contexts, const int *counts, const int *positions, const int *tokens) {
  check(count, contexts, counts);
  std::vector<Context *> members;
  const int total = std::accumulate(counts, counts + count, 0);
  Tokens batch(total);
  for (int i = 0, at = 0; i < count; at += counts[i++]) {
    Context &member = idle_context_at(contexts[i]);
    check_decode(member, tokens + at, counts[i], positions[i]);
    members.push_back(&member);
    for (int j = 0; j < counts[i]; j++) batch.add(tokens[at + j], i, positions[i] + j);
  }
  if (!computing) make_computing(*members[0]);
  for (int i = 0; i < count; i++) {
    if (!truncate(*members[i], positions[i]) && positions[i] > 0) throw Refused("This architecture cannot go back to an earlier token.");
  }
  shared->members.clear();
  for (const Context *member : members) shared->members.push_back(member_of(*member));
  const int threads = llama_n_threads(members[0]->llama);
  llama_set_n_threads(computing, threads, threads);
  const int result = llama_decode(computing, batch.llama);
  if (result == DECODE_ABORTED) {
    for (int i = 0; i < count; i++) restore(*members[i], positions[i]);
    return 1;
  }
  if (result != 0) throw refused("compute these tokens");
  for (int i = 0, after = total; i < count; i++) {
    after -= counts[i];
    members[i]->end = positions[i] + counts[i];
    members[i]->computed_by = computing;
    members[i]->outputs_after = after;
  }
  return 0;
}

} // namespace

// llama.cpp calls it when it makes the memory of a context, which then has this one.
llama_memory_i *lc_shared_memory() { return std::exchange(memory_to_share, nullptr); }

// llama.cpp calls it when it makes room for graphs.
uint32_t lc_further_nodes(const llama_memory_i *memory, uint32_t layers) {
  return dynamic_cast<const SharedMemory *>(memory) ? LC_MOST_TOGETHER * layers * NODES_OF_LAYER : 0;
}

int lc_decode_together(int count, const int *contexts, const int *counts, const int *positions, const int *tokens) {
  if (count == 1) return lc_decode(contexts[0], tokens, counts[0], positions[0], counts[0]);
  return guarded([&] { return decode_together(count, contexts, counts, positions, tokens); });
}
