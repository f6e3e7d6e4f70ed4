// images.cpp: implements binding.h for images, with llama.cpp's mtmd. No C++ exception leaves this file.
#include <algorithm>
#include <memory>
#include <vector>

#include "binding.h"
#include "contexts.h"
#include "failure.h"
#include "ggml-alloc.h"
#include "ggml-backend.h"
#include "ggml-cpp.h"
#include "ggml-impl.h"
#include "mtmd.h"
#include "projector.h"

namespace {

// What the projector computes, node by node.
struct Encoding {
  ggml_backend_t backend = nullptr;
  ggml_cgraph *graph = nullptr;
  int done = 0;
  const mtmd_input_chunk *piece = nullptr;
  // The vectors of all tokens of the piece; empty until it is encoded.
  std::vector<float> vectors;
};

// How many nodes of a graph a GPU computes at once, about a layer. What it was given cannot be taken back.
const int GPU_NODES = 32;

std::vector<std::unique_ptr<mtmd::input_chunks>> images;
Encoding encoding;

const mtmd::input_chunks &image_at(int number) {
  const bool exists = number >= 0 && number < (int)images.size() && images[number];
  if (!exists) throw Refused("There is no image " + std::to_string(number) + ".");
  return *images[number];
}

std::vector<int> layout_of(const mtmd::input_chunks &chunks) {
  std::vector<int> layout;
  for (size_t i = 0; i < chunks.size(); i++) {
    if (is_text(chunks[i])) {
      size_t count = 0;
      const llama_token *tokens = mtmd_input_chunk_get_tokens_text(chunks[i], &count);
      layout.insert(layout.end(), tokens, tokens + count);
    } else {
      layout.push_back(-(int)mtmd_input_chunk_get_n_tokens(chunks[i]));
      layout.push_back(mtmd_input_chunk_get_n_pos(chunks[i]));
    }
  }
  return layout;
}

void forget_encoding() { encoding = {}; }

// The encoding's result is the last node.
void take_vectors() {
  const ggml_tensor *result = ggml_graph_node(encoding.graph, -1);
  const size_t expected = mtmd_input_chunk_get_n_tokens(encoding.piece) * llama_model_n_embd_inp(model);
  if (ggml_nelements(result) != (int64_t)expected) throw Refused("The projector gives vectors of another size.", LC_BROKEN);
  encoding.vectors.resize(expected);
  ggml_backend_tensor_get_async(encoding.backend, result, encoding.vectors.data(), 0, ggml_nbytes(result));
  encoding.graph = nullptr;
}

// Within it, the tokens of a batch may attend to each other in both directions.
struct Attention {
  llama_context *llama;
  Attention(llama_context *llama_, bool is_whole) : llama(is_whole ? llama_ : nullptr) {
    if (llama) llama_set_causal_attn(llama, false);
  }
  Attention(const Attention &) = delete;
  ~Attention() {
    if (llama) llama_set_causal_attn(llama, true);
  }
};

int decode(Context &context, int first, int count, int position, bool wants_logits) {
  const mtmd_image_tokens *tokens = mtmd_input_chunk_get_tokens_image(encoding.piece);
  const size_t width = llama_model_n_embd_inp(model);
  const std::unique_ptr<llama_batch_ext, decltype(&llama_batch_ext_free)> batch(llama_batch_ext_init(context.llama), llama_batch_ext_free);
  for (int i = first; i < first + count; i++) {
    const int index = llama_batch_ext_add_embd(batch.get(), 0, {&encoding.vectors[i * width], 1, width});
    const mtmd_decoder_pos at = mtmd_image_tokens_get_decoder_pos(tokens, position, i);
    // The dimensions are in llama.cpp's order.
    const llama_pos positions[] = {(llama_pos)at.t, (llama_pos)at.y, (llama_pos)at.x, (llama_pos)at.z};
    if (index < 0 || !llama_batch_ext_set_pos(batch.get(), index, positions)) throw refused("read this image");
    if (wants_logits && i == first + count - 1) llama_batch_ext_set_output_logits(batch.get(), index, true);
  }
  const Attention attention(context.llama, mtmd_decode_use_non_causal(loaded_projector(), encoding.piece));
  compute_alone(context);
  return llama_process(context.llama, LLAMA_PROCESS_TYPE_DECODE, batch.get());
}

void check_decode(const Context &context, int first, int count, int position) {
  const int size = (int)mtmd_input_chunk_get_n_tokens(encoding.piece);
  if (encoding.vectors.empty()) throw Refused("No image is encoded.");
  if (count < 1 || count > context.batch) throw Refused("A batch has 1 to " + std::to_string(context.batch) + " tokens.");
  if (first < 0 || first + count > size) throw Refused("The piece has only " + std::to_string(size) + " tokens.");
  const int begun = first == 0 || has_several_dimensions() ? position : position + first;
  if (position < 0 || begun > context.end) throw Refused("The KV cache has only " + std::to_string(context.end) + " tokens.");
}

} // namespace

