// early-prefill.cpp: computes the first tokens of a prompt while the weights arrive, each part of the graph as soon as
// its weights are there. No C++ exception leaves this file.
#include <algorithm>
#include <vector>

#include "binding.h"
#include "contexts.h"
#include "failure.h"
#include "ggml-impl.h"
#include "llama-graph.h"

namespace {

// What lc_continue_prefill() computes, node by node.
struct Prefill {
  int context = -1;
  ggml_backend_t backend = nullptr;
  ggml_cgraph *graph = nullptr;
  // Null if no logits are wanted.
  const ggml_tensor *logits = nullptr;
  int done = 0;
};

Prefill prefill;
// Whether the next graph is taken.
bool is_taking = false;

// Memory whose bytes are not there yet.
struct Missing {
  uintptr_t start;
  uintptr_t end;
};

bool reads(const ggml_tensor *node, const Missing &missing) {
  const auto overlaps = [&](const ggml_tensor *source) {
    if (!source) return false;
    const uintptr_t start = (uintptr_t)source->data;
    return start < missing.end && start + ggml_nbytes(source) > missing.start;
  };
  return std::any_of(node->src, node->src + GGML_MAX_SRC, overlaps);
}

// The first node, from `prefill.done` on, that reads what is missing.
int first_waiting(const std::vector<Missing> &missing) {
  const int nodes = ggml_graph_n_nodes(prefill.graph);
  for (int i = prefill.done; i < nodes; i++) {
    const ggml_tensor *node = ggml_graph_node(prefill.graph, i);
    if (std::any_of(missing.begin(), missing.end(), [node](const Missing &each) { return reads(node, each); })) return i;
  }
  return nodes;
}

void compute_until(int node, int threads) {
  if (node == prefill.done) return;
  set_threads(prefill.backend, threads);
  ggml_cgraph part = ggml_graph_view(prefill.graph, prefill.done, node);
  if (ggml_backend_graph_compute(prefill.backend, &part) != GGML_STATUS_SUCCESS) throw refused("compute these tokens");
  prefill.done = node;
}

// llama.cpp has copied the logits before they were computed.
void copy_logits(const Context &of) {
  if (!prefill.logits) return;
  ggml_backend_tensor_get(prefill.logits, llama_get_logits_ith(of.llama, -1), 0, ggml_nbytes(prefill.logits));
}

void take_next_graph(int context, const int *tokens, int count, bool wants_logits) {
  prefill = {};
  is_taking = true;
  const int result = lc_decode(context, tokens, count, 0, wants_logits ? 1 : 0);
  is_taking = false;
  if (result != 0) throw Refused(lc_error(), std::min(result, (int)LC_FAILED));
  prefill.context = context;
  if (!wants_logits) prefill.logits = nullptr;
}

} // namespace

// llama.cpp calls it with the batch's graph, whose inputs are set.
bool lc_takes_graph(ggml_backend_t backend, llm_graph_result *result) {
  if (!is_taking) return false;
  prefill.backend = backend;
  prefill.graph = result->get_gf();
  prefill.logits = result->get_logits();
  return true;
}

int lc_begin_prefill(int context, const int *tokens, int count, int wants_logits) {
  return guarded([&] {
    take_next_graph(context, tokens, count, wants_logits != 0);
    context_at(context).is_begun = true;
    return 0;
  });
}

int lc_continue_prefill(int context, const unsigned *missing, int count, int threads) {
  return guarded([&] {
    Context &to = context_at(context);
    if (!to.is_begun || context != prefill.context) throw Refused("No prefill has begun in this context.");
    std::vector<Missing> ranges;
    for (int i = 0; i < count; i++) ranges.push_back({missing[2 * i], missing[2 * i + 1]});
    compute_until(first_waiting(ranges), threads);
    const int left = ggml_graph_n_nodes(prefill.graph) - prefill.done;
    if (left > 0) return left;
    copy_logits(to);
    to.is_begun = false;
    return 0;
  });
}
