import { jobFault, modelUnusable } from '../../../../core/errors/errors.ts';
import type { WhisperConfig } from '../../../../core/files/hearing/whisper-config.ts';
import type { InstalledModel } from '../../../download/installer/installed-model.ts';
import type { ReadFile } from '../../../download/transfer/read-file.ts';
import { dtypeOf } from '../../model-configs.ts';
import { TextTokenizer } from '../../transformers/text-tokenizer.ts';
import { WhisperGraphs, type HeardSound } from '../../transformers/whisper-graphs.ts';
import { bestTry, LEAST_LOGPROB, SILENCE } from './best-try.ts';
import { chooseToken, logSumExp, TIME_STEP, type Choice } from './choose-token.ts';
import { compressionRatio } from './compression-ratio.ts';
import type { Pace } from '../pace.ts';
import type { HeardWindow, Recogniser, WindowRequest, WindowSegment } from './recogniser.ts';
import { splitAtTimes, type TokenSegment } from './split-at-times.ts';
import { wordsOf } from './words.ts';

/** The least that is read of a window, seconds: otherwise a recording could take a thousand windows. No word is shorter. */
const LEAST_SECONDS = 0.2;

/** One try at a window. */
interface Try {
  tokens: number[];
  times: number[] | undefined;
  text: string;
  temperature: number;
  averageLogprob: number;
  compressionRatio: number;
  noSpeech: number;
}

/** A Whisper model in memory. */
export class Whisper implements Recogniser {
  readonly #config: WhisperConfig;
  readonly #tokenizer: TextTokenizer;
  readonly #graphs: WhisperGraphs;
  /** The token before earlier text; undefined if the model takes no earlier text. */
  readonly #earlier: number | undefined;
  /** The token that means that nobody speaks; undefined if the model has none. */
  readonly #noSpeech: number | undefined;

  private constructor(config: WhisperConfig, tokenizer: TextTokenizer, graphs: WhisperGraphs) {
    this.#config = config;
    this.#tokenizer = tokenizer;
    this.#graphs = graphs;
    this.#earlier = tokenizer.idOf('<|startofprev|>');
    // The first model's vocabulary has another name for it.
    this.#noSpeech = tokenizer.idOf('<|nospeech|>') ?? tokenizer.idOf('<|nocaptions|>');
  }

  /** @throws ApiError 500 `model_unusable` if it can write nothing */
  static async open(
    config: WhisperConfig,
    { entry: { id }, variant }: InstalledModel,
    read: ReadFile,
  ): Promise<Whisper> {
    const tokenizer = await TextTokenizer.load(read);
    const graphs = await WhisperGraphs.load(read, dtypeOf(id, variant.quantization));
    if (config.maxTokens < 2) throw modelUnusable(id, 'it can write no tokens');
    return new Whisper(config, tokenizer, graphs);
  }

  get window(): { samples: number; sampleRate: number } {
    const { windowSamples: samples, sampleRate } = this.#config;
    return { samples, sampleRate };
  }

  dispose(): Promise<void> {
    return this.#graphs.dispose();
  }

