/**
 * Our binding of llama.cpp without the engine around it: a loop that decodes and takes the likeliest token. What
 * an answer through `/v1` costs beyond this is the price of the engine and of HTTP.
 */
import createModule from '../../models/llamacpp/built/llamacpp.js';
import { Llama } from '../../src/engine/llamacpp/worker/llama.ts';
import { ModelFiles } from '../../src/engine/llamacpp/model-files.ts';
import { maximum } from '../../src/engine/conversation/sampling/logits.ts';
import { BATCH_TOKENS } from '../../src/core/files/gguf/gguf-memory.ts';
import type { DirectModel, FromDirectWorker, ToDirectWorker } from './messages.ts';
import { messageOf } from '../../src/core/text/message-of.ts';

declare const self: DedicatedWorkerGlobalScope;

let open: { llama: Llama; context: number } | undefined;

self.addEventListener('message', ({ data }: MessageEvent<ToDirectWorker>) => {
  handle(data).catch((error: unknown) => {
    post({ type: 'failed', message: messageOf(error) });
  });
});

async function handle(message: ToDirectWorker): Promise<void> {
  switch (message.type) {
    case 'load':
      open = await load(message.model);
      return post({ type: 'loaded' });
    case 'unload':
      open = undefined;
      return post({ type: 'unloaded' });
    case 'generate':
      return generate(message.prompt, message.maxTokens);
  }
}

async function load(model: DirectModel) {
  if (model.engine !== 'llamacpp')
    throw new Error(`llama.cpp cannot load ${model.engine}'s files.`);
  const module = await createModule({
    locateFile: () => model.wasm,
    print: () => undefined,
    printErr: () => undefined,
  });
  const blob = await (await fetch(model.url)).blob();
  const parts = [{ name: 'model.gguf', size: blob.size, blob }];
  const files = new ModelFiles(module, parts, () => undefined);
  await files.whole();
  const llama = new Llama(module, files.paths, BATCH_TOKENS);
  return { llama, context: llama.newContext(model.contextLength) };
}

function generate(prompt: string, maxTokens: number): void {
  if (!open) throw new Error('No model is loaded.');
  const { llama, context } = open;
  const tokens = llama.tokenize(prompt);
  prefill(tokens);
  const texts = new TextDecoder();
  let count = 0;
  while (count < maxTokens) {
    const logits = llama.logits(context);
    const token = logits.indexOf(maximum(logits));
    count++;
    if (llama.stopTokenIds.includes(token)) break;
    post({ type: 'text', text: texts.decode(llama.bytes(token), { stream: true }) });
    if (count < maxTokens) llama.decode(context, [token], tokens.length + count - 1, 1);
  }
  post({ type: 'finish', promptTokens: tokens.length, completionTokens: count });
}

/** Reads a whole prompt, whatever the KV cache held before. */
function prefill(tokens: readonly number[]): void {
  if (!open) return;
  const { llama, context } = open;
  llama.keep(context, 0);
  for (let start = 0; start < tokens.length; start += BATCH_TOKENS) {
    const isLast = start + BATCH_TOKENS >= tokens.length;
    llama.decode(context, tokens.slice(start, start + BATCH_TOKENS), start, isLast ? 1 : 0);
  }
}

function post(message: FromDirectWorker): void {
  self.postMessage(message);
}
