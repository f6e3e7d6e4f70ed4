// look.cpp: asks native llama.cpp about pictures, for native.py. Reads cases from stdin until its end, and writes one line
// per case to stdout: the least margin of the answer's tokens in logits, a tab and the answer; or if LOGITS is set, the
// logits of all tokens after the prompt.
//
// usage: look MODEL MMPROJ < CASES
// A case is the number of pictures; for each its width, height and RGB bytes; the length of the prompt in bytes; the
// prompt, in which each <__media__> stands for the next picture. Numbers are 32-bit integers, little-endian.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "llama.h"
#include "mtmd-helper.h"
#include "mtmd.h"

static const int MOST_TOKENS = 32; // in an answer

static bool read_number(uint32_t & number) { return fread(&number, sizeof number, 1, stdin) == 1; }

static uint32_t number() {
    uint32_t found = 0;
    if (!read_number(found)) exit(2);
    return found;
}

static std::string bytes(size_t count) {
    std::string found(count, '\0');
    if (fread(found.data(), 1, count, stdin) != count) exit(2);
    return found;
}

static void print_logits(const float * logits, int count) {
    for (int i = 0; i < count; i++) printf("%s%.6g", i ? " " : "", logits[i]);
}

static float second_best(const float * logits, int count, llama_token best) {
    float found = -INFINITY;
    for (int i = 0; i < count; i++) {
        if (i != best) found = std::max(found, logits[i]);
    }
    return found;
}

int main(int, char ** argv) {
    llama_backend_init();
    auto quiet = [](ggml_log_level level, const char * text, void *) {
        if (level == GGML_LOG_LEVEL_ERROR) fputs(text, stderr);
    };
    llama_log_set(quiet, nullptr);
    mtmd_log_set(quiet, nullptr);
    mtmd_helper_log_set(quiet, nullptr);
    llama_model * model = llama_model_load_from_file(argv[1], llama_model_default_params());
    if (!model) return 1;
    llama_context_params params = llama_context_default_params();
    params.n_ctx = 1024;
    params.n_threads = params.n_threads_batch = 1;
    params.type_k = params.type_v = GGML_TYPE_F32;
    params.flash_attn_type = LLAMA_FLASH_ATTN_TYPE_DISABLED;
    llama_context * ctx = llama_init_from_model(model, params);
    mtmd_context_params sight = mtmd_context_params_default();
    sight.use_gpu = sight.print_timings = false;
    sight.n_threads = 1;
    sight.flash_attn_type = LLAMA_FLASH_ATTN_TYPE_DISABLED;
    mtmd_context * mtmd = mtmd_init_from_file(argv[2], model, sight);
    if (!ctx || !mtmd) return 1;
    const llama_vocab * vocab = llama_model_get_vocab(model);
    const int vocabulary = llama_vocab_n_tokens(vocab);

    for (uint32_t pictures; read_number(pictures);) {
        mtmd::bitmaps bitmaps;
        for (uint32_t i = 0; i < pictures; i++) {
            const uint32_t width = number(), height = number();
            const std::string rgb = bytes(size_t(width) * height * 3);
            bitmaps.entries.emplace_back(width, height, (const unsigned char *) rgb.data());
        }
        const std::string prompt = bytes(number());
        mtmd_input_text text{};
        text.text = prompt.c_str();
        text.text_len = prompt.size();
        text.add_special = false;
        text.parse_special = true;
        mtmd::input_chunks chunks(mtmd_input_chunks_init());
        auto pointers = bitmaps.c_ptr();
        if (mtmd_tokenize(mtmd, chunks.ptr.get(), &text, pointers.data(), pointers.size())) return 3;
        llama_memory_clear(llama_get_memory(ctx), true);
        llama_pos past = 0;
        if (mtmd_helper_eval_chunks(mtmd, ctx, chunks.ptr.get(), 0, 0, 512, true, &past)) return 4;
        if (getenv("LOGITS")) {
            print_logits(llama_get_logits_ith(ctx, -1), vocabulary);
        } else {
            std::string answer;
            float margin = INFINITY;
            for (int i = 0; i < MOST_TOKENS; i++) {
                const float * logits = llama_get_logits_ith(ctx, -1);
                llama_token token = std::max_element(logits, logits + vocabulary) - logits;
                margin = std::min(margin, logits[token] - second_best(logits, vocabulary, token));
                if (llama_vocab_is_eog(vocab, token)) break;
                char piece[64];
                answer.append(piece, std::max(0, llama_token_to_piece(vocab, token, piece, sizeof piece, 0, true)));
                if (llama_decode(ctx, llama_batch_get_one(&token, 1))) return 5;
            }
            printf("%.2f\t%s", margin, answer.c_str());
        }
        putchar('\n');
        fflush(stdout);
    }
}
