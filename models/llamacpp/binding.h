// binding.h: what slashv1 needs of llama.cpp, as plain C functions for WebAssembly.
//
// One instance of the module holds one model, perhaps with a projector for images, and several contexts. Strings are
// UTF-8. Token ids, positions and counts are int. If a function fails, it returns one of the negative numbers below and
// lc_error() says why.
// Nothing but lc_error() and lc_load() may be called before lc_load() has returned 0.
//
// Imported from JavaScript is one function, which library.js has: how many threads may compute, which is `threads` of
// the module; 1 without it. Only the threaded product has more.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

enum {
  // This call cannot be done. Everything is as before.
  LC_FAILED = -1,
  // There is not enough memory for it. Everything is as before.
  LC_NO_MEMORY = -2,
  // An assertion of llama.cpp does not hold. The module must be replaced by a new one.
  LC_BROKEN = -3
};

// How many tokens of a context can have logits in a batch.
enum { LC_MOST_OUTPUTS = 8 };
// How many contexts can have tokens in one batch.
enum { LC_MOST_TOGETHER = 4 };

// The last error in words, for the user of a model; never null.
const char *lc_error(void);

// Loads the model. `paths` has the parts of a split file in order, each followed by '\n'. Returns 0. After a failure
// a new module is needed for the next try. Only the headers must be there: of a file that `addFileInMemory` has added,
// the weights may come later, before the first lc_decode().
int lc_load(const char *paths);
// Tokens in the vocabulary.
int lc_vocabulary_size(void);
// Context length that the model was trained with, tokens.
int lc_trained_context(void);
// The token that has to be the first of each prompt; -1: none.
int lc_first_token(void);
// Whether tokens can be removed from the end of a KV cache, so that others take their place: 1 or 0.
int lc_goes_back(void);
// Whether the token ends a turn: 1 or 0.
int lc_ends_turn(int token);
// Whether the token is a control token, which is not part of the text: 1 or 0.
int lc_is_control(int token);
// Size of the weights in memory, bytes.
double lc_weight_bytes(void);

// Turns text of `bytes` bytes into tokens. Texts of control tokens become these tokens; no token is added.
// Returns the number of tokens. If that is more than `most`, the tokens were not written.
int lc_tokenize(const char *text, int bytes, int *tokens, int most);
// Writes the token's bytes, perhaps part of a character, and returns their number. If that is more than `most`, they
// were not written. Control tokens are written as their text.
int lc_piece(int token, char *bytes, int most);

// Chooses the KV caches of contexts that are made from now on: 1 for Q8_0, which takes about half of F16; 0, as at first, for
// caches that are as exact as the weights. With 1, no context can be made of a model whose heads have no multiple of 32 values.
void lc_quantize_cache(int quantized);
// Makes a context with an empty KV cache for `tokens` tokens, which computes at most `batch` tokens at once.
// Returns its number, from 0.
int lc_new_context(int tokens, int batch, int threads);
void lc_free_context(int context);
// Memory of the context's KV cache and buffers, bytes.
double lc_context_bytes(int context);
// Sets how many threads the context computes with; at most the module's `threads`.
int lc_set_threads(int context, int threads);

// Computes `count` tokens, at most `batch`, that follow `position` tokens in the KV cache; if there are more in it,
// they are removed first. lc_logits() has the logits after the last `outputs` of them, at most LC_MOST_OUTPUTS.
// Returns 0, or if it was aborted: 1, and the KV cache has `position` tokens; or 2, and the KV cache is empty, because
// this architecture cannot go back.
int lc_decode(int context, const int *tokens, int count, int position, int outputs);
// Computes tokens of `count` contexts in one batch, as if lc_decode() was called for each: counts[i] tokens of contexts[i],
// which follow positions[i] tokens in its KV cache. All have logits. `tokens` has those of all contexts, one after the
// other. Each token has the bits that it has alone. Returns 0; 1 if it was aborted, and the KV caches have positions[i]
// tokens; LC_FAILED if the architecture computes only one conversation at once.
int lc_decode_together(int count, const int *contexts, const int *counts, const int *positions, const int *tokens);
// Computes `count` tokens, and ends after `milliseconds`, done or not. Then the browser has compiled what a prompt needs.
// No weights need be there: the result is thrown away, and the KV cache is empty. Returns 0.
int lc_warm_up(int context, int count, double milliseconds);
// Begins to compute the first `count` tokens of a context, at most `batch`. No weights need be there. Returns 0.
// Any other function that uses the KV cache gives the computation up, and the KV cache is then empty.
int lc_begin_prefill(int context, const int *tokens, int count, int wants_logits);
// Computes what needs none of the weights that are missing. `missing` has `count` ranges of memory, each as its first
// address and the one after its last. Returns how many steps are left. With none, it is as if lc_decode() had returned 0.
int lc_continue_prefill(int context, const unsigned *missing, int count, int threads);
// The logits after a token of the context's last batch, lc_vocabulary_size() values; null: they were not computed. `before`
// says how many of its tokens follow it. They may be changed in place, and are valid until the next lc_decode() of the
// context; those of lc_decode_together() until its next call for any contexts.
float *lc_logits(int context, int before);
// Truncates the KV cache to its first `tokens` tokens. Returns 1, or 0 if this architecture cannot do that: then
// the KV cache is empty.
int lc_keep(int context, int tokens);
// Replaces the KV cache of one context by a copy of another one's. Returns 0. Meanwhile it needs the memory of a
// second copy. If it fails, the KV cache of `to` is empty.
int lc_copy(int from, int to);
// While this int is not 0, lc_decode(), lc_decode_image() and lc_embed() end early. Another thread may set it.
int *lc_abort_flag(void);

