// Written by models/llamacpp/supported.py from the source of llama.cpp that models/llamacpp/built is made of.

/** Architectures that write text. */
export const ARCHITECTURES = set(`
  afmoe apertus arcee arctic arwkv7 baichuan bailingmoe bailingmoe2 bailingmoe3 bitnet bloom
  chameleon chatglm codeshell cogvlm cohere2 cohere2moe command-r dbrx deci deepseek deepseek2
  deepseek2-ocr deepseek32 deepseek4 dots1 dots3note ernie4_5 ernie4_5-moe exaone exaone-moe
  exaone4 falcon falcon-h1 gemma gemma2 gemma3 gemma3n gemma4 glm-dsa glm4 glm4moe glm5-next
  gpt-oss gpt2 gptneox granite granite_swa granitehybrid granitemoe graniteswitch grok grovemoe
  hrm_text hunyuan-dense hunyuan-moe hunyuan_vl hy_v3 hy_v4 internlm2 jais jais2 jamba kimi-k3
  kimi-linear laguna lfm2 lfm2moe llama llama-embed llama4 maincoder mamba mamba2 maple mellum
  mimo2 minicpm minicpm3 minimax-01 minimax-m2 minimax-m3 mistral3 mistral4 mpt muse-glimmer
  nanbeige nemotron nemotron_h nemotron_h_moe olmo olmo2 olmoe openelm orion paddleocr
  pangu-embedded phi2 phi3 phimoe plamo plamo2 plamo3 plm qwen qwen2 qwen2moe qwen2vl qwen3
  qwen35 qwen35moe qwen3moe qwen3next qwen3vl qwen3vlmoe qwen4exp refact rwkv6 rwkv6qwen2 rwkv7
  seed_oss smallthinker smollm3 spark2_5 stablelm starcoder starcoder2 step35 talkie xverse
`);

/** Architectures that compute embeddings, and write no text. */
export const EMBEDDERS = set(`
  bert eurobert gemma-embedding jina-bert-v2 jina-bert-v3 modern-bert neo-bert nomic-bert
  nomic-bert-moe
`);

/** Types of projectors, which turn images into tokens. */
export const PROJECTORS = set(`
  adapter cogvlm deepseek4v deepseekocr deepseekocr2 dots3note_v dots_ocr exaone4_5 gemma3
  gemma3nv gemma4uv gemma4v glm4v glm5v granite4_vision hunyuanvl idefics3 internvl janus_pro
  kimik25 kimivl ldp ldpv2 lfm2 lightonocr ling3vl llama4 mimovl minicpmv4_6 minimax_m3 mlp
  muse-glimmer nemotron_v2_vl paddleocr phi4 pixtral qwen2.5o qwen2.5vl_merger qwen2vl_merger
  qwen3vl_merger resampler step3vl yasa2 youtuvl
`);

/** Values of `tokenizer.ggml.model`. */
export const TOKENIZERS = set(`
  bert gemma4 gpt2 hybriddna llama plamo2 rwkv t5 whitespace
`);

/** Values of `tokenizer.ggml.pre`, which the BPE tokenizers have. */
export const PRE_TOKENIZERS = set(`
  a.x-4.0 afmoe bailingmoe bailingmoe2 bloom chameleon chatglm-bpe codeshell cohere2moe
  command-r dbrx deepseek-coder deepseek-llm deepseek-r1-qwen deepseek-v3 default exaone
  exaone-moe exaone4 f2llmv2 falcon falcon-h1 falcon3 gemma4 gigachat glm4 glm5 gpt-2 gpt-4o
  gpt3-finnish granite-docling granite-embed-multi-311m granite-embed-multi-97m grok-2 hunyuan
  hunyuan-dense hy_v4 jais jais-2 jina-de jina-es jina-v1-en jina-v2-code jina-v2-de jina-v2-es
  jina-v5-nano joyai-llm kanana2 kimi-k2 kormo laguna lfm2 llada-moe llama-bpe llama-v3 llama3
  llama4 megrez mellum mellum2 midm-2.0 minerva-7b minicpm5 minimax-m2 modern-bert mpt olmo
  phi-2 pixtral poro-chat qwen2 qwen35 refact roberta-bpe sarvam-moe seed-coder smaug-bpe smollm
  solar-open spark2_5 stablelm2 starcoder superbpe talkie tekken tiny_aya trillion ufakzeka
  viking whitespace youtu
`);

