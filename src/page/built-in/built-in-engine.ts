import type { BuiltInFacts } from '../../core/realms/built-in.ts';
import { withoutEvents, type Runs } from '../../core/port/engine.ts';
import { promptTooLong } from '../../core/errors/errors.ts';
import type {
  BuiltInEvent,
  GenerateEvent,
  TokensEvent,
} from '../../core/operations/events/events.ts';
import type { GenerateJob, TokensJob } from '../../core/operations/jobs/jobs.ts';
import { writeAnswer } from './answer.ts';
import { failureOf } from './failure.ts';
import { expected, nativeModel, Session, type NativeCreateOptions } from './native-model.ts';
import { constraintOf, nativePrompt } from './native-prompt.ts';

/** The operations that the page runs on the browser's model. */
export type BuiltInOperation = 'generate' | 'tokens' | 'load' | 'unload' | 'install' | 'built-in';

/** Runs the browser's own model in the page, because workers do not have it. */
export class BuiltInEngine {
  /** A session that keeps the model in memory. */
  #loaded: Session | undefined;
  #contextLength: number | undefined;
  readonly #download: (signal: AbortSignal) => Promise<void>;
  readonly runs: Runs<BuiltInOperation> = {
    generate: (job, signal) => this.#generate(job, signal),
    tokens: (job, signal) => this.#tokens(job, signal),
    load: (_job, signal) => withoutEvents(() => this.#load(signal)),
    unload: () => withoutEvents(async () => this.#unload()),
    install: (_job, signal) => withoutEvents(() => this.#install(signal)),
    'built-in': () => this.#facts(),
  };

  /** @param download - downloads the model if it is not there */
  constructor(download: (signal: AbortSignal) => Promise<void>) {
    this.#download = download;
  }

  async *#facts(): AsyncGenerator<BuiltInEvent, void, undefined> {
    const model = nativeModel();
    const availability = await model.availability(await expected());
    const sampling = await model.params?.().catch(() => null);
    const length = this.#contextLength;
    const facts: BuiltInFacts = {
      availability,
      ...(sampling && { sampling }),
      ...(length !== undefined && { contextLength: length }),
    };
    yield { type: 'built-in', facts };
  }

  async #load(signal: AbortSignal): Promise<void> {
    this.#loaded ??= await this.#session({}, signal);
  }

  #unload(): void {
    this.#loaded?.end();
    this.#loaded = undefined;
  }

  async #install(signal: AbortSignal): Promise<void> {
    await this.#download(signal);
    // Creating a session tells the length of the context.
    (await this.#session({}, signal)).end();
  }

  async #session(options: NativeCreateOptions, signal: AbortSignal): Promise<Session> {
    signal.throwIfAborted();
    try {
      const session = new Session(
        await nativeModel().create({ ...options, ...(await expected()), signal }),
      );
      this.#contextLength = session.window;
      return session;
    } catch (error) {
      signal.throwIfAborted();
      const window = this.#contextLength ?? 0;
      throw failureOf(error, { hasFormat: false, hasBegun: false, window });
    }
  }

  async *#generate(
    job: GenerateJob,
    signal: AbortSignal,
  ): AsyncGenerator<GenerateEvent, void, undefined> {
    const { choices = 1, format, sampling, maxTokens = Number.POSITIVE_INFINITY } = job;
    const isContinuable = choices === 1 && !format;
    const written = isContinuable ? (job.written ?? []) : [];
    const whole = nativePrompt(job.prompt);
    const begun = nativePrompt(job.prompt, written.map(({ text }) => text).join(''));
    const constraint = constraintOf(format);
    const wish = await samplingOf(sampling);
    const options = { ...(constraint && { responseConstraint: constraint }), signal };
    for (let choice = 0; choice < choices; choice++) {
      const { initialPrompts } = whole;
      const session = await this.#session({ initialPrompts, ...wish }, signal);
      try {
        const promptTokens = await measured(session, whole.messages, options, signal);
        if (choice === 0) yield { type: 'start', prompt: { promptTokens, cachedTokens: 0 } };
        yield* writeAnswer(job, {
          session,
          options,
          written,
          promptTokens,
          isContinuable,
          messages: begun.messages,
          mostTokens: Math.min(maxTokens, session.window - promptTokens),
        });
      } finally {
        session.end();
      }
    }
  }

  async *#tokens(
    job: TokensJob,
    signal: AbortSignal,
  ): AsyncGenerator<TokensEvent, void, undefined> {
    const { of } = job;
    const raw = { kind: 'raw' as const, text: '' };
    const { initialPrompts, messages } = nativePrompt(of.kind === 'tokens' ? raw : of);
    const session = await this.#session({ initialPrompts }, signal);
    try {
      const count = await measured(session, messages, { signal }, signal, false);
      yield { type: 'tokens', ids: [], count, text: '', contextLength: session.window };
    } finally {
      session.end();
    }
  }
}

/** The sampling options of a session. The browser wants both or neither. */
async function samplingOf({
  temperature,
  topK,
}: GenerateJob['sampling']): Promise<Pick<NativeCreateOptions, 'temperature' | 'topK'>> {
  if (temperature === undefined && topK === undefined) return {};
  const found = await nativeModel().params?.();
  if (!found) return {};
  return {
    temperature: temperature ?? found.defaultTemperature,
    topK: topK ?? found.defaultTopK,
  };
}

/** Tokens of the whole prompt. @throws ApiError 400 if it does not fit */
async function measured(
  session: Session,
  messages: Parameters<Session['measure']>[0],
  options: Parameters<Session['measure']>[1],
  signal: AbortSignal,
  mustFit = true,
): Promise<number> {
  const { window } = session;
  try {
    const tokens = session.usage + (await session.measure(messages, options));
    if (mustFit && tokens > window) throw promptTooLong(tokens, window);
    return tokens;
  } catch (error) {
    signal.throwIfAborted();
    const hasFormat = options.responseConstraint !== undefined;
    throw failureOf(error, { hasFormat, hasBegun: false, window });
  }
}
