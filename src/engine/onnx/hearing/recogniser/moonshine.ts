import {
  TOKENS_A_SECOND,
  type MoonshineConfig,
} from '../../../../core/files/hearing/moonshine-config.ts';
import { jobFault } from '../../../../core/errors/errors.ts';
import type { InstalledModel } from '../../../download/installer/installed-model.ts';
import type { ReadFile } from '../../../download/transfer/read-file.ts';
import { dtypeOf } from '../../model-configs.ts';
import { MoonshineGraphs } from '../../transformers/moonshine-graphs.ts';
import { TextTokenizer } from '../../transformers/text-tokenizer.ts';
import { bestTry } from './best-try.ts';
import { drawToken, type Choice } from './choose-token.ts';
import { compressionRatio } from './compression-ratio.ts';
import type { Pace } from '../pace.ts';
import type { HeardWindow, Recogniser, WindowRequest } from './recogniser.ts';
import { quietestPlace } from '../silence.ts';

/** The shortest sound that the model's convolutions can read, seconds. */
const LEAST_SECONDS = 0.1;

/**
 * A Moonshine model in memory. It writes no times, so a window ends at a pause and is one segment: no word is cut in
 * two or heard twice.
 */
export class Moonshine implements Recogniser {
  readonly #config: MoonshineConfig;
  readonly #language: string;
  readonly #tokenizer: TextTokenizer;
  readonly #graphs: MoonshineGraphs;

  private constructor(
    config: MoonshineConfig,
    language: string,
    tokenizer: TextTokenizer,
    graphs: MoonshineGraphs,
  ) {
    this.#config = config;
    this.#language = language;
    this.#tokenizer = tokenizer;
    this.#graphs = graphs;
  }

  static async open(
    config: MoonshineConfig,
    { entry, variant }: InstalledModel,
    read: ReadFile,
  ): Promise<Moonshine> {
    const { transcription } = entry.task === 'transcription' ? entry : config;
    const tokenizer = await TextTokenizer.load(read);
    const graphs = await MoonshineGraphs.load(read, dtypeOf(entry.id, variant.quantization));
    return new Moonshine(config, transcription.languages[0] ?? 'en', tokenizer, graphs);
  }

  get window(): { samples: number; sampleRate: number } {
    const { windowSamples: samples, sampleRate } = this.#config;
    return { samples, sampleRate };
  }

  dispose(): Promise<void> {
    return this.#graphs.dispose();
  }

  async hear(samples: Float32Array, request: WindowRequest): Promise<HeardWindow> {
    if (request.withWords) {
      throw jobFault('words', 'is not possible: this model does not tell when words are said.');
    }
    const { windowSamples, sampleRate } = this.#config;
    const isWhole = samples.length < windowSamples;
    const consumed = isWhole ? samples.length : quietestPlace(samples, sampleRate);
    const best = await bestTry(request.temperature, (temperature) =>
      this.#try(samples.subarray(0, consumed), temperature, request),
    );
    const { tokens, text, ...certainty } = best;
    const end = consumed / sampleRate;
    return {
      segments: text.trim() === '' ? [] : [{ start: 0, end, text: ` ${text.trim()}`, tokens }],
      consumed,
      language: this.#language,
      ...certainty,
      tokens: { read: 1, written: tokens.length },
    };
  }

  async #try(samples: Float32Array, temperature: number, { signal, onStep }: Pace) {
    const { sampleRate, maxTokens, tokens: marks } = this.#config;
    const seconds = samples.length / sampleRate;
    const choices: Choice[] = [];
    const all =
      seconds < LEAST_SECONDS
        ? []
        : await this.#graphs.write(samples, {
            start: marks.start,
            onStep,
            most: Math.min(maxTokens - 1, Math.ceil(seconds * TOKENS_A_SECOND)),
            choose: (logits) => {
              // The run then ends normally, and leaves nothing in the GPU's memory.
              if (signal.aborted) return marks.end;
              const choice = drawToken(logits, temperature, Math.random);
              choices.push(choice);
              return choice.token;
            },
          });
    signal.throwIfAborted();
    const tokens = all.at(-1) === marks.end ? all.slice(0, -1) : all;
    const text = this.#tokenizer.text(tokens.filter((token) => !this.#tokenizer.isSpecial(token)));
    const sum = choices.reduce((total, { logprob }) => total + logprob, 0);
    return {
      tokens,
      text,
      temperature,
      noSpeech: 0,
      averageLogprob: sum / (choices.length || 1),
      compressionRatio: await compressionRatio(text),
    };
  }
}
