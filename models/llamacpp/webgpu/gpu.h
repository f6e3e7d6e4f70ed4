// gpu.h: what the product with WebGPU has beside binding.h.
//
// A call into the module does not wait for the GPU: what lc_decode(), lc_decode_image(), lc_encode(), lc_embed() and
// lc_begin_check() have computed, and what lc_take() writes, is in memory when JavaScript has waited for finishGpuWork().
// Before that, lc_logits() and lc_embedding() point to old values, and no context may be freed.
#pragma once

#ifdef __cplusplus
#include "llama.h"

// Lets a model be loaded into the memory of the GPU, if there is one.
void use_gpu(llama_model_params &params);
// Copies what the memory of one context holds to that of another one, which is empty. Throws what failure.h knows.
void copy_on_gpu(const llama_context *from, llama_context *to);

extern "C" {
#endif

// Whether the GPU computes all of a context's graph: 1, or 0 if the CPU computes a part of it, for which it would have to
// read values of the GPU: then lc_decode() fails.
int lc_is_whole(int context);

// Writes bytes of a tensor of the model, from `offset` on: its weights need not be there when lc_load() reads them. Offset and
// count are multiples of 4; only the tensor's last bytes may be fewer. What the model does not use is left out. Returns 0.
int lc_fill_weights(const char *tensor, unsigned offset, const void *bytes, unsigned count);

// Like lc_load_projector(), with the projector in the memory of the GPU. No image will have more than `side` * `side` pixels.
// LC_FAILED: the GPU lacks an operation on such images, or the file is wrong. Then lc_load_projector() may be called.
int lc_load_projector_on_gpu(const char *path, int side);

// A GPU whose driver computes wrong values does not say so. Begins to multiply weights of `rows` rows, each of `columns`
// values of a type of ggml, by `tokens` vectors. Returns 0.
int lc_begin_check(int type, int columns, int rows, const void *weights, int tokens);
// The normalised mean squared error of the result, after finishGpuWork().
double lc_end_check(void);

#ifdef __cplusplus
}
#endif
