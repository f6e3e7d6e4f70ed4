// Stand-in without effect for CUDA's profiling ranges, which a wasm runtime does not have.
#pragma once
#include <string>

namespace tvm {
namespace support {

struct NVTXScopedRange {
  explicit NVTXScopedRange(const char*) {}
  explicit NVTXScopedRange(const std::string&) {}
};

}  // namespace support
}  // namespace tvm
