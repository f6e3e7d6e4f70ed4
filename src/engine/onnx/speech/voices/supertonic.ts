import * as v from 'valibot';
import type { Speech } from '../../../../core/catalog/speech.ts';
import { type ReadFile, readJson } from '../../../download/transfer/read-file.ts';
import { characterText } from './character-text.ts';
import { SupertonicGraphs } from '../../transformers/speech-graphs.ts';
import { TextTokenizer } from '../../transformers/text-tokenizer.ts';
import type { SpeechFrontEnd } from '../speech-front-end.ts';
import { VoiceFiles } from './voice-files.ts';
import type { VoiceModel } from './voice-model.ts';

/** Supertonic's authors split texts at this length. */
const MAX_CHARACTERS = 300;

const configSchema = v.object({ style_dim: v.number() });

/** Supertonic: characters and a voice's style in, samples out. */
export class SupertonicModel implements VoiceModel {
  readonly maxSymbols = MAX_CHARACTERS;
  readonly #graphs: SupertonicGraphs;
  readonly #tokenizer: TextTokenizer;
  readonly #styles: VoiceFiles;
  readonly #styleLength: number;
  readonly #isMultilingual: boolean;

  private constructor(
    graphs: SupertonicGraphs,
    tokenizer: TextTokenizer,
    styles: VoiceFiles,
    { styleLength, isMultilingual }: { styleLength: number; isMultilingual: boolean },
  ) {
    this.#graphs = graphs;
    this.#tokenizer = tokenizer;
    this.#styles = styles;
    this.#styleLength = styleLength;
    this.#isMultilingual = isMultilingual;
  }

  static async load(read: ReadFile, { voices }: Speech): Promise<SupertonicModel> {
    const { style_dim: styleLength } = v.parse(configSchema, await readJson(read, 'config.json'));
    const tokenizer = await TextTokenizer.load(read);
    const styles = new VoiceFiles(read, (voice) => `voices/${voice}.bin`);
    const isMultilingual = voices.some(({ languages }) => languages.length > 1);
    const graphs = await SupertonicGraphs.load(read);
    return new SupertonicModel(graphs, tokenizer, styles, { styleLength, isMultilingual });
  }

  /** The version with several languages reads the language from tags around the text. */
  frontEnd(language: string): Promise<SpeechFrontEnd> {
    const { language: code } = new Intl.Locale(language);
    const tag = (text: string) => `<${code}>${text}</${code}>`;
    const knows = (character: string) => this.#tokenizer.knows(character);
    return Promise.resolve(characterText(language, knows, this.#isMultilingual ? tag : undefined));
  }

  async synthesize(text: string, voice: string): Promise<Float32Array<ArrayBuffer>> {
    const style = await this.#styles.get(voice);
    const shape = [1, style.length / this.#styleLength, this.#styleLength];
    return this.#graphs.generate(this.#tokenizer.ids(text), { values: style, shape });
  }

  dispose(): Promise<void> {
    return this.#graphs.dispose();
  }
}
