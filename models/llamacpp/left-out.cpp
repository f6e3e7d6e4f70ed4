// left-out.cpp: in place of the parts of mtmd that read and write audio, which are not compiled. mtmd names them, but
// the patch never loads their weights.
#include "models.h"

namespace {

[[noreturn]] ggml_cgraph *left_out() { GGML_ABORT("audio is left out of this build"); }

} // namespace

ggml_cgraph *clip_graph_conformer::build() { left_out(); }
ggml_cgraph *clip_graph_dots3note_a::build() { left_out(); }
ggml_cgraph *clip_graph_gemma4a::build() { left_out(); }
ggml_tensor *clip_graph_gemma4a::build_mm(ggml_tensor *, ggml_tensor *) const { left_out(); }
ggml_cgraph *clip_graph_gemma4ua::build() { left_out(); }
ggml_cgraph *clip_graph_granite_speech::build() { left_out(); }
ggml_cgraph *clip_graph_mimo_audio::build() { left_out(); }
ggml_cgraph *clip_graph_parakeet::build() { left_out(); }
ggml_cgraph *clip_graph_pockettts_gen::build() { left_out(); }
ggml_cgraph *clip_graph_pockettts_spkenc::build() { left_out(); }
ggml_cgraph *clip_graph_qwen3a::build() { left_out(); }
ggml_cgraph *clip_graph_qwen3tts_gen::build() { left_out(); }
ggml_cgraph *clip_graph_qwen3tts_spkenc::build() { left_out(); }
ggml_cgraph *clip_graph_whisper_enc::build() { left_out(); }

std::vector<c2w_state_slot> list_c2w_state_slots(const clip_hparams &, const clip_model &) { left_out(); }
std::vector<c2w_state_slot> list_pockettts_state_slots(const clip_hparams &, const clip_model &) { left_out(); }
