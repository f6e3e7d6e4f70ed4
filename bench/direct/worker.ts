/**
 * The other side of each comparison: WebLLM as its users run it, in a dedicated worker, with its own cache
 * in the Cache API. It posts each piece of text to the page at once. It contains no code of ours.
 */
import { MLCEngine, type ChatOptions } from '@mlc-ai/web-llm';
import type { DirectModel, FromDirectWorker, ToDirectWorker } from './messages.ts';
import { messageOf } from '../../src/core/text/message-of.ts';

declare const self: DedicatedWorkerGlobalScope;

const MODEL_ID = 'model';
const engine = new MLCEngine({ logLevel: 'WARN' });

self.addEventListener('message', ({ data }: MessageEvent<ToDirectWorker>) => {
  handle(data).catch((error: unknown) => {
    post({ type: 'failed', message: messageOf(error) });
  });
});

async function handle(message: ToDirectWorker): Promise<void> {
  switch (message.type) {
    case 'load':
      return load(message.model);
    case 'unload':
      await engine.unload();
      return post({ type: 'unloaded' });
    case 'generate':
      return generate(message.prompt, message.maxTokens);
  }
}

async function load(model: DirectModel): Promise<void> {
  if (model.engine !== 'webllm') throw new Error(`WebLLM cannot load a model of ${model.engine}.`);
  const { url, modelLibrary, stopTokenIds } = model;
  engine.setAppConfig({
    model_list: [{ model: url, model_id: MODEL_ID, model_lib: modelLibrary }],
  });
  await engine.reload(MODEL_ID, passThrough(stopTokenIds));
  post({ type: 'loaded' });
}

async function generate(prompt: string, maxTokens: number): Promise<void> {
  const chunks = await engine.chat.completions.create({
    messages: [{ role: 'user', content: prompt }],
    stream: true,
    stream_options: { include_usage: true },
    max_tokens: maxTokens,
    temperature: 0,
  });
  for await (const { choices, usage } of chunks) {
    const text = choices[0]?.delta.content;
    if (text) post({ type: 'text', text });
    if (usage) {
      const { prompt_tokens: promptTokens, completion_tokens: completionTokens } = usage;
      post({ type: 'finish', promptTokens, completionTokens });
    }
  }
}

/** A conversation template that adds nothing to the prompt, so both sides prefill the same text. */
function passThrough(stopTokenIds: number[]): ChatOptions {
  return {
    conv_template: {
      system_template: '{system_message}',
      system_message: '',
      render_empty_system_message: false,
      roles: { user: '', assistant: '', tool: '' },
      seps: [''],
      role_content_sep: '',
      role_empty_sep: '',
      stop_str: [],
      stop_token_ids: stopTokenIds,
    },
  };
}

function post(message: FromDirectWorker): void {
  self.postMessage(message);
}
