// projector.h: what turns images into vectors, for images.cpp and webgpu/gpu.cpp. All throw what failure.h knows.
#pragma once

#include <memory>
#include <vector>

#include "ggml-backend.h"
#include "mtmd.h"

// Loads the model's projector. The GPU gets it if `side` is not 0: throws Refused if it lacks an operation on images of
// `side` * `side` pixels.
void load_projector(const char *path, int side);
mtmd_context *loaded_projector();
bool is_cpu(ggml_backend_t backend);

// The chunks of an image. Without pixels (null) it can only be counted.
std::unique_ptr<mtmd::input_chunks> read_image(mtmd_context *by, int width, int height, const unsigned char *pixels, bool low);
bool is_text(const mtmd_input_chunk *chunk);
std::vector<const mtmd_input_chunk *> pieces_in(const mtmd::input_chunks &chunks);
