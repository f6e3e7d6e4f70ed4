import type { BuiltInFacts, BuiltInSampling } from '../../core/realms/built-in.ts';
import { modelNotFound, serverError } from '../../core/errors/errors.ts';
import { BUILT_IN_MODEL } from '../../core/realms/built-in.ts';

/** Matches the source text of the browser's own functions. */
const NATIVE = /\{\s*\[native code\]\s*\}\s*$/;

/** A message as the browser's Prompt API takes it. */
export interface NativeMessage {
  role: 'system' | 'user' | 'assistant';
  content: string;
  /** The answer continues this one. */
  prefix?: boolean;
}

export interface NativePromptOptions {
  responseConstraint?: object;
  signal?: AbortSignal;
}

/** A session of the Prompt API: https://webmachinelearning.github.io/prompt-api/ */
interface NativeSession {
  promptStreaming(input: NativeMessage[], options: NativePromptOptions): ReadableStream<string>;
  destroy(): void;
  measureContextUsage?(input: NativeMessage[], options: NativePromptOptions): Promise<number>;
  contextUsage?: number;
  contextWindow?: number;
  /** Other names of the three members above, in Chrome before 148 and in its extensions. */
  measureInputUsage?(input: NativeMessage[], options: NativePromptOptions): Promise<number>;
  inputUsage?: number;
  inputQuota?: number;
}

interface Monitor {
  addEventListener(type: 'downloadprogress', listener: (event: { loaded: number }) => void): void;
}

/** What a session is expected to write. */
interface Expected {
  expectedOutputs?: { type: 'text'; languages: string[] }[];
}

export interface NativeCreateOptions extends Expected {
  initialPrompts?: NativeMessage[];
  temperature?: number;
  topK?: number;
  signal?: AbortSignal;
  monitor?: (monitor: Monitor) => void;
}

interface NativeModel {
  availability(options?: Expected): Promise<BuiltInFacts['availability']>;
  create(options: NativeCreateOptions): Promise<NativeSession>;
  /** Absent where pages may not choose the sampling, as on websites since Chrome 148. */
  params?(): Promise<BuiltInSampling | null>;
}

/** A session, whatever the browser calls its members. */
export class Session {
  readonly #native: NativeSession;

  constructor(native: NativeSession) {
    this.#native = native;
  }

  /** Size of the context window, tokens. */
  get window(): number {
    return this.#native.contextWindow ?? this.#native.inputQuota ?? 0;
  }

  /** Tokens in the context. */
  get usage(): number {
    return this.#native.contextUsage ?? this.#native.inputUsage ?? 0;
  }

  /** How many tokens a prompt would take. */
  async measure(input: NativeMessage[], options: NativePromptOptions): Promise<number> {
    const native = this.#native;
    const count =
      native.measureContextUsage?.(input, options) ?? native.measureInputUsage?.(input, options);
    if (!count) throw serverError('engine_error', "The browser's model cannot count tokens.");
    return count;
  }

  answer(input: NativeMessage[], options: NativePromptOptions): ReadableStream<string> {
    return this.#native.promptStreaming(input, options);
  }

  end(): void {
    this.#native.destroy();
  }
}

/**
 * The browser's own `LanguageModel`. If a script of the page has replaced it, the replacement is ignored: it may run on
 * slashv1 itself, or send the prompts to a server.
 *
 * @throws ApiError 404 in a browser without one
 */
export function nativeModel(): NativeModel {
  const found: unknown = Reflect.get(globalThis, 'LanguageModel');
  if (isModel(found)) return found;
  throw modelNotFound(BUILT_IN_MODEL, 'This browser has no model of its own.');
}

/**
 * The expected output: text in the visitor's language if the model supports it, otherwise in English. Without this
 * option, Chrome warns in the page's console. The model still answers in other languages.
 */
export async function expected(): Promise<Required<Expected>> {
  const own = inLanguage(navigator.language.split('-', 1).join());
  const isKnown = (await nativeModel().availability(own)) !== 'unavailable';
  return isKnown ? own : inLanguage('en');
}

function inLanguage(language: string): Required<Expected> {
  return { expectedOutputs: [{ type: 'text', languages: [language] }] };
}

function isModel(value: unknown): value is NativeModel {
  return typeof value === 'function' && 'availability' in value && NATIVE.test(String(value));
}
