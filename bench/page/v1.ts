/**
 * The page on our side: the library as a site embeds it. With `?reload=` it asks that question as soon as
 * it can.
 */
import * as v from 'valibot';
import { start, type Slashv1, type StartOptions } from '../../src/index.ts';
import type { TextEngineName } from '../../src/core/realms/device-report.ts';
import type { DirectModel } from '../direct/messages.ts';
import type { DirectOnnxModel } from '../direct/embed-messages.ts';
import type { DirectVoice } from '../direct/speech-messages.ts';
import { openOtherEngine } from './open-other-engine.ts';
import type { OtherEngine } from './other-engine.ts';
import { DirectEmbedding } from './embed-direct.ts';
import { DirectHearing } from './hear-direct.ts';
import { hearV1 } from './hear-v1.ts';
import { embedV1 } from './embed-v1.ts';
import { DirectSpeech } from './speak-direct.ts';
import { Photo } from './photo.ts';
import { postV1 } from './post-v1.ts';
import { timed, timedVectors } from './timed.ts';
import { speakV1, type SpeechQuestion } from './speak-v1.ts';
import { chunkDelay, timeRequest, type UpstreamSide } from './ask-upstream.ts';
import { ask, askV1, bodyOf, fillKvCaches, questionSchema, type ChatQuestion } from './ask-v1.ts';
import type { TimedAnswer, TimedReload } from '../answer.ts';

declare global {
  interface Performance {
    /** Not in TypeScript's types. */
    measureUserAgentSpecificMemory(): Promise<unknown>;
  }
  interface Window {
    bench: typeof bench;
    /** Result of the question in `?reload=`. */
    result?: Promise<TimedReload>;
  }
}

/** Sections compare WebLLM, even on an emulated GPU, unless they choose another engine. */
const FORCED: { engines: TextEngineName[] } = { engines: ['webllm'] };

/** A key with the length of the API's keys. */
const BARE_KEY = `sk-slashv1-${'0'.repeat(43)}`;

let api: Slashv1;
/** Whether llama.cpp computes on the GPU. */
let isOnGpu = false;
let direct: OtherEngine;
let directSpeech: DirectSpeech;
let directEmbedding: DirectEmbedding;
let directHearing: DirectHearing;
let photo: Photo;
/** The answer that `stream` started, and the Unix times of its texts, milliseconds. */
let streaming: { ended: Promise<TimedAnswer>; times: number[] };

