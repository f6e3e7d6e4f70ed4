/** The page on our side: the library as a site embeds it; with `?reload=` it asks as soon as it can. */
import * as v from 'valibot';
import { start, type Slashv1 } from '../../src/index.ts';
import type { DirectModel } from '../direct/messages.ts';
import type { DirectVoice } from '../direct/speech-messages.ts';
import { DirectEngine } from './ask-direct.ts';
import { DirectSpeech } from './speak-direct.ts';
import { speakV1, type SpeechQuestion } from './speak-v1.ts';
import { askV1, questionSchema, type ChatQuestion } from './ask-v1.ts';
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

const bench = {
  async startV1(model: string): Promise<void> {
    api = await start({ model });
  },
  askV1: (question: ChatQuestion) => askV1(api, question),
  async startEmpty(): Promise<void> {
    api = await start();
  },
  /** How long a pack's download into the weight store takes, milliseconds. */
  async install(pack: string): Promise<number> {
    const model = await api.models.add(pack);
    const begun = performance.now();
    await api.models.install(model);
    const ms = performance.now() - begun;
    await api.models.remove(model);
    return ms;
  },
  /** How long it takes to fetch and drop them, one after the other, milliseconds. */
  async fetchAll(urls: string[]): Promise<number> {
    const begun = performance.now();
    for (const url of urls) await readAll(url);
    return performance.now() - begun;
  },
  /** WebLLM beside it, in this same page. */
  async startDirect(script: string, model: DirectModel): Promise<void> {
    direct = new DirectEngine(script);
    await direct.load(model);
  },
  askDirect: (prompt: string, maxTokens: number) => direct.ask(prompt, maxTokens),
  speakV1: (question: SpeechQuestion) => speakV1(api, question),
  /** kokoro-js beside it. */
  async startDirectSpeech(script: string, voice: DirectVoice): Promise<void> {
    directSpeech = new DirectSpeech(script);
    await directSpeech.load(voice);
  },
  speakDirect: (text: string, by: 'text' | 'sentence') => directSpeech.speak(text, by),
};

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
