// state-parts.h: what the memory of a context holds, as facts and parts of tensors, without a copy of the tensors.
#pragma once

#include <deque>
#include <vector>

#include "ggml.h"
#include "llama-io.h"

// A part of a tensor.
struct Part {
  ggml_tensor *tensor;
  size_t offset;
  size_t bytes;
};

// Collects what a context's memory holds: facts as bytes, and the parts of tensors that it would write.
class Held : public llama_io_write_i {
public:
  std::vector<char> facts;
  std::deque<Part> parts;

  void write(const void *source, size_t size) override {
    facts.insert(facts.end(), (const char *)source, (const char *)source + size);
  }
  void write_tensor(ggml_tensor *tensor, size_t offset, size_t size) override { parts.push_back({tensor, offset, size}); }
  size_t n_bytes() override { return facts.size(); }
};
