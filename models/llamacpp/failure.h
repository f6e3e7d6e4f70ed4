// failure.h: turns everything that can go wrong in llama.cpp into a negative number and a sentence.
#pragma once

#include <stdexcept>
#include <string>

#include "binding.h"

// The last failure in words.
extern std::string failure;

// A failure that has its words already.
struct Refused : std::runtime_error {
  int code;
  explicit Refused(const std::string &words, int code_ = LC_FAILED) : std::runtime_error(words), code(code_) {}
};

// Collects what llama.cpp logs as errors, and turns its failed assertions into exceptions.
void watch_llama();

// Forgets what was logged.
void forget_logged();

// Why llama.cpp could not do something, from what it logged. `task` completes "llama.cpp could not ...".
Refused refused(const std::string &task);

// Sets `failure` from the exception that is being handled, and returns its code.
int describe_exception();

// Runs a function whose result is 0 or more. If it throws, the result is negative and `failure` says why.
template <class Function> auto guarded(Function run) -> decltype(run()) {
  forget_logged();
  try {
    return run();
  } catch (...) {
    return describe_exception();
  }
}
