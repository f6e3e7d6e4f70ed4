import { Line } from '../core/async/line.ts';
import { orAborted } from '../core/async/or-aborted.ts';
import { ChatClient } from './chat-client.ts';
import { Conversation } from './conversation.ts';
import {
  PARAMS,
  isExpected,
  readInitialPrompts,
  readSampling,
  withoutPrefix,
  type Sampling,
} from './create-options.ts';
import { DownloadMonitor } from './download-monitor.ts';
import { EventHandler } from './event-handler.ts';
import { notSupported } from './exceptions.ts';
import { checkPrompt, convertPrompt, type GivenMessage } from './prompt-input.ts';
import { readConstraint, withHint, type Constraint } from './response-constraint.ts';
import { knownLanguages, modelAvailability, serveModel } from './served-model.ts';
import type {
  Availability,
  LanguageModelAppendOptions,
  LanguageModelCloneOptions,
  LanguageModelCreateCoreOptions,
  LanguageModelCreateOptions,
  LanguageModelParams,
  LanguageModelPrompt,
  LanguageModelPromptOptions,
  LanguageModelSamplingMode,
} from './types.ts';

/** The state of a session. Only this class makes one, so nobody else can call the constructor. */
interface SessionState {
  conversation: Conversation;
  sampling: Sampling;
}

const DESTROYED = 'The session has been destroyed.';

/**
 * A session of the Prompt API (https://webmachinelearning.github.io/prompt-api/) with a model of slashv1. Prompts of
 * a session are answered one after the other.
 */
export class LanguageModel extends EventTarget {
  readonly #conversation: Conversation;
  readonly #sampling: Sampling;
  readonly #ending = new AbortController();
  readonly #oncontextoverflow = new EventHandler(this, 'contextoverflow', isEvent);
  readonly #onquotaoverflow = new EventHandler(this, 'quotaoverflow', isEvent);
  readonly #line = new Line(1);

  private constructor(state: SessionState) {
    if (!isSessionState(state))
      throw new TypeError('Illegal constructor: use LanguageModel.create().');
    super();
    this.#conversation = state.conversation;
    this.#sampling = state.sampling;
  }

  /**
   * Whether sessions can be created. It starts slashv1 in the page, but downloads no model.
   *
   * @throws RangeError, TypeError for invalid options
   */
  static async availability(options: LanguageModelCreateCoreOptions = {}): Promise<Availability> {
    return isExpected(options, knownLanguages()) ? modelAvailability() : 'unavailable';
  }

  /** The sampling parameters that sessions take; null: there is no model. */
  static async params(): Promise<LanguageModelParams | null> {
    return (await modelAvailability()) === 'unavailable' ? null : { ...PARAMS };
  }

  /**
   * Creates a session. The model is downloaded and loaded first, unless it is in memory.
   *
   * @throws RangeError, TypeError for invalid options; DOMException `NotSupportedError`, `NetworkError`,
   *   `OperationError`, `QuotaExceededError`; the signal's reason
   */
  static async create(options: LanguageModelCreateOptions = {}): Promise<LanguageModel> {
    const { signal = new AbortController().signal } = options;
    signal.throwIfAborted();
    const sampling = readSampling(options);
    const initialPrompts = readInitialPrompts(options);
    const isPossible = isExpected(options, knownLanguages());
    const monitor = new DownloadMonitor(options.monitor, signal);
    const session = await orAborted(
      (async () => {
        if (!isPossible || (await modelAvailability()) === 'unavailable') {
          throw notSupported('The model is not available with these options, or not in this page.');
        }
        const model = await serveModel(monitor, signal);
        const client = new ChatClient(model, sampling.fields);
        const conversation = new Conversation(client, model.contextWindow);
        await conversation.begin(initialPrompts, signal);
        return new LanguageModel({ conversation, sampling });
      })(),
      signal,
    );
    signal.addEventListener('abort', () => session.#ending.abort(signal.reason));
    return session;
  }

  /** @throws as `promptStreaming` */
  async prompt(
    input: LanguageModelPrompt,
    options: LanguageModelPromptOptions = {},
  ): Promise<string> {
    const given = convertPrompt(input);
    const constraint = readConstraint(options);
    const signal = this.#signal(options);
    return this.#inTurn(async () => {
      let text = '';
      for await (const piece of this.#answer(given, constraint, signal)) text += piece;
      return text;
    }, signal);
  }

