/// <reference lib="webworker" />
/**
 * WebLLM as its own documentation uses it, with nothing of ours around it: what the API's answers
 * are compared with. One request at a time, `DirectRequest` in, `DirectAnswer` out.
 */
import { MLCEngine, type ChatCompletionMessageParam } from '@mlc-ai/web-llm';

export interface DirectRequest {
  /** Folder of the pack, absolute. */
  pack: string;
  /** Texts that are prefilled and generated in turn; the last is the prompt. */
  turns: string[];
  maxTokens: number;
  /** How many alternatives of each token to report; 0: none. Asked for, the temperature is 1. */
  topLogprobs: number;
}

export interface DirectAnswer {
  pieces: string[];
  /** For each token the likeliest alternatives. */
  logprobs: { token: string; logprob: number }[][];
  promptTokens: number;
}

declare const self: DedicatedWorkerGlobalScope;

const engine = new MLCEngine({ logLevel: 'WARN' });
let loaded: string | undefined;

self.onmessage = async ({ data }: MessageEvent<DirectRequest>) => {
  self.postMessage(await answer(data).catch((error: unknown) => ({ error: String(error) })));
};

async function answer(request: DirectRequest): Promise<DirectAnswer> {
  if (loaded !== request.pack) await load(request.pack);
  loaded = request.pack;
  const { turns, maxTokens, topLogprobs } = request;
  const stream = await engine.chat.completions.create({
    messages: turns.map((content, index): ChatCompletionMessageParam => ({
      role: index % 2 === 0 ? 'user' : 'assistant',
      content,
    })),
    stream: true,
    stream_options: { include_usage: true },
    max_tokens: maxTokens,
    temperature: topLogprobs > 0 ? 1 : 0,
    ...(topLogprobs > 0 && { logprobs: true, top_logprobs: topLogprobs }),
  });
  const result: DirectAnswer = { pieces: [], logprobs: [], promptTokens: 0 };
  for await (const { choices, usage } of stream) {
    const [choice] = choices;
    if (choice?.delta.content) result.pieces.push(choice.delta.content);
    for (const { top_logprobs } of choice?.logprobs?.content ?? []) {
      result.logprobs.push(top_logprobs.map(({ token, logprob }) => ({ token, logprob })));
    }
    if (usage) result.promptTokens = usage.prompt_tokens;
  }
  return result;
}

async function load(pack: string): Promise<void> {
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
