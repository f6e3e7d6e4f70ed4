#include "repacking.h"

#include <cstring>
#include <unordered_map>
#include <vector>

#include "ggml-backend.h"
#include "ggml-impl.h"
#include "products.h"

bool weights_are_missing = false;

namespace {

// Makes the vectors of four rows of a group.
template <class Block> void repack_vectors(const std::vector<Block> &rows, int64_t block, int64_t blocks, int side, Group<Block> &group) {
  using Of = Vectors<Block>;
  v128_t numbers[4][ROWS];
  for (int row = 0; row < ROWS; row++) {
    const Block &from = rows[(ROWS * side + row) * blocks + block];
    for (int i = 0; i < 2; i++) {
      const v128_t sixteen = Of::sixteen(from, i);
      numbers[2 * i][row] = wasm_i16x8_extend_low_i8x16(sixteen);
      numbers[2 * i + 1][row] = wasm_i16x8_extend_high_i8x16(sixteen);
    }
  }
  for (int i = 0; i < 4; i++) {
    v128_t pairs[4];
    transpose(numbers[i], pairs);
    for (int first = 0; first < 4; first += Of::PAIRS) {
      wasm_v128_store(group.vectors[(4 * i + first) / Of::PAIRS][side], Of::packed(pairs + first));
    }
  }
}

template <class Block> void repack_group(Block *rows, int64_t blocks) {
  const std::vector<Block> from(rows, rows + GROUP_ROWS * blocks);
  Group<Block> *to = (Group<Block> *)rows;
  for (int64_t block = 0; block < blocks; block++) {
    for (int row = 0; row < GROUP_ROWS; row++) memcpy(to[block].heads[row], &from[row * blocks + block], Group<Block>::HEAD);
    for (int side = 0; side < SIDES; side++) repack_vectors(from, block, blocks, side, to[block]);
  }
}

// The number `i` of a row, as it is in the file.
template <class Block> int number_of(const Group<Block> &group, int row, int i) {
  using Of = Vectors<Block>;
  const int pair = i / 2;
  int16_t eight[8];
  const v128_t vector = wasm_v128_load(group.vectors[pair / Of::PAIRS][row / ROWS]);
  repeat<Of::PAIRS>([&](auto at) {
    if (pair % Of::PAIRS == at) wasm_v128_store(eight, Of::pair(vector, at));
  });
  return eight[2 * (row % ROWS) + i % 2];
}

// A block of a row, as it is in the file.
template <class Block> Block block_of(const Group<Block> &group, int row) {
  Block block;
  memcpy(&block, group.heads[row], Group<Block>::HEAD);
  for (int i = 0; i < (int)sizeof(block.qs); i++) {
    const int high = Vectors<Block>::PAIRS == 4 ? number_of(group, row, 16 + i) << 4 : 0;
    block.qs[i] = number_of(group, row, i) | high;
  }
  return block;
}

} // namespace

void repack_group(int type, char *rows, int64_t blocks) {
  for_repacked_type(type, [&](auto *block) { repack_group((decltype(block))rows, blocks); });
}

bool widen_repacked_row(const ggml_tensor *weights, int64_t row, float *to) {
  const Layout *layout = layout_at(weights->data);
  if (!layout || *layout != Layout::REPACKED) return false;
  for_repacked_type(weights->type, [&](auto *type) {
    using Block = std::remove_pointer_t<decltype(type)>;
    const int64_t blocks = weights->ne[0] / Format<Block>::NUMBERS;
    const Group<Block> *groups = (const Group<Block> *)weights->data + row / GROUP_ROWS * blocks;
    for (int64_t i = 0; i < blocks; i++) {
      const Block block = block_of(groups[i], row % GROUP_ROWS);
      ggml_get_type_traits(weights->type)->to_float(&block, to + i * Format<Block>::NUMBERS, Format<Block>::NUMBERS);
    }
  });
  return true;
}

#ifdef LC_WEBGPU

void note_readers(ggml_cgraph *) {}

#else

namespace {

// By the address of the weights, because several tensors may share them.
std::unordered_map<const void *, Layout> layouts;

bool can_be_repacked(const ggml_tensor *weights) {
  if (weights->op != GGML_OP_NONE || !weights->buffer || ggml_backend_buffer_get_usage(weights->buffer) != GGML_BACKEND_BUFFER_USAGE_WEIGHTS) return false;
  return for_repacked_type(weights->type, [](auto) {}) && ggml_is_matrix(weights) && ggml_is_contiguous(weights) && weights->ne[1] % GROUP_ROWS == 0;
}

bool is_product(const ggml_tensor *node, const ggml_tensor *weights) {
  return node->op == GGML_OP_MUL_MAT && node->src[0] == weights && node->src[1] != weights && node->src[1]->type == GGML_TYPE_F32;
}

bool is_look_up(const ggml_tensor *node, const ggml_tensor *weights) {
  return node->op == GGML_OP_GET_ROWS && node->src[0] == weights && node->src[1] != weights;
}

void note_reader(const ggml_tensor *node, const ggml_tensor *source) {
  const ggml_tensor *weights = source->view_src ? source->view_src : source;
  if (!can_be_repacked(weights)) return;
  if (is_product(node, source)) {
    layouts.emplace(source->data, Layout::TO_REPACK);
  } else if (!is_look_up(node, source)) {
    Layout &layout = layouts[weights->data];
    GGML_ASSERT(layout != Layout::REPACKED && "another operation reads weights that were only multiplied before");
    layout = Layout::OF_FILE;
  }
}

} // namespace

void note_readers(ggml_cgraph *graph) {
  for (int i = 0; i < ggml_graph_n_nodes(graph); i++) {
    const ggml_tensor *node = ggml_graph_node(graph, i);
    for (const ggml_tensor *source : node->src) {
      if (source) note_reader(node, source);
    }
  }
}

Layout *layout_at(const void *weights) {
  const auto found = layouts.find(weights);
  return found == layouts.end() ? nullptr : &found->second;
}

#endif
