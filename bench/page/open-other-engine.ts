import * as v from 'valibot';
import type { DirectModel } from '../direct/messages.ts';
import { DirectEngine } from './ask-direct.ts';
import type { OtherEngine } from './other-engine.ts';

/** The script of wllama. It's a separate file, because the size of the page's own script affects other sections. */
const wllamaSchema = v.object({
  WllamaEngine: v.custom<new () => OtherEngine>((value) => typeof value === 'function'),
});

/** @param script - absolute URL of the worker, or of the module in the case of wllama */
export async function openOtherEngine(
  script: string,
  { engine }: Pick<DirectModel, 'engine'>,
): Promise<OtherEngine> {
  switch (engine) {
    case 'webllm':
    case 'llamacpp':
      return new DirectEngine(script);
    case 'wllama': {
      const { WllamaEngine } = v.parse(wllamaSchema, await import(/* @vite-ignore */ script));
      return new WllamaEngine();
    }
  }
}