// clip.cpp calls it when it has made a graph. All of it is in the memory of one device.
bool clip_alloc_graph(ggml_backend_t backend, ggml_cgraph *graph) {
  static const ggml_gallocr_ptr memory(ggml_gallocr_new(ggml_backend_get_default_buffer_type(backend)));
  return ggml_gallocr_alloc_graph(memory.get(), graph);
}

// clip.cpp calls it when a graph is ready to be computed.
ggml_status clip_take_graph(ggml_backend_t backend, ggml_cgraph *graph) {
  encoding.backend = backend;
  encoding.graph = graph;
  return GGML_STATUS_ABORTED;
}

int lc_pieces_are_whole(void) {
  return guarded([&] { return mtmd_decode_use_non_causal(loaded_projector(), nullptr) ? 1 : 0; });
}

int lc_new_image(int width, int height, const unsigned char *pixels, int low) {
  return guarded([&] {
    auto chunks = read_image(loaded_projector(), width, height, pixels, low != 0);
    const auto found = std::find(images.begin(), images.end(), nullptr);
    const int number = (int)(found - images.begin());
    if (found == images.end()) images.emplace_back();
    images[number] = std::move(chunks);
    return number;
  });
}

void lc_free_image(int image) {
  guarded([&] {
    const std::vector<const mtmd_input_chunk *> pieces = pieces_in(image_at(image));
    if (std::find(pieces.begin(), pieces.end(), encoding.piece) != pieces.end()) forget_encoding();
    images[image] = nullptr;
    return 0;
  });
}

int lc_image_layout(int image, int *layout, int most) {
  return guarded([&] {
    const std::vector<int> numbers = layout_of(image_at(image));
    if ((int)numbers.size() <= most) std::copy(numbers.begin(), numbers.end(), layout);
    return (int)numbers.size();
  });
}

int lc_begin_encoding(int image, int piece) {
  return guarded([&] {
    const std::vector<const mtmd_input_chunk *> pieces = pieces_in(image_at(image));
    if (piece < 0 || piece >= (int)pieces.size()) throw Refused("The image has only " + std::to_string(pieces.size()) + " pieces.");
    forget_encoding();
    // Fails always: clip_take_graph() has taken the graph, and lc_encode() computes it.
    mtmd_encode_chunk(loaded_projector(), pieces[piece]);
    if (!encoding.graph) throw refused("read this image");
    encoding.piece = pieces[piece];
    return ggml_graph_n_nodes(encoding.graph);
  });
}

int lc_encode(double milliseconds, int threads) {
  return guarded([&] {
    if (!encoding.graph) throw Refused("Nothing is being encoded.");
    const double end = ggml_time_us() / 1000.0 + milliseconds;
    const int nodes = ggml_graph_n_nodes(encoding.graph);
    const bool on_cpu = is_cpu(encoding.backend);
    if (on_cpu) set_threads(encoding.backend, threads);
    do {
      const int next = std::min(nodes, encoding.done + (on_cpu ? 1 : GPU_NODES));
      ggml_cgraph step = ggml_graph_view(encoding.graph, encoding.done, next);
      if (ggml_backend_graph_compute(encoding.backend, &step) != GGML_STATUS_SUCCESS) throw refused("read this image");
      encoding.done = next;
    } while (on_cpu && encoding.done < nodes && ggml_time_us() / 1000.0 < end);
    if (encoding.done == nodes) take_vectors();
    return nodes - encoding.done;
  });
}

int lc_decode_image(int context, int first, int count, int position, int wants_logits) {
  return guarded([&] {
    Context &to = idle_context_at(context);
    check_decode(to, first, count, position);
    // Tokens that share a position cannot be removed one by one.
    if (first == 0 && !truncate(to, position)) throw Refused("This architecture cannot go back to an earlier token.");
    const int result = decode(to, first, count, position, wants_logits != 0);
    if (result == DECODE_ABORTED) return restore(to, position) ? 1 : 2;
    if (result != 0) throw refused("read this image");
    to.end = position + (has_several_dimensions() ? mtmd_input_chunk_get_n_pos(encoding.piece) : first + count);
    return 0;
  });
}
