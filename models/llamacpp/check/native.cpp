// native.cpp: `native GGUF PROMPTS LOGITS` runs the binding as a native program. For each line of PROMPTS it appends
// the logits after the line's last token to LOGITS, as 32-bit floats. Then it prints tokens/s of prefill and decode.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "binding.h"
#include "mtmd.h"

extern "C" int lc_most_threads(void) { return 1; }

// Rows are not repacked here.
bool weights_are_missing = false;

// No images are shown here, so mtmd is not linked.
void mtmd_log_set(ggml_log_callback, void *) {}

namespace {

const int BATCH = 32;
const int CONTEXT = 1024;
const int PREFILLED = 98;
const int DECODED = 33;

int checked(int result) {
  if (result >= 0) return result;
  fprintf(stderr, "%s\n", lc_error());
  exit(1);
}

std::vector<int> tokenize(const std::string &text) {
  std::vector<int> tokens(text.size() + 8);
  tokens.resize(checked(lc_tokenize(text.data(), (int)text.size(), tokens.data(), (int)tokens.size())));
  return tokens;
}

void prefill(int context, const std::vector<int> &tokens) {
  const int count = (int)tokens.size();
  for (int start = 0; start < count; start += BATCH) {
    const int end = std::min(start + BATCH, count);
    checked(lc_decode(context, &tokens[start], end - start, start, end == count));
  }
}

double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

void print_speed(int context, const std::string &text) {
  std::vector<int> tokens = tokenize(text);
  tokens.resize(PREFILLED, tokens.back());
  const double start = seconds();
  prefill(context, tokens);
  const double middle = seconds();
  for (int i = 0; i < DECODED; i++) checked(lc_decode(context, &tokens[i], 1, PREFILLED + i, 1));
  const double end = seconds();
  printf("%.1f %.1f\n", PREFILLED / (middle - start), DECODED / (end - middle));
}

} // namespace

int main(int, char **arguments) {
  checked(lc_load((std::string(arguments[1]) + "\n").c_str()));
  const int context = checked(lc_new_context(CONTEXT, BATCH, 1));
  std::ifstream prompts(arguments[2]);
  std::ofstream logits(arguments[3], std::ios::binary);
  std::string prompt, all;
  while (std::getline(prompts, prompt)) {
    prefill(context, tokenize(prompt));
    logits.write((const char *)lc_logits(context, 0), lc_vocabulary_size() * sizeof(float));
    all += prompt + " ";
  }
  print_speed(context, all);
}
