// repacking.h: puts rows of weights side by side in memory, as repacked.h reads them.
//
// Nothing is copied: the memory of a file that is mapped has the rows in another order from then on. So a tensor is
// repacked only if all that reads it knows: products of matrices, and those who look up its rows.
#pragma once

#include <cstdint>

#include "ggml.h"

enum class Layout {
  // As in the file, for good: an operation reads it that knows no other.
  OF_FILE,
  // As in the file until its first product, when its bytes have arrived.
  TO_REPACK,
  REPACKED
};

// Notes who reads which weights. llama.cpp calls it with each new graph.
void note_readers(ggml_cgraph *graph);

// The layout of weights that begin at this address; null: nobody has asked for another one. With a GPU, none is repacked:
// llama.cpp may copy weights to it when it needs them.
#ifdef LC_WEBGPU
inline Layout *layout_at(const void *) { return nullptr; }
#else
Layout *layout_at(const void *weights);
#endif

// Repacks eight rows, which begin at `rows` and have `blocks` blocks each.
void repack_group(int type, char *rows, int64_t blocks);

// Turns a row into floats as ggml does. Returns false if the tensor is as in the file.
bool widen_repacked_row(const ggml_tensor *weights, int64_t row, float *to);

// Whether weights may still be missing: then results are thrown away, and no bytes may move.
extern bool weights_are_missing;
