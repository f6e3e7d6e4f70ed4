// projector.cpp: implements projector.h, and of binding.h the load of a projector. No C++ exception leaves the functions that
// JavaScript calls.
#include "projector.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <map>
#include <string>

#include "binding.h"
#include "contexts.h"
#include "failure.h"

// These are in mtmd.cpp, by our patch. The function names an operation that the projector's device lacks for a piece;
// null: none.
extern bool mtmd_only_overview;
const char *mtmd_lacks(mtmd_context *projector, const mtmd_input_chunk *piece);

namespace {

// A file that is open.
struct File {
  int number = -1;
  size_t bytes = 0;
  explicit File(const char *path) : number(open(path, O_RDONLY)) {
    struct stat facts;
    if (number < 0 || fstat(number, &facts) != 0) throw Refused("The projector's file is missing.");
    bytes = facts.st_size;
  }
  File(const File &) = delete;
  ~File() { close(number); }
};

mtmd::context_ptr projector;
// Whether a projector is opened without its weights.
bool is_without_weights = false;

struct Asking {
  Asking() { is_without_weights = true; }
  Asking(const Asking &) = delete;
  ~Asking() { is_without_weights = false; }
};

mtmd::context_ptr open_projector(const char *path, bool on_gpu, bool has_flash_attention) {
  mtmd_context_params params = mtmd_context_params_default();
  params.use_gpu = on_gpu;
  params.flash_attn_type = has_flash_attention ? LLAMA_FLASH_ATTN_TYPE_ENABLED : LLAMA_FLASH_ATTN_TYPE_DISABLED;
  params.warmup = false;
  params.print_timings = false;
  params.n_threads = 1;
  mtmd::context_ptr opened(mtmd_init_from_file(path, model, params));
  if (!opened) throw refused("load the projector of this model");
  return opened;
}

// An operation on the pieces of a square image that the GPU lacks, by its name; empty: none.
std::string lacking_on_gpu(const char *path, int side, bool has_flash_attention) {
  const Asking asking;
  const mtmd::context_ptr asked = open_projector(path, true, has_flash_attention);
  const auto chunks = read_image(asked.get(), side, side, nullptr, false);
  for (const mtmd_input_chunk *piece : pieces_in(*chunks)) {
    if (const char *operation = mtmd_lacks(asked.get(), piece)) return operation;
  }
  return "";
}

mtmd::context_ptr open_on_gpu(const char *path, int side) {
  const std::string first = lacking_on_gpu(path, side, true);
  if (first.empty()) return open_projector(path, true, true);
  const std::string operation = lacking_on_gpu(path, side, false);
  if (operation.empty()) return open_projector(path, true, false);
  throw Refused("On GPUs, llama.cpp lacks an operation of the projector: " + (first == "FLASH_ATTN_EXT" ? operation : first) + ".");
}

ggml_backend_buffer_t map_weights(ggml_context *weights, int file, size_t bytes, const std::map<std::string, size_t> &offsets) {
  void *start = mmap(nullptr, bytes, PROT_READ, MAP_SHARED, file, 0);
  if (start == MAP_FAILED) throw Refused("There is not enough memory.", LC_NO_MEMORY);
  ggml_backend_buffer_t buffer = ggml_backend_cpu_buffer_from_ptr(start, bytes);
  for (ggml_tensor *each = ggml_get_first_tensor(weights); each; each = ggml_get_next_tensor(weights, each)) {
    ggml_backend_tensor_alloc(buffer, each, (char *)start + offsets.at(each->name));
  }
  return buffer;
}

// Tensor by tensor, so that the module's memory has only one of them.
ggml_backend_buffer_t upload_weights(ggml_backend_t gpu, ggml_context *weights, int file, const std::map<std::string, size_t> &offsets) {
  ggml_backend_buffer_t buffer = ggml_backend_alloc_ctx_tensors(weights, gpu);
  if (!buffer) throw Refused("There is not enough memory.", LC_NO_MEMORY);
  for (ggml_tensor *each = ggml_get_first_tensor(weights); each; each = ggml_get_next_tensor(weights, each)) {
    std::vector<char> bytes(ggml_nbytes(each));
    const ssize_t read = pread(file, bytes.data(), bytes.size(), offsets.at(each->name));
    if (read != (ssize_t)bytes.size()) throw Refused("The projector's file cannot be read.");
    ggml_backend_tensor_set(each, bytes.data(), 0, bytes.size());
  }
  return buffer;
}

} // namespace

// clip.cpp calls it with the tensors of the projector's file. On the CPU they are used where the file is in memory.
ggml_backend_buffer_t clip_place_weights(ggml_backend_t backend, ggml_context *weights, const char *path, const std::map<std::string, size_t> &offsets) {
  if (is_without_weights) return nullptr;
  const File file(path);
  for (ggml_tensor *each = ggml_get_first_tensor(weights); each; each = ggml_get_next_tensor(weights, each)) {
    if (offsets.at(each->name) + ggml_nbytes(each) > file.bytes) throw Refused("The projector's file ends too early.");
  }
  ggml_backend_buffer_t buffer = is_cpu(backend) ? map_weights(weights, file.number, file.bytes, offsets) : upload_weights(backend, weights, file.number, offsets);
  ggml_backend_buffer_set_usage(buffer, GGML_BACKEND_BUFFER_USAGE_WEIGHTS);
  return buffer;
}

bool is_cpu(ggml_backend_t backend) { return ggml_backend_dev_type(ggml_backend_get_device(backend)) == GGML_BACKEND_DEVICE_TYPE_CPU; }

bool is_text(const mtmd_input_chunk *chunk) { return mtmd_input_chunk_get_type(chunk) == MTMD_INPUT_CHUNK_TYPE_TEXT; }

std::unique_ptr<mtmd::input_chunks> read_image(mtmd_context *by, int width, int height, const unsigned char *pixels, bool low) {
  const mtmd::bitmap_ptr bitmap(mtmd_bitmap_init(width, height, pixels));
  auto chunks = std::make_unique<mtmd::input_chunks>(mtmd_input_chunks_init());
  const mtmd_input_part part = {nullptr, bitmap.get()};
  const mtmd_input_part *parts[] = {&part};
  mtmd_only_overview = low;
  if (mtmd_tokenize_from_parts(by, chunks->ptr.get(), parts, 1, false) != 0) throw refused("read this image");
  return chunks;
}

std::vector<const mtmd_input_chunk *> pieces_in(const mtmd::input_chunks &chunks) {
  std::vector<const mtmd_input_chunk *> pieces;
  for (size_t i = 0; i < chunks.size(); i++) {
    if (!is_text(chunks[i])) pieces.push_back(chunks[i]);
  }
  return pieces;
}

mtmd_context *loaded_projector() {
  if (!projector) throw Refused("This model has no projector for images.");
  return projector.get();
}

void load_projector(const char *path, int side) {
  if (projector) throw Refused("This module has a projector already.");
  projector = side > 0 ? open_on_gpu(path, side) : open_projector(path, false, true);
}

int lc_load_projector(const char *path) {
  return guarded([&] {
    load_projector(path, 0);
    return 0;
  });
}
