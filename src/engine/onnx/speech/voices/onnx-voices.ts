import type { CatalogEntry } from '../../../../core/catalog/catalog-entry.ts';
import { withOpenAiVoices } from '../../../../core/catalog/openai-voices.ts';
import { MODEL_FILES } from '../../../../core/files/model-config.ts';
import { KOKORO_VOICES } from '../../../../core/catalog/kokoro-voices.ts';
import type { Speech, Voice } from '../../../../core/catalog/speech.ts';
import { variantId, type HubFiles } from '../../../../core/catalog/variant.ts';
import { ownerOf } from '../../../download/hub/hub.ts';

/** The facts that differ between the models. */
interface OnnxVoice {
  /** `org/name` on the hub, also the model's id. */
  repository: string;
  files: HubFiles[];
  /** Path of the first graph that runs. */
  graph: string;
  speech: Speech;
  /** The licence stated on the hub. Models of this list are offered for download, never shipped. */
  license: string;
  quantization: 'q8' | 'fp32';
  /** Approximate size, bytes. It is exact once the model is installed. */
  bytes: number;
  /** The most characters or phonemes that one call takes. */
  contextLength: number;
}

/** The graph with 8-bit weights. */
const QUANTISED = 'onnx/model_quantized.onnx';

/** Speech models on the hub that transformers.js can run. */
export function onnxVoices(): CatalogEntry[] {
  const mmsVoices = Object.entries(MMS).map(mms);
  return [kokoro(), ...mmsVoices, speechT5(), ...SUPERTONIC.map(supertonic)].map(entryOf);
}

function entryOf({ repository, files, graph, ...voice }: OnnxVoice): CatalogEntry {
  const { speech, license, quantization, bytes, contextLength } = voice;
  return {
    id: repository,
    task: 'speech',
    ownedBy: ownerOf(repository),
    created: 0,
    license,
    contextLength,
    features: [],
    speech: withOpenAiVoices(speech),
    variants: [
      {
        id: variantId('onnx', quantization),
        engine: 'onnx',
        quantization,
        needs: {},
        bytes,
        source: { kind: 'hub', repository, files },
        graph,
      },
    ],
  };
}

/** Kokoro as the hub has it: without a lexicon, so that each word is pronounced by spelling rules. */
function kokoro(): OnnxVoice {
  const repository = 'onnx-community/Kokoro-82M-v1.0-ONNX';
  const voices = KOKORO_VOICES.map(({ id }) => `voices/${id}.bin`);
  const paths = ['config.json', 'tokenizer.json', QUANTISED, ...voices];
  return {
    repository,
    files: [{ repository, paths }],
    graph: QUANTISED,
    speech: { family: 'kokoro', sampleRate: 24_000, voices: KOKORO_VOICES },
    license: 'apache-2.0',
    quantization: 'q8',
    bytes: 107e6,
    contextLength: 510,
  };
}

/**
 * Language in the model's name (ISO 639-3) → BCP-47. Korean is missing: its model reads Latin letters, which
 * another program (uroman) has to write.
 */
const MMS: Record<string, string> = {
  ara: 'ar',
  deu: 'de',
  eng: 'en',
  fra: 'fr',
  hin: 'hi',
  por: 'pt',
  ron: 'ro',
  rus: 'ru',
  spa: 'es',
  vie: 'vi',
  yor: 'yo',
};

/** Meta's Massively Multilingual Speech: one voice for each language, not for commercial use. */
function mms([code, language]: [string, string]): OnnxVoice {
  const repository = `Xenova/mms-tts-${code}`;
  const paths = [...MODEL_FILES, QUANTISED];
  const voice: Voice = { id: code, name: `MMS ${code}`, languages: [language] };
  return {
    repository,
    files: [{ repository, paths }],
    graph: QUANTISED,
    speech: { family: 'vits', sampleRate: 16_000, voices: [voice] },
    license: 'cc-by-nc-4.0',
    quantization: 'q8',
    bytes: 38.4e6,
    contextLength: 400,
  };
}

/** Speakers of the CMU ARCTIC recordings, by the names of their embeddings. */
const SPEAKERS: Voice[] = [
  { id: 'cmu_us_slt_arctic-wav-arctic_a0001', name: 'SLT', gender: 'female', languages: ['en-US'] },
  { id: 'cmu_us_clb_arctic-wav-arctic_a0001', name: 'CLB', gender: 'female', languages: ['en-US'] },
  { id: 'cmu_us_bdl_arctic-wav-arctic_a0003', name: 'BDL', gender: 'male', languages: ['en-US'] },
  { id: 'cmu_us_rms_arctic-wav-arctic_a0003', name: 'RMS', gender: 'male', languages: ['en-US'] },
  { id: 'cmu_us_jmk_arctic-wav-arctic_a0002', name: 'JMK', gender: 'male', languages: ['en-CA'] },
  { id: 'cmu_us_awb_arctic-wav-arctic_b0002', name: 'AWB', gender: 'male', languages: ['en-GB'] },
  { id: 'cmu_us_ksp_arctic-wav-arctic_a0007', name: 'KSP', gender: 'male', languages: ['en-IN'] },
];

/** Microsoft's SpeechT5. Its vocoder and its speakers are in other repositories. */
function speechT5(): OnnxVoice {
  const repository = 'Xenova/speecht5_tts';
  const graph = 'onnx/encoder_model.onnx';
  const graphs = [graph, 'onnx/decoder_model_merged.onnx'];
  return {
    repository,
    graph,
    files: [
      { repository, paths: [...MODEL_FILES, ...graphs] },
      {
        repository: 'Xenova/speecht5_hifigan',
        paths: ['config.json', 'onnx/model.onnx'],
        folder: 'vocoder/',
      },
      {
        repository: 'datasets/Xenova/cmu-arctic-xvectors-extracted',
        paths: SPEAKERS.map(({ id }) => `${id}.bin`),
        folder: 'speakers/',
      },
    ],
    speech: { family: 'speecht5', sampleRate: 16_000, voices: SPEAKERS },
    license: 'mit',
    quantization: 'fp32',
    bytes: 642e6,
    contextLength: 500,
  };
}

const SUPERTONIC = [
  { name: 'Supertonic-TTS-ONNX', languages: ['en'], voices: ['F1', 'F2', 'M1', 'M2'] },
  {
    name: 'Supertonic-TTS-2-ONNX',
    languages: ['en', 'ko', 'es', 'pt', 'fr'],
    voices: ['F1', 'F2', 'F3', 'F4', 'F5', 'M1', 'M2', 'M3', 'M4', 'M5'],
  },
];

/** Supertone's Supertonic, under an OpenRAIL licence, which forbids some uses. */
function supertonic({ name, languages, voices }: (typeof SUPERTONIC)[number]): OnnxVoice {
  const repository = `onnx-community/${name}`;
  // The asterisk includes the files with the weights.
  const graphs = ['text_encoder', 'latent_denoiser', 'voice_decoder'].map(
    (it) => `onnx/${it}.onnx*`,
  );
  const styles = voices.map((id) => `voices/${id}.bin`);
  return {
    repository,
    graph: 'onnx/text_encoder.onnx',
    files: [{ repository, paths: [...MODEL_FILES, ...graphs, ...styles] }],
    speech: {
      family: 'supertonic',
      sampleRate: 44_100,
      voices: voices.map((id) => ({
        id,
        name: id,
        languages,
        gender: id.startsWith('F') ? 'female' : 'male',
      })),
    },
    license: 'openrail',
    quantization: 'fp32',
    bytes: 263e6,
    contextLength: 300,
  };
}
