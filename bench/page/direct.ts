/** The page on the other side: WebLLM, no service worker; asks as soon as it can. */
import * as v from 'valibot';
import { DirectEngine } from './ask-direct.ts';

const jobSchema = v.object({
  model: v.object({
    url: v.string(),
    modelLibrary: v.string(),
    stopTokenIds: v.array(v.number()),
  }),
  prompt: v.string(),
  maxTokens: v.number(),
});

async function reload({ model, prompt, maxTokens }: v.InferOutput<typeof jobSchema>) {
  const engine = new DirectEngine('worker.js');
  await engine.load(model);
  const loadedMs = performance.now();
  return { ...(await engine.ask(prompt, maxTokens)), loadedMs };
}

const job = new URLSearchParams(location.search).get('reload') ?? '';
Object.assign(window, { result: reload(v.parse(jobSchema, JSON.parse(job))) });
