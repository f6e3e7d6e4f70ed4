export const PACK = 'HuggingFaceTB/SmolLM2-135M-Instruct';
// WebLLM's list has no repository in 32 bits for HUB and BEGUN. Devices without shader-f16 would take that.
export const HUB = 'mlc-ai/gemma3-1b-it-q4f16_1-MLC';
export const VOICE = 'onnx-community/Kokoro-82M-v1.0-ONNX';
export const ADDED = 'someone/Tuned-1B-q4f16_1-MLC';
export const ADDED_PACK = 'elsewhere/Voice';
export const BEGUN = 'mlc-ai/Qwen2-0.5B-Instruct-q4f16_1-MLC';
export const AVAILABLE = 'mlc-ai/gemma-2-2b-it-q4f32_1-MLC';
export const USED_AT = 1_760_000_000_000;

const SITE = 'https://site.example/packs/smollm2/';
const REVISION = 'a1'.repeat(32);

const manifest = {
  format: 'slashv1-pack',
  version: 1,
  id: PACK,
  revision: REVISION,
  ownedBy: 'HuggingFaceTB',
  created: 1_730_332_800,
  license: 'apache-2.0',
  quantization: 'q4f32_s8',
  contextLength: 2048,
  features: [],
  modelLibrary: 'model.wasm',
  gpuBytes: 320_000_000,
  files: [
    { path: 'mlc-chat-config.json', size: 6, sha256: 'x1' },
    { path: 'model.wasm', size: 4, sha256: 'x2' },
    { path: 'params_shard_0.bin', size: 7, sha256: 'x3' },
  ],
};

const voices = [{ id: 'af_heart', name: 'Heart', languages: ['en-US'], gender: 'female' }];

const voiceManifest = {
  ...manifest,
  id: ADDED_PACK,
  revision: 'v1',
  license: 'mit',
  quantization: 'fp32',
  contextLength: 510,
  gpuBytes: 0,
  modelLibrary: 'onnx/model.onnx',
  files: [],
  speech: { family: 'piper', voices, sampleRate: 22_050 },
};

function installation(repository: string, revision: string, graph?: string) {
  const url = `https://huggingface.co/${repository}/resolve/${revision}/`;
  const paths = graph === undefined ? ['mlc-chat-config.json', 'params_shard_0.bin'] : [graph];
  const files = paths.map((path) => ({ path, size: 7, url: url + path }));
  const library = { path: 'model.wasm', size: 4, url: 'https://libraries.example/a.wasm' };
  return graph === undefined
    ? { revision, modelLibrary: 'model.wasm', files: [...files, library] }
    : { revision, modelLibrary: graph, files };
}

function mlcEntry(id: string) {
  return {
    id,
    source: { kind: 'hub', repository: id, modelLibrary: 'v0_2_84/a.wasm', needsF16: true },
    ownedBy: id.split('/')[0],
    created: 0,
    quantization: 'q4f16_1',
    contextLength: 4096,
    overrides: { context_window_size: 4096 },
    gpuBytes: 879_000_000,
    bufferBytes: 262_144_000,
  };
}

/** The catalog as commit 377429c stored it. */
export const ENTRIES_OF_VERSION_2 = {
  [PACK]: {
    id: PACK,
    source: { kind: 'pack', url: SITE, position: 0, manifest },
    ownedBy: 'HuggingFaceTB',
    created: 1_730_332_800,
    quantization: 'q4f32_s8',
    contextLength: 2048,
    features: [],
    bytes: 17,
    gpuBytes: 320_000_000,
    license: 'apache-2.0',
    installed: {
      revision: REVISION,
      modelLibrary: 'model.wasm',
      files: manifest.files.map((file) => ({ ...file, url: SITE + file.path })),
    },
  },
  [HUB]: {
    ...mlcEntry(HUB),
    installed: installation(HUB, 'c0ffee'),
    bytes: 18,
    features: ['reasoning'],
  },
  [VOICE]: {
    id: VOICE,
    source: {
      kind: 'onnx',
      repository: VOICE,
      files: [{ repository: VOICE, paths: ['config.json', 'onnx/model_quantized.onnx'] }],
    },
    created: 0,
    ownedBy: 'onnx-community',
    features: [],
    gpuBytes: 0,
    speech: { family: 'kokoro', sampleRate: 24_000, voices },
    license: 'apache-2.0',
    quantization: 'q8',
    bytes: 7,
    contextLength: 510,
    installed: installation(VOICE, 'dada', 'onnx/model_quantized.onnx'),
  },
  [ADDED]: { ...mlcEntry(ADDED), added: true, installed: installation(ADDED, 'fade'), bytes: 18 },
  [ADDED_PACK]: {
    id: ADDED_PACK,
    source: {
      kind: 'pack',
      url: 'https://other.example/voice/',
      manifest: voiceManifest,
      position: Number.MAX_SAFE_INTEGER,
    },
    ownedBy: 'HuggingFaceTB',
    created: 1_730_332_800,
    quantization: 'fp32',
    contextLength: 510,
    features: [],
    speech: voiceManifest.speech,
    bytes: 0,
    gpuBytes: 0,
    license: 'mit',
    added: true,
  },
  [BEGUN]: mlcEntry(BEGUN),
  [AVAILABLE]: { ...mlcEntry(AVAILABLE), quantization: 'q4f32_1' },
};

export const PLAN_OF_VERSION_2 = installation(BEGUN, 'beef');
