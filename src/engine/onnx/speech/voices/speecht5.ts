import type { ReadFile } from '../../../download/transfer/read-file.ts';
import { characterText } from './character-text.ts';
import { SpeechT5Graphs } from '../../transformers/speech-graphs.ts';
import { TextTokenizer } from '../../transformers/text-tokenizer.ts';
import type { SpeechFrontEnd } from '../speech-front-end.ts';
import { VoiceFiles } from './voice-files.ts';
import type { VoiceModel } from './voice-model.ts';

/** SpeechT5 was trained on at most 600 tokens, each of about one character. */
const MAX_CHARACTERS = 500;

/** SpeechT5: characters and a speaker's embedding in, samples out, by way of its vocoder. */
export class SpeechT5Model implements VoiceModel {
  readonly maxSymbols = MAX_CHARACTERS;
  readonly #graphs: SpeechT5Graphs;
  readonly #tokenizer: TextTokenizer;
  readonly #speakers: VoiceFiles;

  private constructor(graphs: SpeechT5Graphs, tokenizer: TextTokenizer, speakers: VoiceFiles) {
    this.#graphs = graphs;
    this.#tokenizer = tokenizer;
    this.#speakers = speakers;
  }

  static async load(read: ReadFile): Promise<SpeechT5Model> {
    const tokenizer = await TextTokenizer.load(read);
    const speakers = new VoiceFiles(read, (voice) => `speakers/${voice}.bin`);
    return new SpeechT5Model(await SpeechT5Graphs.load(read), tokenizer, speakers);
  }

  frontEnd(language: string): Promise<SpeechFrontEnd> {
    return Promise.resolve(characterText(language, (it) => this.#tokenizer.knows(it)));
  }

  async synthesize(text: string, voice: string): Promise<Float32Array<ArrayBuffer>> {
    return this.#graphs.generate(this.#tokenizer.ids(text), await this.#speakers.get(voice));
  }

  dispose(): Promise<void> {
    return this.#graphs.dispose();
  }
}
