import * as v from 'valibot';
import { type ReadFile, readJson } from '../../../download/transfer/read-file.ts';
import { OnnxGraph } from '../../transformers/speech-graphs.ts';
import { textToPhonemes } from '../text-to-phonemes.ts';
import type { SpeechFrontEnd } from '../speech-front-end.ts';
import type { VoiceModel } from './voice-model.ts';

/** The part of a Piper voice's configuration that is used: the pack has it as `piper.json`. */
const configSchema = v.object({
  inference: v.object({ noise_scale: v.number(), length_scale: v.number(), noise_w: v.number() }),
  phoneme_id_map: v.record(v.string(), v.pipe(v.array(v.number()), v.minLength(1))),
});

type PiperConfig = v.InferOutput<typeof configSchema>;

/** Kokoro's letters that IPA writes with several letters, or that Piper writes differently. */
const IPA: Record<string, string> = {
  A: 'eɪ',
  I: 'aɪ',
  W: 'aʊ',
  Y: 'ɔɪ',
  O: 'oʊ',
  Q: 'əʊ',
  T: 'ɾ',
  ʧ: 'tʃ',
  ʤ: 'dʒ',
  ᵊ: 'ə',
};

const START = '^';
const END = '$';
/** Between any two phonemes, and at both ends. */
const BLANK = '_';
/** Limits memory. Piper itself has no limit. */
const MAX_PHONEMES = 1_000;

/** A Piper voice: VITS, one speaker, phonemes in, samples out. */
export class PiperModel implements VoiceModel {
  readonly maxSymbols = MAX_PHONEMES;
  readonly #graph: OnnxGraph;
  readonly #config: PiperConfig;
  readonly #read: ReadFile;

  private constructor(graph: OnnxGraph, config: PiperConfig, read: ReadFile) {
    this.#graph = graph;
    this.#config = config;
    this.#read = read;
  }

  static async load(read: ReadFile): Promise<PiperModel> {
    const config = v.parse(configSchema, await readJson(read, 'piper.json'));
    return new PiperModel(await OnnxGraph.load('piper', read, 'fp32'), config, read);
  }

  frontEnd(language: string): Promise<SpeechFrontEnd> {
    return textToPhonemes(language, this.#read);
  }

  synthesize(phonemes: string): Promise<Float32Array<ArrayBuffer>> {
    const { noise_scale, length_scale, noise_w } = this.#config.inference;
    const ids = this.#ids(phonemes);
    const scales = [noise_scale, length_scale, noise_w];
    return this.#graph.run(
      {
        input: { type: 'int64', values: ids, shape: [1, ids.length] },
        input_lengths: { type: 'int64', values: [ids.length], shape: [1] },
        scales: { type: 'float32', values: scales, shape: [scales.length] },
      },
      ['output'],
    );
  }

  dispose(): Promise<void> {
    return this.#graph.dispose();
  }

  #ids(phonemes: string): number[] {
    const map = this.#config.phoneme_id_map;
    const id = (phoneme: string) => map[phoneme] ?? [];
    const ipa = Array.from(phonemes, (letter) => IPA[letter] ?? letter).join('');
    const spoken = Array.from(ipa.normalize('NFD')).flatMap((phoneme) => {
      const ids = id(phoneme);
      return ids.length > 0 ? [...ids, ...id(BLANK)] : [];
    });
    return [...id(START), ...id(BLANK), ...spoken, ...id(END)];
  }
}
