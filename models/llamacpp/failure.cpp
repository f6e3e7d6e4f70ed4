#include "failure.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <new>
#include <sstream>

#include "llama.h"
#include "mtmd.h"

std::string failure;

namespace {

// Room for words, bytes. It is taken before there is no memory left for them.
const size_t MOST_WORDS = 2000;
const size_t MOST_LOGGED = 10000;

std::string logged;

// An assertion of llama.cpp that does not hold. What it was doing is half done.
struct BrokenAssertion : std::runtime_error {
  using std::runtime_error::runtime_error;
};

void throw_assertion(const char *message) { throw BrokenAssertion(message); }

// A line may come in pieces, of which all but the first have the level "continued".
void keep_errors(ggml_log_level level, const char *text, void *) {
  static bool keeps = false;
  if (level != GGML_LOG_LEVEL_CONT) keeps = level == GGML_LOG_LEVEL_ERROR;
  if (keeps) logged.append(text, std::min(std::strlen(text), MOST_LOGGED - logged.size()));
}

struct Explanation {
  // Part of what llama.cpp logs.
  const char *sign;
  const char *words;
  int code;
};

const char *const NO_MEMORY = "There is not enough memory.";
const char *const CUT_OFF = "The file is cut off or damaged.";

// The first one whose sign was logged is the explanation.
const Explanation EXPLANATIONS[] = {
    {"bad_alloc", NO_MEMORY, LC_NO_MEMORY},
    {"failed to allocate", NO_MEMORY, LC_NO_MEMORY},
    {"unable to allocate", NO_MEMORY, LC_NO_MEMORY},
    {"failed to open", "A file of this model is missing.", LC_FAILED},
    {"read error", "The file cannot be read.", LC_FAILED},
    {"invalid magic characters", "This is not a GGUF file.", LC_FAILED},
    {"unknown model architecture", "llama.cpp does not know the architecture of this model.", LC_FAILED},
    {"unknown tokenizer", "llama.cpp does not know the tokenizer of this model.", LC_FAILED},
    {"unknown pre-tokenizer", "llama.cpp does not know the tokenizer of this model.", LC_FAILED},
    {"invalid ggml type", "llama.cpp does not know the quantisation of this model.", LC_FAILED},
    {"invalid split count", "A part of this model is missing.", LC_FAILED},
    {"split file idx", "The parts of this model are not in order.", LC_FAILED},
    {"not within the file bounds", CUT_OFF, LC_FAILED},
    {"end of file", CUT_OFF, LC_FAILED},
    {"failed to read", CUT_OFF, LC_FAILED},
};

// Whether these words before a colon are only a function's name or say nothing.
bool is_prefix(const std::string &words) {
  const auto in_name = [](char letter) { return std::islower(letter) || std::isdigit(letter) || letter == '_'; };
  return words == "error loading model" || std::all_of(words.begin(), words.end(), in_name);
}

// What a logged line says; empty: only that something failed.
std::string gist(std::string line) {
  for (size_t colon; (colon = line.find(": ")) != std::string::npos && is_prefix(line.substr(0, colon));) line.erase(0, colon + 2);
  return line.rfind("failed to load ", 0) == 0 ? "" : line;
}

// What llama.cpp logged, in one line with a space before it.
std::string details() {
  std::string words;
  std::istringstream lines(logged);
  for (std::string line; std::getline(lines, line);) {
    if (!gist(line).empty()) words += (words.empty() ? " (llama.cpp: " : "; ") + gist(line);
  }
  return words.empty() ? "" : words + ")";
}

int failed(int code, const char *words) {
  failure.assign(words, std::min(std::strlen(words), MOST_WORDS));
  return code;
}

int failed_with(int code, const char *words) { return failed(code, (std::string("llama.cpp failed: ") + words).c_str()); }

// Describes the exception that is being handled. Throws std::bad_alloc if there is no memory for the words.
int describe() {
  try {
    throw;
  } catch (const Refused &refused) {
    return failed(refused.code, refused.what());
  } catch (const BrokenAssertion &broken) {
    return failed_with(LC_BROKEN, broken.what());
  } catch (const std::bad_alloc &) {
    return failed(LC_NO_MEMORY, NO_MEMORY);
  } catch (const std::exception &other) {
    return failed_with(LC_FAILED, other.what());
  } catch (...) {
    return failed_with(LC_BROKEN, "JavaScript threw an error.");
  }
}

} // namespace

void watch_llama() {
  failure.reserve(MOST_WORDS);
  logged.reserve(MOST_LOGGED);
  llama_log_set(keep_errors, nullptr);
  mtmd_log_set(keep_errors, nullptr);
  ggml_set_abort_callback(throw_assertion);
}

void forget_logged() { logged.clear(); }

Refused refused(const std::string &task) {
  for (const auto &[sign, words, code] : EXPLANATIONS) {
    if (logged.find(sign) != std::string::npos) return Refused(words + details(), code);
  }
  return Refused("llama.cpp could not " + task + "." + details());
}

int describe_exception() {
  try {
    return describe();
  } catch (const std::bad_alloc &) {
    return failed(LC_NO_MEMORY, NO_MEMORY);
  }
}
