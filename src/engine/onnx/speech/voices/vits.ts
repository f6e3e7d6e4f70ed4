import type { ReadFile } from '../../../download/transfer/read-file.ts';
import { characterText } from './character-text.ts';
import { OnnxGraph } from '../../transformers/speech-graphs.ts';
import { TextTokenizer } from '../../transformers/text-tokenizer.ts';
import type { SpeechFrontEnd } from '../speech-front-end.ts';
import type { VoiceModel } from './voice-model.ts';

/** Limits memory. VITS itself has no limit. */
const MAX_CHARACTERS = 400;

/** VITS as in MMS: one language, one speaker, characters in, samples out. */
export class VitsModel implements VoiceModel {
  readonly maxSymbols = MAX_CHARACTERS;
  readonly #graph: OnnxGraph;
  readonly #tokenizer: TextTokenizer;

  private constructor(graph: OnnxGraph, tokenizer: TextTokenizer) {
    this.#graph = graph;
    this.#tokenizer = tokenizer;
  }

  static async load(read: ReadFile): Promise<VitsModel> {
    const tokenizer = await TextTokenizer.load(read);
    return new VitsModel(await OnnxGraph.load('vits', read, 'q8'), tokenizer);
  }

  frontEnd(language: string): Promise<SpeechFrontEnd> {
    return Promise.resolve(characterText(language, (it) => this.#tokenizer.knows(it)));
  }

  synthesize(text: string): Promise<Float32Array<ArrayBuffer>> {
    const ids = this.#tokenizer.ids(text);
    const shape = [1, ids.length];
    return this.#graph.run(
      {
        input_ids: { type: 'int64', values: ids, shape },
        attention_mask: { type: 'int64', values: ids.map(() => 1), shape },
      },
      ['waveform'],
    );
  }

  dispose(): Promise<void> {
    return this.#graph.dispose();
  }
}