  /**
   * Answers in pieces. The stream fails with a TypeError for messages that break the rules, and with DOMExceptions:
   * `NotSupportedError`, `QuotaExceededError`, `SyntaxError` if the answer does not fit the constraint, `UnknownError`.
   *
   * @throws TypeError for a malformed input; the signal's reason; DOMException `InvalidStateError` after `destroy`
   */
  promptStreaming(
    input: LanguageModelPrompt,
    options: LanguageModelPromptOptions = {},
  ): ReadableStream<string> {
    const given = convertPrompt(input);
    const constraint = readConstraint(options);
    const leaving = new AbortController();
    const signal = this.#signal({ signal: AbortSignal.any([leaving.signal, ...own(options)]) });
    signal.throwIfAborted();
    const write = async (stream: ReadableStreamDefaultController<string>) => {
      try {
        await this.#inTurn(async () => {
          for await (const piece of this.#answer(given, constraint, signal)) stream.enqueue(piece);
        }, signal);
        stream.close();
      } catch (error) {
        stream.error(error);
      }
    };
    return new ReadableStream<string>({
      start: (stream) => void write(stream),
      cancel: (reason) => leaving.abort(reason),
    });
  }

  /**
   * Adds messages without an answer.
   *
   * @throws TypeError for messages that break the rules; DOMException `NotSupportedError`, `QuotaExceededError`
   */
  async append(
    input: LanguageModelPrompt,
    options: LanguageModelAppendOptions = {},
  ): Promise<undefined> {
    const given = convertPrompt(input);
    const signal = this.#signal(options);
    return this.#inTurn(async () => {
      const messages = withoutPrefix(checkPrompt(given, !this.#conversation.isEmpty));
      await this.#conversation.append(messages, this.#onOverflow, signal);
      return undefined;
    }, signal);
  }

  /** How many tokens a prompt takes, with the marks of its turns and with its constraint. */
  async measureContextUsage(
    input: LanguageModelPrompt,
    options: LanguageModelPromptOptions = {},
  ): Promise<number> {
    const constraint = readConstraint(options);
    const { messages } = checkPrompt(convertPrompt(input), false);
    const signal = this.#signal(options);
    signal.throwIfAborted();
    const whole = withHint(messages, constraint);
    return orAborted(this.#conversation.measure(whole, signal), signal);
  }

  /** Tokens that the messages of the session take. */
  get contextUsage(): number {
    return this.#conversation.usage;
  }

  /** Tokens that fit into the session. */
  get contextWindow(): number {
    return this.#conversation.window;
  }

  get oncontextoverflow() {
    return this.#oncontextoverflow.value;
  }

  set oncontextoverflow(handler) {
    this.#oncontextoverflow.value = handler;
  }

  /** The old name of `measureContextUsage`. */
  measureInputUsage(
    input: LanguageModelPrompt,
    options: LanguageModelPromptOptions = {},
  ): Promise<number> {
    return this.measureContextUsage(input, options);
  }

  /** The old name of `contextUsage`. */
  get inputUsage(): number {
    return this.contextUsage;
  }

  /** The old name of `contextWindow`. */
  get inputQuota(): number {
    return this.contextWindow;
  }

  /** The old name of `oncontextoverflow`. */
  get onquotaoverflow() {
    return this.#onquotaoverflow.value;
  }

  set onquotaoverflow(handler) {
    this.#onquotaoverflow.value = handler;
  }

  /** Undefined: the model's own. */
  get topK(): number | undefined {
    return this.#sampling.topK;
  }

  /** Undefined: the model's own. */
  get temperature(): number | undefined {
    return this.#sampling.temperature;
  }

  /** Null: the session was created with `topK` or `temperature`. */
  get samplingMode(): LanguageModelSamplingMode | null {
    return this.#sampling.mode;
  }

  /** Creates a session with a copy of the messages. The two sessions are then independent. */
  async clone(options: LanguageModelCloneOptions = {}): Promise<LanguageModel> {
    const signal = this.#signal(options);
    signal.throwIfAborted();
    await Promise.resolve();
    signal.throwIfAborted();
    const conversation = this.#conversation.clone();
    return new LanguageModel({ conversation, sampling: this.#sampling });
  }

  /** Ends all prompts under way, and refuses new ones, with an `InvalidStateError`. */
  destroy(): void {
    this.#ending.abort(new DOMException(DESTROYED, 'InvalidStateError'));
  }

  /** Runs a task after all earlier ones. @throws the signal's reason as soon as it is aborted */
  #inTurn<T>(task: () => Promise<T>, signal: AbortSignal): Promise<T> {
    return orAborted(this.#line.run(task, signal), signal);
  }

  #signal(options: { signal?: AbortSignal }): AbortSignal {
    return AbortSignal.any([this.#ending.signal, ...own(options)]);
  }

  #answer(
    given: GivenMessage[],
    constraint: Constraint | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<string, void> {
    const prompt = checkPrompt(given, !this.#conversation.isEmpty);
    if (prompt.continues && constraint) {
      throw notSupported("'prefix' is not supported together with 'responseConstraint'.");
    }
    return this.#conversation.answer(prompt, constraint, this.#onOverflow, signal);
  }

  readonly #onOverflow = (): void => {
    this.dispatchEvent(new Event('contextoverflow'));
    this.dispatchEvent(new Event('quotaoverflow'));
  };
}

function isEvent(event: unknown): event is Event {
  return event instanceof Event;
}

function isSessionState(value: unknown): value is SessionState {
  return (
    typeof value === 'object' &&
    value !== null &&
    'conversation' in value &&
    value.conversation instanceof Conversation
  );
}

function own({ signal }: { signal?: AbortSignal }): AbortSignal[] {
  return signal ? [signal] : [];
}
