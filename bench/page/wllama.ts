/** The other side of llama.cpp: wllama as its users run it, with a Blob of the GGUF file. */
import { LoggerWithoutDebug, Wllama } from '@wllama/wllama/esm/index.js';
import type { DirectModel } from '../direct/messages.ts';
import type { TimedAnswer } from '../answer.ts';
import { AnswerTimer } from './answer-timer.ts';
import type { OtherEngine } from './other-engine.ts';

export class WllamaEngine implements OtherEngine {
  #wllama: Wllama | undefined;
  #file: { url: string; blob: Blob } | undefined;

  /** The file is fetched before the first load only. */
  async load(model: DirectModel): Promise<void> {
    if (model.engine !== 'wllama')
      throw new Error(`wllama cannot load a model of ${model.engine}.`);
    const blob = await this.#fetch(model.url);
    const told: string[] = [];
    const tell = (...texts: unknown[]) => void told.push(texts.join(' '));
    const logger = { ...LoggerWithoutDebug, debug: tell, log: tell, warn: tell };
    const suppressNativeLog = !model.onGpu;
    const wllama = new Wllama({ default: model.wasm }, { suppressNativeLog, logger });
    await wllama.loadModel([blob], {
      n_ctx: model.contextLength,
      n_threads: model.threads,
      // By default, it computes all layers on the GPU.
      ...(!model.onGpu && { n_gpu_layers: 0 }),
      // By default, wllama prepares for four answers at a time.
      n_parallel: 1,
    });
    if (model.onGpu) requireLayersOnGpu(told);
    this.#wllama = wllama;
  }

  async unload(): Promise<void> {
    await this.#wllama?.exit();
    this.#wllama = undefined;
  }

  async ask(prompt: string, maxTokens: number): Promise<TimedAnswer> {
    if (!this.#wllama) throw new Error('No model is loaded.');
    const question = { prompt, max_tokens: maxTokens, temperature: 0, cache_prompt: false };
    const timer = new AnswerTimer();
    const chunks = await this.#wllama.createCompletion({ ...question, stream: true });
    for await (const { choices, usage, timings } of chunks) {
      timer.add(choices[0]?.text ?? '');
      if (!usage || !timings) continue;
      const { prompt_tokens: read, completion_tokens: written } = usage;
      return timer.finish(read, written, read - timings.prompt_n);
    }
    throw new Error('The answer does not say how many tokens it read and wrote.');
  }

  async #fetch(url: string): Promise<Blob> {
    if (this.#file?.url !== url) this.#file = { url, blob: await (await fetch(url)).blob() };
    return this.#file.blob;
  }
}

/** @throws Error if llama.cpp has not said that the GPU computes all layers */
function requireLayersOnGpu(told: readonly string[]): void {
  const said = told.find((text) => /offloaded (\d+)\/\1 layers to GPU/.test(text));
  if (!said) throw new Error(`wllama does not compute all layers on the GPU: ${told.join('\n')}`);
}
