// Stand-in for src/support/utils.h, which is not in the wheel: the two helpers that the runtime uses.
#pragma once
#include <sstream>
#include <string>
#include <vector>

namespace tvm {
namespace support {

inline std::vector<std::string> Split(const std::string& text, char delimiter) {
  std::vector<std::string> parts;
  std::string part;
  std::istringstream stream(text);
  while (std::getline(stream, part, delimiter)) parts.push_back(part);
  return parts;
}

inline bool StartsWith(const std::string& text, const char* prefix) {
  return text.rfind(prefix, 0) == 0;
}

}  // namespace support
}  // namespace tvm