  async hear(samples: Float32Array, request: WindowRequest): Promise<HeardWindow> {
    const sound = await this.#graphs.hear(samples);
    const language = request.language ?? (await this.#language(sound, request));
    const prompt = this.#prompt(request, language);
    const best = await bestTry(request.temperature, (temperature) =>
      this.#try(sound, samples.length, prompt, { ...request, temperature }),
    );
    const { temperature, averageLogprob, compressionRatio: ratio, noSpeech } = best;
    const isSilent = noSpeech > SILENCE && averageLogprob < LEAST_LOGPROB;
    const { firstTime } = this.#config.tokens;
    const seconds = samples.length / this.#config.sampleRate;
    const split = splitAtTimes(best.tokens, firstTime, seconds);
    const until = Math.round(Math.max(split.until, LEAST_SECONDS) * this.#config.sampleRate);
    return {
      segments: isSilent ? [] : this.#segments(split.segments, best, request.withWords),
      consumed: isSilent ? samples.length : Math.min(until, samples.length),
      language,
      temperature,
      averageLogprob,
      compressionRatio: ratio,
      noSpeech,
      tokens: { read: prompt.length, written: best.tokens.length },
    };
  }

  async #language(sound: HeardSound, { signal, onStep }: Pace): Promise<string> {
    const { languages, start } = this.#config.tokens;
    const codes = Object.entries(languages);
    const [first] = this.#config.transcription.languages;
    if (codes.length < 2) return first ?? 'en';
    let found = first ?? 'en';
    await this.#graphs.write(sound, {
      prompt: [start],
      most: 1,
      onStep,
      choose: (logits) => {
        const logit = ([, id]: [string, number]) => logits[id] ?? -Infinity;
        const [code, id] = codes.reduce((a, b) => (logit(b) > logit(a) ? b : a));
        found = code;
        return id;
      },
    });
    signal.throwIfAborted();
    return found;
  }

  /** The tokens before the text. */
  #prompt({ task, earlier }: WindowRequest, language: string): number[] {
    const { tokens, maxTokens } = this.#config;
    const marks = [tokens.start, tokens.languages[language], tokens[task]];
    const begin = marks.filter((token) => token !== undefined);
    const text = earlier.trim();
    if (text === '' || this.#earlier === undefined) return begin;
    // Half of the context is for earlier text, as in openai/whisper.
    const most = Math.floor(maxTokens / 2) - 1;
    return [this.#earlier, ...this.#tokenizer.plainIds(` ${text}`).slice(-most), ...begin];
  }

  async #try(
    sound: HeardSound,
    samples: number,
    prompt: number[],
    { temperature, withWords, signal, onStep }: WindowRequest,
  ): Promise<Try> {
    const config = this.#config;
    const choices: Choice[] = [];
    let noSpeech = 0;
    const { tokens: all, times } = await this.#graphs.write(sound, {
      prompt,
      most: Math.min(Math.floor(config.maxTokens / 2), config.maxTokens - prompt.length),
      choose: (logits, written) => {
        // The run then ends normally, and leaves nothing in the GPU's memory.
        if (signal.aborted) return config.tokens.end;
        const options = { config, withTimes: true, temperature, random: Math.random };
        const choice = chooseToken(logits, written, options);
        choices.push(choice);
        return choice.token;
      },
      onStep,
      onPrompt: (logits, length) => {
        const at = prompt.indexOf(config.tokens.start) * length;
        noSpeech = this.#noSpeechIn(logits.subarray(at, at + length));
      },
      alignment: withWords ? this.#alignment(samples) : undefined,
    });
    signal.throwIfAborted();
    const tokens = all.at(-1) === config.tokens.end ? all.slice(0, -1) : all;
    const text = this.#text(tokens);
    return {
      tokens,
      times,
      text,
      temperature,
      noSpeech,
      averageLogprob:
        choices.reduce((sum, { logprob }) => sum + logprob, 0) / (choices.length || 1),
      compressionRatio: await compressionRatio(text),
    };
  }

  #noSpeechIn(logits: Float32Array): number {
    if (this.#noSpeech === undefined) return 0;
    return Math.exp((logits[this.#noSpeech] ?? -Infinity) - logSumExp(logits));
  }

  /** The encoder makes one frame for each 0.02 s. */
  #alignment(samples: number) {
    const { alignmentHeads: heads, sampleRate } = this.#config;
    if (heads.length === 0 || !this.#graphs.hasAttentions) {
      throw jobFault('words', 'is not possible: this model does not tell when words are said.');
    }
    return { heads, frames: Math.max(1, Math.ceil(samples / sampleRate / TIME_STEP)) };
  }

  #segments(segments: TokenSegment[], { tokens, times }: Try, withWords: boolean): WindowSegment[] {
    return segments.flatMap(({ start, end, from, to }) => {
      const own = tokens.slice(from, to);
      const text = this.#text(own);
      if (text.trim() === '') return [];
      const segment = { start, end, text, tokens: own };
      if (!withWords || !times) return [segment];
      const decode = (ids: number[]) => this.#tokenizer.text(ids);
      const spoken = own.flatMap((id, index) =>
        this.#isText(id) ? [{ id, time: times[from + index] ?? start }] : [],
      );
      return [{ ...segment, words: wordsOf(spoken, end, decode) }];
    });
  }

  #isText(token: number): boolean {
    return token < this.#config.tokens.end;
  }

  #text(tokens: number[]): string {
    return this.#tokenizer.text(tokens.filter((token) => this.#isText(token)));
  }
}