const bench = {
  /** Returns how long `start` takes, milliseconds. */
  startV1: (model: string, options: StartOptions = {}): Promise<number> =>
    timed(async () => {
      api = await start({ ...FORCED, ...options, model });
      isOnGpu = options.llamacppDevice === 'webgpu';
    }),
  async askV1(question: ChatQuestion): Promise<TimedAnswer> {
    const answer = await askV1(api, question);
    await requireDevice(question.model);
    return answer;
  },
  postV1: (path: string, body: object) => postV1(api, path, body),
  fillKvCaches: (model: string) => fillKvCaches(api, model),
  /** Starts the API without loading a model. */
  async startEmpty(options: StartOptions = FORCED): Promise<void> {
    api = await start(options);
  },
  /** Starts an answer and returns at once; `textTimes` grow while it is written. */
  stream(question: ChatQuestion): void {
    const times: number[] = [];
    streaming = { times, ended: askV1(api, question, () => times.push(Date.now())) };
  },
  textTimes: () => streaming.times,
  endOfStream: () => streaming.ended,
  /** Returns the milliseconds from requesting the list of models to its first byte. */
  timeFirstByte: (): Promise<number> =>
    timed(async () => {
      const headers = { authorization: `Bearer ${api.apiKey}` };
      const response = await fetch(`${api.baseURL}/models`, { headers });
      if (!response.ok) throw new Error(await response.text());
      await response.body?.getReader().read();
    }),
  /** Returns how long it takes to load a model into GPU memory, milliseconds; then unloads it. */
  async timeLoad(model: string): Promise<number> {
    const ms = await timed(() => api.models.load(model));
    await api.models.unload(model);
    return ms;
  },
  unload: (model: string) => api.models.unload(model),
  /** Collects garbage in all workers of the page. Browsers do so to measure memory. */
  async collectGarbage(): Promise<void> {
    await performance.measureUserAgentSpecificMemory();
  },
  download: (model: string) => api.models.install(model),
  /** Returns how long it takes to install a pack, milliseconds; then removes it. */
  async install(pack: string): Promise<number> {
    const model = await api.models.add(pack);
    const ms = await timed(() => api.models.install(model));
    await api.models.remove(model);
    return ms;
  },
  /** Returns how long it takes to fetch these URLs one after the other, milliseconds; nothing is kept. */
  fetchAll: (urls: string[]): Promise<number> =>
    timed(async () => {
      for (const url of urls) await readAll(url);
    }),
  /** Loads a model on the other side, in this same page. */
  async startDirect(script: string, model: DirectModel): Promise<void> {
    direct = await openOtherEngine(script, model);
    await direct.load(model);
  },
  /** `timeLoad` for the other side. */
  async timeLoadDirect(model: DirectModel): Promise<number> {
    const ms = await timed(() => direct.load(model));
    await direct.unload();
    return ms;
  },
  loadDirect: (model: DirectModel) => direct.load(model),
  unloadDirect: () => direct.unload(),
  askDirect: (prompt: string, maxTokens: number) => direct.ask(prompt, maxTokens),
  speakV1: (question: SpeechQuestion) => speakV1(api, question),
  /** Loads kokoro-js in this same page. */
  async startDirectSpeech(script: string, voice: DirectVoice): Promise<void> {
    directSpeech = new DirectSpeech(script);
    await directSpeech.load(voice);
  },
  speakDirect: (text: string, by: 'text' | 'sentence') => directSpeech.speak(text, by),
  /** Loads transformers.js in this same page. */
  async startDirectEmbedding(script: string, model: DirectOnnxModel): Promise<void> {
    directEmbedding = new DirectEmbedding(script);
    await directEmbedding.load(model);
  },
  async startDirectHearing(script: string, model: DirectOnnxModel): Promise<void> {
    directHearing = new DirectHearing(script);
    await directHearing.load(model);
  },
  /** Returns the text, and how long it and its first part take, milliseconds. */
  async hearV1(model: string, wav: string) {
    const file = await (await fetch(`data:audio/wav;base64,${wav}`)).blob();
    const begun = performance.now();
    const { text, firstAt } = await hearV1(api, model, file);
    return { ms: performance.now() - begun, firstMs: firstAt - begun, text };
  },
  async hearDirect(wav: string) {
    const file = await (await fetch(`data:audio/wav;base64,${wav}`)).blob();
    const begun = performance.now();
    const text = await directHearing.hear(file);
    return { ms: performance.now() - begun, text };
  },
  /** Takes the photo that `see` shows. Returns the bytes of its file. */
  async takePhoto(): Promise<number> {
    photo = await Photo.take();
    return photo.bytes;
  },
  /**
   * Asks about the photo. The clock starts when the body of the request is ready.
   *
   * @param side - pixels of the square that the photo was scaled down to; undefined: it is shown as it is
   */
  async see(model: string, text: string, side?: number): Promise<TimedAnswer> {
    await fillKvCaches(api, model);
    const { baseURL, apiKey } = api;
    return ask({ baseURL, apiKey }, bodyOf(await aboutPhoto(model, text, side)));
  },
  /** `see` without the service worker. */
  async seeInPage(model: string, text: string, side?: number): Promise<TimedAnswer> {
    await fillKvCaches(api, model);
    return ask(api, bodyOf(await aboutPhoto(model, text, side)));
  },
  /** How long a bare service worker takes to receive the same body, milliseconds. */
  async sendBare(model: string, text: string, side?: number): Promise<number> {
    const body = bodyOf(await aboutPhoto(model, text, side));
    return timed(async () => {
      const response = await fetch('read', { method: 'POST', body });
      if (Number(await response.text()) < body.length) throw new Error('The body is cut.');
    });
  },
  /** How long the browser takes to decode the photo to a square of this side, milliseconds. */
  decodePhoto: (side: number) => timed(() => photo.decode(side)),
  /** Starts the API with two upstreams of one model each. The page makes the first one's headers for each request. */
  async startUpstream({
    baseURL,
    model,
    constantModel,
    token,
  }: {
    baseURL: string;
    model: string;
    constantModel: string;
    token: string;
  }) {
    const headers = { authorization: `Bearer ${token}` };
    api = await start({
      upstreams: [
        { name: 'bench', baseURL, models: [model], headers: () => headers },
        { name: 'constant', baseURL, models: [constantModel], headers },
      ],
    });
    return { baseURL: api.baseURL, apiKey: api.apiKey };
  },
  /** Registers a minimal service worker, which controls the next page. */
  async startBare(): Promise<void> {
    await navigator.serviceWorker.register('bare-worker.js', { type: 'module' });
    await navigator.serviceWorker.ready;
  },
  timeRequest: (side: UpstreamSide) => timeRequest(side),
  chunkDelay: (side: UpstreamSide) => chunkDelay(side),
  /** @param perCall - texts of each request; default: all. All requests are sent at once. */
  embedV1: (model: string, texts: string[], perCall?: number) =>
    timedVectors((input) => embedV1(api, model, input), texts, perCall),
  embedDirect: (texts: string[], perCall?: number) =>
    timedVectors((input) => directEmbedding.embed(input), texts, perCall),
  /** Embeds through `v1.fetch`, which bypasses the service worker. */
  embedInPage: (model: string, texts: string[]) =>
    timedVectors((input) => embedV1(api, model, input, api.fetch), texts),
  /** Asks the service worker of `startBare`. */
  embedBare(model: string, texts: string[]) {
    const bare = { baseURL: new URL('v1', location.href).href, apiKey: BARE_KEY };
    return timedVectors((input) => embedV1(bare, model, input), texts);
  },
};

