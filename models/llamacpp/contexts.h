// contexts.h: the model and its contexts, for the functions of binding.h. All throw what failure.h knows.
#pragma once

#include <cstdint>
#include <string>

#include "llama.h"

// What llama_decode() returns if the abort flag was set.
const int DECODE_ABORTED = 2;

struct Context {
  llama_context *llama = nullptr;
  int tokens = 0;
  // Most tokens that are computed at once.
  int batch = 0;
  // The position after the last one in the KV cache. An image may take fewer positions than tokens.
  int end = 0;
  // Identifies the context, also after it was freed.
  uint64_t serial = 0;
  // Whether its tokens are being computed step by step: the KV cache is incomplete.
  bool is_begun = false;
  // What computed its last batch, and how many outputs of other contexts follow its own there.
  llama_context *computed_by = nullptr;
  int outputs_after = 0;
};

extern llama_model *model;
extern const llama_vocab *vocabulary;
extern int abort_flag;
// Computations end early after this time, milliseconds on the clock of ggml; 0: never.
extern double abort_at;

// Whether the KV caches of new contexts are in Q8_0.
extern bool quantizes_cache;

bool is_aborted(void *);

// The threads that all computations share; null: there is only this one.
ggml_threadpool *shared_threads();
int allowed_threads(int wanted);
// What computes graphs without a context is to take these threads. Its own would never start: a page's worker starts
// another one only after JavaScript had a turn.
void set_threads(ggml_backend_t backend, int wanted);

// The parameters with which contexts of this model are made by default.
llama_context_params context_params(int tokens, int batch, int threads);
// llama.cpp ends in an assertion for some of these.
void check_decode(const Context &context, const int *tokens, int count, int position);
// Notes that the context itself computes its next batch.
void compute_alone(Context &context);

// Makes a context. @returns its number
int new_context(llama_context_params params);
Context &context_at(int number);
// Gives what context_at() gives. What is being computed there step by step is given up, and its KV cache is then empty.
Context &idle_context_at(int number);
void free_context(int number);

// Truncates the KV cache to its first positions, or empties it and returns false.
bool truncate(Context &context, int position);
void empty(Context &context);
// Whether the KV cache ends at this position again, after an abort; if not, it is empty.
bool restore(Context &context, int position);
// Whether the model counts positions in several dimensions.
bool has_several_dimensions();
