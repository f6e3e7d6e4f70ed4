// gpu.cpp: implements gpu.h, without the check of the GPU. No C++ exception leaves the functions that JavaScript calls.
#include "gpu.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "../contexts.h"
#include "../failure.h"
#include "../projector.h"
#include "../state-parts.h"
#include "ggml-backend.h"
#include "ggml-webgpu.h"
#include "llama-context.h"
#include "llama-memory.h"
#include "llama-model.h"

// This function is in ggml-webgpu.cpp, by our patch. Returns false if WebGPU cannot copy this: offsets must be multiples of 4.
bool ggml_webgpu_copy(const ggml_tensor *from, size_t from_offset, ggml_tensor *to, size_t to_offset, size_t bytes);

namespace {

// Gives the facts to another context's memory, and pairs the parts of its tensors with those that were collected.
class Copy : public llama_io_read_i {
public:
  explicit Copy(Held &held) : held_(held) {}

  void read(void *to, size_t size) override {
    if (size > held_.facts.size() - done_) throw refused("copy the KV cache");
    std::memcpy(to, held_.facts.data() + done_, size);
    done_ += size;
  }

  // Cells may be in other places there: one part may be several here.
  void read_tensor(ggml_tensor *tensor, size_t offset, size_t size) override {
    while (size > 0) {
      if (held_.parts.empty()) throw refused("copy the KV cache");
      Part &from = held_.parts.front();
      const size_t bytes = std::min(size, from.bytes);
      pairs_.push_back({{from.tensor, from.offset, bytes}, {tensor, offset, bytes}});
      from.offset += bytes;
      from.bytes -= bytes;
      offset += bytes;
      size -= bytes;
      if (from.bytes == 0) held_.parts.pop_front();
    }
  }

  size_t n_bytes() override { return done_; }

  void run() const {
    for (const auto &[from, to] : pairs_) {
      if (!ggml_webgpu_copy(from.tensor, from.offset, to.tensor, to.offset, from.bytes)) throw refused("copy the KV cache");
    }
  }

private:
  Held &held_;
  size_t done_ = 0;
  std::vector<std::pair<Part, Part>> pairs_;
};

} // namespace

void use_gpu(llama_model_params &params) {
  static const bool is_registered = (ggml_backend_register(ggml_backend_webgpu_reg()), true);
  (void)is_registered;
  // Each tensor is read and uploaded by itself: its file need not be in the module's memory.
  params.load_mode = LLAMA_LOAD_MODE_NONE;
  // In 32 bits, llama.cpp takes the 4 GiB from which it maps some tensors all the same for 0: Gemma 4 has such tensors.
  params.lazy_mode = LLAMA_LAZY_MODE_OFF;
}

void copy_on_gpu(const llama_context *from, llama_context *to) {
  Held held;
  llama_get_memory(from)->state_write(held, 0);
  Copy copy(held);
  try {
    llama_get_memory(to)->state_read(copy, 0);
    copy.run();
  } catch (...) {
    llama_memory_clear(llama_get_memory(to), false);
    throw;
  }
}

int lc_is_whole(int context) {
  return guarded([&] {
    // The CPU looks up the tokens' vectors first.
    return ggml_backend_sched_get_n_splits(context_at(context).llama->get_sched()) <= 2 ? 1 : 0;
  });
}

int lc_fill_weights(const char *tensor, unsigned offset, const void *bytes, unsigned count) {
  return guarded([&] {
    if (!model) throw Refused("This module has no model yet.");
    // The same weights may be in two places: the CPU looks up the tokens' vectors, and the GPU makes logits of them.
    for (const auto &[name, place] : model->tensors_by_name) {
      if (name != tensor) continue;
      const size_t size = ggml_nbytes(place);
      if (offset > size || count > size - offset) throw Refused("The tensor " + name + " has only " + std::to_string(size) + " bytes.");
      ggml_backend_tensor_set(place, bytes, offset, count);
    }
    return 0;
  });
}

int lc_load_projector_on_gpu(const char *path, int side) {
  return guarded([&] {
    load_projector(path, side);
    return 0;
  });
}