// Kept states. What a KV cache holds can be taken out as bytes, and put into another context of the same model in the same
// build, which has room for it. Both are done in pieces, because hundreds of MB need no second copy in memory then. A
// piece has any multiple of 4 bytes, but for the last one.

// Begins to take out what a context's KV cache holds, which must not change before all is taken. Returns the number of
// bytes.
double lc_begin_taking(int context);
// Writes the next bytes, at most `most`. Returns how many; 0: that was all.
int lc_take(unsigned char *bytes, int most);
// Begins to put bytes into a context. Its KV cache is then empty, and must not be used before all are put. Returns 0.
int lc_begin_putting(int context);
// Puts the next bytes. Returns 0. If it fails, the KV cache is empty.
int lc_put(const unsigned char *bytes, int count);
// Returns the position after the last one in the KV cache. If bytes are missing, it fails, and the KV cache is empty.
int lc_end_putting(void);

// Images. An image becomes chunks of tokens, in this order: text, and pieces of the picture. Tokens of a piece are
// vectors that the projector computes ("encodes"). They are decoded like tokens, but may take fewer positions.

// Loads the projector of the model, a GGUF file of its own. All of it must be there. Returns 0.
int lc_load_projector(const char *path);
// Whether the tokens of a piece attend to each other in both directions, so that a batch must hold all: 1 or 0.
int lc_pieces_are_whole(void);
// Makes an image of `width` * `height` pixels of three bytes: red, green, blue. Without pixels (null) it can only be
// counted. If `low` is not 0, it takes as few tokens as the model can. Returns its number, from 0.
int lc_new_image(int width, int height, const unsigned char *pixels, int low);
void lc_free_image(int image);
// Writes the image's tokens: of a text, their ids; of a piece, two numbers: -tokens, positions. Returns the number of
// ints. If that is more than `most`, they were not written.
int lc_image_layout(int image, int *layout, int most);
// Begins to encode a piece of an image, from 0; this ends any other encoding. Returns the number of steps.
int lc_begin_encoding(int image, int piece);
// Encodes until `milliseconds` have passed, at least a step; on a GPU, a layer or so. Returns the number of steps that
// are left.
int lc_encode(double milliseconds, int threads);
// Like lc_decode(), this computes `count` tokens of the piece that was encoded last, at most `batch`, from its token `first` on.
// The piece begins at `position`; with the first token, what follows in the KV cache is removed. If it was aborted and
// returns 1, the KV cache ends where the piece begins.
int lc_decode_image(int context, int first, int count, int position, int wants_logits);

// Embeddings. A model whose file says how its vectors are pooled gives one vector for each text, or a score.

// How the model pools, as in llama.h: 0 not at all, 1 mean, 2 first token, 3 last token, 4 scores.
int lc_pooling(void);
// Makes a context that embeds up to `texts` texts of together up to `tokens` tokens at once, which must be a multiple of
// `texts`. Returns its number.
int lc_new_embedder(int tokens, int texts, int threads);
// Turns a text into the tokens that an embedder reads, as lc_tokenize(). Texts of control tokens stay texts.
int lc_tokenize_text(const char *text, int bytes, int *tokens, int most);
// The same for a question and a document, which a model of pooling 4 compares.
int lc_tokenize_pair(const char *query, int query_bytes, const char *document, int document_bytes, int *tokens, int most);
// Embeds `count` texts, whose tokens are one after the other; `lengths` has their numbers. Returns 0, or 1 if it was
// aborted.
int lc_embed(int context, const int *tokens, const int *lengths, int count);
// Numbers in a vector; with pooling 4: scores of a text.
int lc_embedding_size(void);
// The vector of one of the texts, from 0, that were embedded last; null: there is none. It is not normalised, and valid
// until the next lc_embed() of the context.
float *lc_embedding(int context, int text);

#ifdef __cplusplus
}
#endif
