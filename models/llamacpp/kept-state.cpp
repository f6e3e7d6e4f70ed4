// kept-state.cpp: implements what binding.h says of kept states. No C++ exception leaves this file.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>

#include "binding.h"
#include "contexts.h"
#include "failure.h"
#include "ggml-backend.h"
#include "llama-context.h"
#include "llama-memory.h"
#include "state-parts.h"

namespace {

// A state is the size of its head, the head, and the parts of tensors in the head's order.
using Size = uint32_t;
// Heads are a few bytes for each token.
const Size LARGEST_HEAD = 1 << 28;
// WebGPU reads and writes whole words: no part may begin or end inside of one.
const size_t WORD = 4;

struct Taking {
  int context = -1;
  std::vector<char> head;
  size_t done = 0;
  std::deque<Part> parts;
} taking;

struct Putting {
  int context = -1;
  // With the size before it.
  std::vector<char> head;
  bool has_parts = false;
  std::deque<Part> parts;
} putting;

// Gives the facts to a context's memory, and collects the parts of tensors that it would read.
class Wanted : public llama_io_read_i {
public:
  explicit Wanted(const std::vector<char> &head) : head_(head) {}

  void read(void *to, size_t size) override {
    if (size > head_.size() - done_) throw Refused("The state is too short.");
    std::memcpy(to, head_.data() + done_, size);
    done_ += size;
  }
  void read_tensor(ggml_tensor *tensor, size_t offset, size_t size) override { parts.push_back({tensor, offset, size}); }
  size_t n_bytes() override { return done_; }

  std::deque<Part> parts;

private:
  const std::vector<char> &head_;
  size_t done_ = sizeof(Size);
};

// The backend whose memory the tensor is in.
ggml_backend_t backend_of(int context, const ggml_tensor *tensor) {
  ggml_backend_sched_t backends = context_at(context).llama->get_sched();
  ggml_backend_buffer_type_t memory = ggml_backend_buffer_get_type(tensor->buffer);
  for (int i = 0; i < ggml_backend_sched_get_n_backends(backends); i++) {
    ggml_backend_t backend = ggml_backend_sched_get_backend(backends, i);
    if (ggml_backend_supports_buft(backend, memory)) return backend;
  }
  throw Refused("The KV cache is in unknown memory.");
}

// Takes up to `most` bytes from the front of the parts. `use` gets the tensor, the offset in it, and how many bytes.
template <class Use> size_t next_of(std::deque<Part> &parts, size_t most, Use use) {
  Part &part = parts.front();
  const size_t bytes = std::min(part.bytes, most);
  use(part.tensor, part.offset, bytes);
  part.offset += bytes;
  part.bytes -= bytes;
  if (part.bytes == 0) parts.pop_front();
  return bytes;
}

// Adds bytes to the head until it is whole. Returns how many it took.
size_t fill_head(const unsigned char *bytes, size_t count) {
  std::vector<char> &head = putting.head;
  size_t wanted = sizeof(Size);
  if (head.size() >= sizeof(Size)) {
    Size size;
    std::memcpy(&size, head.data(), sizeof(Size));
    if (size > LARGEST_HEAD) throw Refused("This is no state of a KV cache.");
    wanted += size;
  }
  const size_t taken = std::min(wanted - head.size(), count);
  head.insert(head.end(), bytes, bytes + taken);
  if (head.size() == wanted && wanted > sizeof(Size)) {
    Wanted parts(head);
    llama_get_memory(context_at(putting.context).llama)->state_read(parts, 0);
    putting.parts = std::move(parts.parts);
    putting.has_parts = true;
  }
  return taken;
}

void put(const unsigned char *bytes, size_t count) {
  while (count > 0) {
    size_t taken;
    if (!putting.has_parts) {
      taken = fill_head(bytes, count);
    } else if (putting.parts.empty()) {
      throw Refused("The state is too long.");
    } else {
      taken = next_of(putting.parts, count, [bytes](ggml_tensor *tensor, size_t offset, size_t size) {
        ggml_backend_tensor_set(tensor, bytes, offset, size);
      });
    }
    bytes += taken;
    count -= taken;
  }
}

// Runs a part of putting a state. If it fails, the KV cache is empty.
template <class Function> int or_empty(Function run) {
  return guarded([&] {
    try {
      return run();
    } catch (...) {
      if (putting.context >= 0) empty(context_at(putting.context));
      putting = {};
      throw;
    }
  });
}

} // namespace

double lc_begin_taking(int context) {
  return guarded([&] {
    taking = {};
    llama_context *llama = idle_context_at(context).llama;
    llama_synchronize(llama);
    Held held;
    llama_get_memory(llama)->state_write(held, 0);
    held.facts.resize((held.facts.size() + WORD - 1) / WORD * WORD);
    const Size size = held.facts.size();
    taking.head.resize(sizeof(Size));
    std::memcpy(taking.head.data(), &size, sizeof(Size));
    taking.head.insert(taking.head.end(), held.facts.begin(), held.facts.end());
    taking.parts = std::move(held.parts);
    taking.context = context;
    double bytes = taking.head.size();
    for (const Part &part : taking.parts) bytes += part.bytes;
    return bytes;
  });
}

int lc_take(unsigned char *bytes, int most) {
  return guarded([&] {
    const size_t room = most;
    size_t count = std::min(room, taking.head.size() - taking.done);
    std::memcpy(bytes, taking.head.data() + taking.done, count);
    taking.done += count;
    while (count < room && !taking.parts.empty()) {
      count += next_of(taking.parts, room - count, [&](ggml_tensor *tensor, size_t offset, size_t size) {
        ggml_backend_tensor_get_async(backend_of(taking.context, tensor), tensor, bytes + count, offset, size);
      });
    }
    return (int)count;
  });
}

int lc_begin_putting(int context) {
  return guarded([&] {
    empty(idle_context_at(context));
    putting = {};
    putting.context = context;
    return 0;
  });
}

int lc_put(const unsigned char *bytes, int count) {
  return or_empty([&] {
    if (putting.context < 0) throw Refused("No state is being put.");
    put(bytes, count);
    return 0;
  });
}

int lc_end_putting(void) {
  return or_empty([&] {
    if (!putting.has_parts || !putting.parts.empty()) throw Refused("The state is too short.");
    Context &context = context_at(putting.context);
    context.end = llama_memory_seq_pos_max(llama_get_memory(context.llama), 0) + 1;
    putting = {};
    return context.end;
  });
}
