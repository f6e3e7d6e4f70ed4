/// <reference lib="webworker" />
/**
 * WebLLM alone, as its own documentation uses it; tests compare the API's answers with its answers.
 * It takes one `DirectRequest` at a time and posts a `DirectAnswer`.
 */
import { MLCEngine, type ChatCompletionMessageParam, type LogitProcessor } from '@mlc-ai/web-llm';

export interface DirectRequest {
  /** Absolute URL of the pack's folder. */
  pack: string;
  /** Prompts and answers in turn; the last one is the prompt to answer. */
  turns: string[];
  maxTokens: number;
  /** Number of likeliest tokens to report at each step. */
  top: number;
}

/** A token's id and the natural logarithm of its probability. */
export type Logprob = [token: number, logprob: number];

export interface DirectAnswer {
  pieces: string[];
  /** For each step, the likeliest tokens, best first. */
  steps: Logprob[][];
  /** Tokens that this request prefilled. */
  promptTokens: number;
}

declare const self: DedicatedWorkerGlobalScope;

let steps: Logprob[][] = [];
let top = 0;
const recorder: LogitProcessor = {
  processLogits(logits) {
    if (top > 0) steps.push(likeliest(logits, top));
    return logits;
  },
  processSampledToken() {},
  resetState() {},
};

/** A logit processor copies the logits to the CPU, so only requests for logprobs use one. */
const engines = { plain: new MLCEngine({ logLevel: 'WARN' }), recording: recordingEngine() };
const loaded = new Map<MLCEngine, string>();

self.onmessage = async ({ data }: MessageEvent<DirectRequest>) => {
  self.postMessage(await answer(data).catch((error: unknown) => ({ error: String(error) })));
};

async function answer(request: DirectRequest): Promise<DirectAnswer> {
  const engine = request.top > 0 ? engines.recording : engines.plain;
  if (loaded.get(engine) !== request.pack) await load(engine, request.pack);
  loaded.set(engine, request.pack);
  ({ top } = request);
  steps = [];
  const stream = await engine.chat.completions.create({
    messages: request.turns.map((content, index): ChatCompletionMessageParam => ({
      role: index % 2 === 0 ? 'user' : 'assistant',
      content,
    })),
    stream: true,
    stream_options: { include_usage: true },
    max_tokens: request.maxTokens,
    temperature: 0,
  });
  const result: DirectAnswer = { pieces: [], steps, promptTokens: 0 };
  for await (const { choices, usage } of stream) {
    const piece = choices[0]?.delta.content;
    if (piece) result.pieces.push(piece);
    if (usage) result.promptTokens = usage.prompt_tokens;
  }
  return result;
}

function recordingEngine(): MLCEngine {
  // This is registered for every pack, since the pack is not known yet.
  const everyName = { get: () => recorder, has: () => true };
  return new MLCEngine({
    logLevel: 'WARN',
    logitProcessorRegistry: Object.assign(new Map<string, LogitProcessor>(), everyName),
  });
}

async function load(engine: MLCEngine, pack: string): Promise<void> {
  engine.setAppConfig({
    model_list: [{ model: pack, model_id: pack, model_lib: `${pack}model.wasm` }],
  });
  await engine.reload(pack, {
    conv_template: {
      system_template: '{system_message}',
      system_message: '',
      render_empty_system_message: false,
      roles: { user: '', assistant: '', tool: '' },
      seps: [''],
      role_content_sep: '',
      role_empty_sep: '',
      stop_str: [],
      stop_token_ids: [2],
    },
  });
}

function likeliest(logits: Float32Array, count: number): Logprob[] {
  const order = Array.from(logits.keys())
    .sort((a, b) => (logits[b] ?? 0) - (logits[a] ?? 0))
    .slice(0, count);
  const largest = Math.max(...order.map((token) => logits[token] ?? 0));
  const total = logits.reduce((sum, logit) => sum + Math.exp(logit - largest), 0);
  return order.map((token) => [token, (logits[token] ?? 0) - largest - Math.log(total)]);
}