/** @throws Error if the CPU computes a model that is to be computed on the GPU */
async function requireDevice(model: string): Promise<void> {
  if (!isOnGpu) return;
  const entry = (await api.models.list()).find(({ id }) => id === model);
  if (entry?.device === 'webgpu') return;
  throw new Error(`The CPU computes ${model}: ${entry?.cpuReason?.message}`);
}

async function aboutPhoto(model: string, text: string, side?: number): Promise<ChatQuestion> {
  const url = await photo.url(side);
  const content = [
    { type: 'image_url', image_url: { url } },
    { type: 'text', text },
  ];
  const more = { messages: [{ role: 'user', content }] };
  return { model, messages: [], maxTokens: 8, more };
}

async function readAll(url: string): Promise<void> {
  const { body } = await fetch(url, { cache: 'no-store' });
  await body?.pipeTo(new WritableStream());
}

const reloadSchema = v.object({
  ...questionSchema.entries,
  engines: v.optional(v.array(v.picklist(['webllm', 'llamacpp'])), FORCED.engines),
  llamacppDevice: v.optional(v.picklist(['webgpu', 'wasm'])),
  /** Whether the question is sent while the model is being loaded, as soon as the API answers. */
  isEarly: v.optional(v.boolean(), false),
  /** `outlive` of `start()`. */
  outlive: v.optional(v.boolean(), false),
  /** Whether prompts may be kept on disk. */
  keeps: v.optional(v.boolean(), false),
});

type Reload = v.InferOutput<typeof reloadSchema>;

async function reload({
  engines,
  llamacppDevice,
  isEarly,
  outlive,
  keeps,
  ...question
}: Reload): Promise<TimedReload> {
  const options = {
    engines,
    outlive,
    ...(llamacppDevice && { llamacppDevice }),
    ...(keeps && { promptCache: { disk: true } }),
  };
  const begun = performance.now();
  const loading = start({ ...options, model: question.model });
  const loaded = loading.then(() => performance.now());
  const started = await (isEarly ? start(options) : loading);
  const answer = await askV1(started, question);
  const loadedMs = await loaded;
  api = started;
  isOnGpu = llamacppDevice === 'webgpu';
  await requireDevice(question.model);
  return { ...answer, loadedMs, startMs: loadedMs - begun };
}

const question = new URLSearchParams(location.search).get('reload');
if (question !== null) window.result = reload(v.parse(reloadSchema, JSON.parse(question)));
window.bench = bench;
