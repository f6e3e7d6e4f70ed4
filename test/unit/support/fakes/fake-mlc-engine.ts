import type {
  AppConfig,
  ChatCompletionRequestStreaming,
  ChatOptions,
  InitProgressCallback,
  LogitProcessor,
  MLCEngineConfig,
} from '@mlc-ai/web-llm';

/** What WebLLM streams, as far as we read it. */
export interface FakeChunk {
  choices: { delta: { content?: string }; finish_reason: string | null }[];
  usage?: { prompt_tokens: number; completion_tokens: number };
}

type Generate = (request: ChatCompletionRequestStreaming) => AsyncIterable<FakeChunk>;

export const token = (content: string): FakeChunk => ({
  choices: [{ delta: { content }, finish_reason: null }],
});

export function end(reason: string, prompt_tokens: number, completion_tokens: number): FakeChunk[] {
  return [
    { choices: [{ delta: {}, finish_reason: reason }] },
    { choices: [], usage: { prompt_tokens, completion_tokens } },
  ];
}

/** What all of WebLLM's engines do in a test, and what they were asked. */
class FakeMlc {
  readonly requests: ChatCompletionRequestStreaming[] = [];
  /** Pipelines by the ids of their models; empty unless a test fills it. */
  readonly pipelines = new Map<string, object>();
  readonly reloads: { appConfig: AppConfig | undefined; options: ChatOptions }[] = [];
  unloads = 0;
  interrupts = 0;
  /** The logit processor of the engine that was made last. */
  processor: LogitProcessor | undefined;
  /** How many generations were begun and not yet ended or left. */
  running = 0;
  generate: Generate = answering('Hello', ' there');
  load: (progress: InitProgressCallback) => Promise<void> = () => Promise.resolve();
  unload: () => Promise<void> = () => Promise.resolve();
}

/** Stands in for WebLLM's engine: does as the test says and remembers what it was asked. */
export class FakeMlcEngine {
  static last = new FakeMlc();

  /** Prepares for the next test. */
  static reset(): void {
    FakeMlcEngine.last = new FakeMlc();
  }

  readonly #fake = FakeMlcEngine.last;
  /** A private member of WebLLM's engine. */
  readonly loadedModelIdToPipeline = this.#fake.pipelines;
  #appConfig: AppConfig | undefined;
  #onProgress: InitProgressCallback = () => undefined;

  constructor({ logitProcessorRegistry }: MLCEngineConfig = {}) {
    this.#fake.processor = logitProcessorRegistry?.values().next().value;
  }

  readonly chat = {
    completions: {
      create: (request: ChatCompletionRequestStreaming) => {
        this.#fake.requests.push(request);
        return Promise.resolve(this.#counted(this.#fake.generate(request)));
      },
    },
  };

  setInitProgressCallback(callback: InitProgressCallback): void {
    this.#onProgress = callback;
  }

  setAppConfig(config: AppConfig): void {
    this.#appConfig = config;
  }

  async reload(_id: string, options: ChatOptions): Promise<void> {
    this.#fake.reloads.push({ appConfig: this.#appConfig, options });
    await this.#fake.load(this.#onProgress);
  }

  unload(): Promise<void> {
    this.#fake.unloads++;
    return this.#fake.unload();
  }

  interruptGenerate(): Promise<void> {
    this.#fake.interrupts++;
    return Promise.resolve();
  }

  async *#counted(chunks: AsyncIterable<FakeChunk>): AsyncGenerator<FakeChunk> {
    this.#fake.running++;
    try {
      yield* chunks;
    } finally {
      this.#fake.running--;
    }
  }
}

/** Streams these tokens and ends by itself. Counts 7 prompt tokens, and one completion token more than these. */
export function answering(...tokens: string[]): Generate {
  return async function* () {
    for (const piece of tokens) yield token(piece);
    yield* end('stop', 7, tokens.length + 1);
  };
}
