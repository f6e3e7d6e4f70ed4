import { measureChat, rates } from './chat.ts';
import type { Reading } from './figures.ts';
import { inGpuBrowser } from './gpu-browser.ts';
import { measureGpuStart } from './gpu-start.ts';
import type { BenchModel } from './models.ts';
import type { Launch, ModelName, Section } from './section.ts';
import { webLlmOnGpuSides, wllamaOnGpuSides, type Sides } from './sides.ts';

/** Length of a measured answer, tokens. On a GPU in software, each takes a second. */
const TOKENS = 16;

/** GGUF files on a GPU that computes in 16 bits. */
export const GPU_SECTIONS: Section[] = (['tiny', 'smollm2'] as const).flatMap((model) => [
  section('wllama', model, (launch, at) =>
    beside(wllamaOnGpuSides, 'wllama', { launch, at, model }),
  ),
  section('webllm', model, (launch, at) =>
    beside(webLlmOnGpuSides, 'webllm', { launch, at, model }),
  ),
  section('start', model, (launch, at) => {
    return inGpuBrowser(model, launch, (each) => measureGpuStart(at, each));
  }),
]);

function section(
  name: string,
  model: ModelName,
  measure: (launch: Launch, at: string) => Promise<Reading[]>,
): Section {
  const at = `gpu.${name}.${model}`;
  const isOnRequest = model === 'smollm2';
  return { name: at, model, isOnRequest, measure: (launch) => measure(launch, at) };
}

function beside(
  sidesOf: (model: BenchModel, origin: string) => Sides,
  other: string,
  { launch, at, model: name }: { launch: Launch; at: string; model: ModelName },
): Promise<Reading[]> {
  return inGpuBrowser(name, launch, async (each) => {
    const { pairs } = each.model;
    const model = { ...each.model, tokens: TOKENS, pairs: { ...pairs, ttft: pairs.decode } };
    const sides = sidesOf(model, each.origin);
    return rates(at, other, await measureChat({ ...each, model, sides }));
  });
}