/** A type of tensors: `blockValues` values take `blockBytes` bytes. */
export interface TensorType {
  name: string;
  blockValues: number;
  blockBytes: number;
}

/** By ggml's number, the types that can be computed with. */
export const TENSOR_TYPES = tensorTypes(`
  0 F32 1 4, 1 F16 1 2, 2 Q4_0 32 18, 3 Q4_1 32 20, 6 Q5_0 32 22, 7 Q5_1 32 24, 8 Q8_0 32 34,
  10 Q2_K 256 84, 11 Q3_K 256 110, 12 Q4_K 256 144, 13 Q5_K 256 176, 14 Q6_K 256 210,
  16 IQ2_XXS 256 66, 17 IQ2_XS 256 74, 18 IQ3_XXS 256 98, 19 IQ1_S 256 50, 20 IQ4_NL 32 18,
  21 IQ3_S 256 110, 22 IQ2_S 256 82, 23 IQ4_XS 256 136, 24 I8 1 1, 25 I16 1 2, 26 I32 1 4,
  27 I64 1 8, 29 IQ1_M 256 56, 30 BF16 1 2, 34 TQ1_0 256 54, 35 TQ2_0 256 66, 39 MXFP4 32 17,
  40 NVFP4 64 36, 41 Q1_0 128 18, 42 Q2_0 64 18
`);

/** Nodes of a graph for each of the model's tensors, for architectures that need more than others. */
export const GRAPH_NODES = graphNodes(`
  bailingmoe3 32, deepseek4 32, glm5-next 64, hrm_text 64, hy_v4 32, kimi-k3 64, kimi-linear 32,
  minimax-01 32, minimax-m3 32, nanbeige 32, qwen35 32, qwen35moe 32, qwen3next 32, qwen4exp 32
`);

/** Names of quantisations by the number in `general.file_type`. */
export const FILE_TYPES = fileTypes(`
  0 F32, 1 F16, 2 Q4_0, 3 Q4_1, 7 Q8_0, 8 Q5_0, 9 Q5_1, 10 Q2_K, 11 Q3_K_S, 12 Q3_K_M,
  13 Q3_K_L, 14 Q4_K_S, 15 Q4_K_M, 16 Q5_K_S, 17 Q5_K_M, 18 Q6_K, 19 IQ2_XXS, 20 IQ2_XS,
  21 Q2_K_S, 22 IQ3_XS, 23 IQ3_XXS, 24 IQ1_S, 25 IQ4_NL, 26 IQ3_S, 27 IQ3_M, 28 IQ2_S, 29 IQ2_M,
  30 IQ4_XS, 31 IQ1_M, 32 BF16, 36 TQ1_0, 37 TQ2_0, 38 MXFP4_MOE, 39 NVFP4, 40 Q1_0, 41 Q2_0
`);

function set(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}

function tensorTypes(text: string): ReadonlyMap<number, TensorType> {
  const types = rows(text).map(([number, name = '', values, bytes]) => {
    const type = { name, blockValues: Number(values), blockBytes: Number(bytes) };
    return [Number(number), type] as const;
  });
  return new Map(types);
}

function graphNodes(text: string): ReadonlyMap<string, number> {
  return new Map(rows(text).map(([name = '', nodes]) => [name, Number(nodes)]));
}

function fileTypes(text: string): ReadonlyMap<number, string> {
  return new Map(rows(text).map(([number, name = '']) => [Number(number), name]));
}

function rows(text: string): string[][] {
  return text.split(',').map((row) => row.trim().split(/\s+/));
}
