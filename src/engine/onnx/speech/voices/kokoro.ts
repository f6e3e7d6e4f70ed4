import * as v from 'valibot';
import { serverError } from '../../../../core/errors/errors.ts';
import { type ReadFile, readJson } from '../../../download/transfer/read-file.ts';
import { OnnxGraph } from '../../transformers/speech-graphs.ts';
import { textToPhonemes } from '../text-to-phonemes.ts';
import type { SpeechFrontEnd } from '../speech-front-end.ts';
import { VoiceFiles } from './voice-files.ts';
import type { VoiceModel } from './voice-model.ts';

const tokenizerSchema = v.object({
  model: v.object({ vocab: v.record(v.string(), v.number()) }),
});

/** The most phonemes that one call takes: 512 ids, two of which are padding. */
const MAX_PHONEMES = 510;
/** Length of a style vector. A voice has one vector for each number of phonemes. */
const STYLE_LENGTH = 256;
/** Id of the padding at both ends. */
const PAD = 0;
/**
 * The model's own speed is not used: it saturates (measured) and rounds each sound to whole frames. Speech
 * is time-stretched instead.
 */
const MODEL_SPEED = 1;

/** Kokoro-82M: phonemes and a style in, samples out. */
export class KokoroModel implements VoiceModel {
  readonly maxSymbols = MAX_PHONEMES;
  readonly #graph: OnnxGraph;
  readonly #vocabulary: Record<string, number>;
  readonly #read: ReadFile;
  readonly #styles: VoiceFiles;

  private constructor(graph: OnnxGraph, vocabulary: Record<string, number>, read: ReadFile) {
    this.#graph = graph;
    this.#vocabulary = vocabulary;
    this.#read = read;
    this.#styles = new VoiceFiles(read, (voice) => `voices/${voice}.bin`);
  }

  static async load(read: ReadFile): Promise<KokoroModel> {
    const { model } = v.parse(tokenizerSchema, await readJson(read, 'tokenizer.json'));
    return new KokoroModel(await OnnxGraph.load('kokoro', read, 'q8'), model.vocab, read);
  }

  frontEnd(language: string): Promise<SpeechFrontEnd> {
    return textToPhonemes(language, this.#read);
  }

  async synthesize(phonemes: string, voice: string): Promise<Float32Array<ArrayBuffer>> {
    const ids = this.#ids(phonemes);
    const tokens = [PAD, ...ids, PAD];
    const styles = await this.#styles.get(voice);
    const at = STYLE_LENGTH * Math.min(ids.length, MAX_PHONEMES - 1);
    const input = { type: 'int64' as const, values: tokens, shape: [1, tokens.length] };
    const style = styles.slice(at, at + STYLE_LENGTH);
    return this.#graph.run(
      {
        // The hub's graph calls this input `input_ids`, the original authors' export `tokens`.
        input_ids: input,
        tokens: input,
        style: { type: 'float32', values: style, shape: [1, STYLE_LENGTH] },
        speed: { type: 'float32', values: [MODEL_SPEED], shape: [1] },
      },
      ['waveform', 'audio'],
    );
  }

  dispose(): Promise<void> {
    return this.#graph.dispose();
  }

  /** @throws ApiError 500 for too many phonemes, rather than leave out the end */
  #ids(phonemes: string): number[] {
    const ids = Array.from(phonemes).flatMap((phoneme) => this.#vocabulary[phoneme] ?? []);
    if (ids.length <= MAX_PHONEMES) return ids;
    const message = `${ids.length} phonemes are more than the ${MAX_PHONEMES} that Kokoro takes in one call.`;
    throw serverError('engine_error', message);
  }
}
