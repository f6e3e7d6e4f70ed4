/** The page on the other side: WebLLM without a service worker. It asks as soon as it can. */
import * as v from 'valibot';
import { DirectEngine } from './ask-direct.ts';

const questionSchema = v.object({
  model: v.object({
    engine: v.literal('webllm'),
    url: v.string(),
    modelLibrary: v.string(),
    stopTokenIds: v.array(v.number()),
  }),
  prompt: v.string(),
  maxTokens: v.number(),
});

async function reload({ model, prompt, maxTokens }: v.InferOutput<typeof questionSchema>) {
  const begun = performance.now();
  const engine = new DirectEngine('worker.js');
  await engine.load(model);
  const loadedMs = performance.now();
  return { ...(await engine.ask(prompt, maxTokens)), loadedMs, startMs: loadedMs - begun };
}

const question = new URLSearchParams(location.search).get('reload') ?? '';
Object.assign(window, { result: reload(v.parse(questionSchema, JSON.parse(question))) });
