/** The page on our side: the library as a site embeds it; with `?reload=` it asks as soon as it can. */
import * as v from 'valibot';
import { start, type Slashv1, type StartOptions } from '../../src/index.ts';
import type { DirectModel } from '../direct/messages.ts';
import type { DirectVoice } from '../direct/speech-messages.ts';
import { DirectEngine } from './ask-direct.ts';
import { DirectSpeech } from './speak-direct.ts';
import { speakV1, type SpeechQuestion } from './speak-v1.ts';
import { askV1, fillKvCaches, questionSchema, type ChatQuestion } from './ask-v1.ts';
import type { Answer } from './recorder.ts';

declare global {
  interface Window {
    bench: typeof bench;
    /** Of a reload. */
    result?: Promise<Answer & { loadedMs: number }>;
  }
}

let api: Slashv1;
let direct: DirectEngine;
let directSpeech: DirectSpeech;
/** Of the answer that `stream` began: its end, and when its texts came, Unix milliseconds. */
let streaming: { ended: Promise<Answer>; times: number[] };

const bench = {
  /** How long it takes, milliseconds. */
  startV1: (model: string, options: StartOptions = {}): Promise<number> =>
    timed(async () => {
      api = await start({ ...options, model });
    }),
  askV1: (question: ChatQuestion) => askV1(api, question),
  fillKvCaches: (model: string) => fillKvCaches(api, model),
  async startEmpty(): Promise<void> {
    api = await start();
  },
  /** Begins an answer; `textTimes` are there while it comes. */
  stream(question: ChatQuestion): void {
    const times: number[] = [];
    streaming = { times, ended: askV1(api, question, () => times.push(Date.now())) };
  },
  textTimes: () => streaming.times,
  endOfStream: () => streaming.ended,
  /** How long the list of models takes to its first byte, milliseconds. */
  timeFirstByte: (): Promise<number> =>
    timed(async () => {
      const headers = { authorization: `Bearer ${api.apiKey}` };
      const response = await fetch(`${api.baseURL}/models`, { headers });
      if (!response.ok) throw new Error(await response.text());
      await response.body?.getReader().read();
    }),
  /** How long it takes to bring a model into GPU memory, milliseconds; it does not stay there. */
  async timeLoad(model: string): Promise<number> {
    const ms = await timed(() => api.models.load(model));
    await api.models.unload(model);
    return ms;
  },
  unload: (model: string) => api.models.unload(model),
  /** How long a pack's download into the weight store takes, milliseconds. */
  async install(pack: string): Promise<number> {
    const model = await api.models.add(pack);
    const ms = await timed(() => api.models.install(model));
    await api.models.remove(model);
    return ms;
  },
  /** How long it takes to fetch and drop them, one after the other, milliseconds. */
  fetchAll: (urls: string[]): Promise<number> =>
    timed(async () => {
      for (const url of urls) await readAll(url);
    }),
  /** WebLLM beside it, in this same page. */
  async startDirect(script: string, model: DirectModel): Promise<void> {
    direct = new DirectEngine(script);
    await direct.load(model);
  },
  /** As `timeLoad`. */
  async timeLoadDirect(model: DirectModel): Promise<number> {
    const ms = await timed(() => direct.load(model));
    await direct.unload();
    return ms;
  },
  loadDirect: (model: DirectModel) => direct.load(model),
  unloadDirect: () => direct.unload(),
  askDirect: (prompt: string, maxTokens: number) => direct.ask(prompt, maxTokens),
  speakV1: (question: SpeechQuestion) => speakV1(api, question),
  /** kokoro-js beside it. */
  async startDirectSpeech(script: string, voice: DirectVoice): Promise<void> {
    directSpeech = new DirectSpeech(script);
    await directSpeech.load(voice);
  },
  speakDirect: (text: string, by: 'text' | 'sentence') => directSpeech.speak(text, by),
};

/** How long it takes, milliseconds. */
async function timed(work: () => Promise<void>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

async function readAll(url: string): Promise<void> {
  const { body } = await fetch(url, { cache: 'no-store' });
  await body?.pipeTo(new WritableStream());
}

async function reload(question: ChatQuestion) {
  const started = await start({ model: question.model });
  const loadedMs = performance.now();
  return { ...(await askV1(started, question)), loadedMs };
}

const question = new URLSearchParams(location.search).get('reload');
if (question !== null) window.result = reload(v.parse(questionSchema, JSON.parse(question)));
window.bench = bench;
