import type { Engine } from '../../core/port/engine.ts';
import type { EventOf, GenerateEvent } from '../../core/operations/events/events.ts';
import { invalidRequest } from '../../core/errors/errors.ts';
import type { CatalogEntry, SpeechModel } from '../../core/catalog/catalog-entry.ts';
import type { Measurement } from '../../core/fit/measurement.ts';

/** The operations that measure a model. */
export type MeasuredOperation = 'generate' | 'tokens' | 'speak' | 'embed' | 'rerank';
type Speeds = Omit<Measurement, 'at'>;

/** Most tokens of the prompt that is read, thoroughly and quickly. */
const PROMPT_TOKENS = 256;
const QUICK_PROMPT_TOKENS = 32;
/** Most tokens that are written. */
const WRITTEN_TOKENS = 64;
/** Writing is measured for this long at most, milliseconds. */
const WRITING_MS = 10_000;
/** How many texts embedders and rankers read. */
const TEXTS = 8;
const SENTENCE = 'The quick brown fox jumps over the lazy dog, and nobody minds that at all.';

/**
 * Measures how fast a loaded model is. Takes seconds, more on a slow device.
 *
 * @param withinMs - how long a model that writes is measured at most; undefined: thoroughly
 * @throws ApiError 400 for a model that cannot be measured
 */
export async function measure(
  model: CatalogEntry,
  engine: Engine<MeasuredOperation>,
  signal: AbortSignal,
  withinMs?: number,
): Promise<Measurement> {
  return { at: Date.now(), ...(await speedsOf(model, engine, signal, withinMs)) };
}

async function speedsOf(
  model: CatalogEntry,
  engine: Engine<MeasuredOperation>,
  signal: AbortSignal,
  withinMs?: number,
): Promise<Speeds> {
  switch (model.task) {
    case 'chat':
      return ofWriting(model.id, engine, signal, withinMs);
    case 'speech':
      return ofSpeech(model, engine, signal);
    case 'embedding':
    case 'rerank':
      return ofReading(model, engine, signal);
    case 'transcription':
      throw invalidRequest(
        `'${model.id}' cannot be measured: that takes a recording of speech.`,
        'model',
      );
  }
}

async function ofWriting(
  model: string,
  engine: Engine<MeasuredOperation>,
  signal: AbortSignal,
  withinMs?: number,
): Promise<Speeds> {
  const end = withinMs === undefined ? undefined : performance.now() + withinMs;
  // The first answer after a load is slower: GPU kernels are compiled for it.
  await write(model, engine, { text: randomWords(8), maxTokens: 4, end }, signal);
  const longest = end === undefined ? PROMPT_TOKENS : QUICK_PROMPT_TOKENS;
  const text = await promptFor(model, engine, longest, signal);
  const asked = { text, maxTokens: WRITTEN_TOKENS, end };
  const { promptTokens, readMs, written, writtenMs } = await write(model, engine, asked, signal);
  return {
    ...(promptTokens > 0 && { readTokensPerSecond: perSecond(promptTokens, readMs) }),
    ...(written > 0 && { writtenTokensPerSecond: perSecond(written, writtenMs) }),
  };
}

/** Random text, so that no KV cache holds its beginning. It takes at most half of the model's context. */
async function promptFor(
  model: string,
  engine: Engine<MeasuredOperation>,
  longest: number,
  signal: AbortSignal,
): Promise<string> {
  const text = randomWords(longest);
  const of = { kind: 'raw', text } as const;
  let end = text.length;
  await engine.run({ op: 'tokens', model, of }, signal, ({ ids, contextLength }) => {
    const most = Math.min(longest, Math.floor(contextLength / 2));
    end = Math.floor((text.length * most) / Math.max(ids.length, most));
  });
  return text.slice(0, end);
}

interface Writing {
  text: string;
  maxTokens: number;
  /** When it ends at the latest, in the time of `performance.now()`. */
  end: number | undefined;
}

async function write(
  model: string,
  engine: Engine<MeasuredOperation>,
  { text, maxTokens, end }: Writing,
  signal: AbortSignal,
) {
  const began = performance.now();
  let read = began;
  let last = began;
  let promptTokens = 0;
  let tokens = 0;
  const job = {
    ...({ op: 'generate', model, prompt: { kind: 'raw', text }, maxTokens } as const),
    sampling: { temperature: 0 },
    ending: { ignoresEnd: true },
    countsTokens: true,
  };
  const enough = new AbortController();
  const left = end === undefined ? undefined : Math.max(end - began, 0);
  const timer = left === undefined ? undefined : setTimeout(() => enough.abort(), left);
  const note = (event: GenerateEvent) => {
    const now = performance.now();
    if (event.type === 'start') {
      read = now;
      promptTokens = (event.prompt?.promptTokens ?? 0) - (event.prompt?.cachedTokens ?? 0);
    } else if ('tokens' in event && event.tokens !== undefined) {
      last = now;
      tokens = event.tokens;
      if (now - read > WRITING_MS) enough.abort();
    } else if (event.type === 'finish') {
      last = now;
      tokens = event.usage.completionTokens;
    }
  };
  const ended = AbortSignal.any([signal, enough.signal]);
  await engine
    .run({ ...job, stop: [] }, ended, note)
    .catch((error: unknown) => {
      if (!enough.signal.aborted) throw error;
    })
    .finally(() => clearTimeout(timer));
  // The first token is chosen when the prompt has been read.
  return {
    promptTokens,
    readMs: read - began,
    written: Math.max(tokens - 1, 0),
    writtenMs: last - read,
  };
}

async function ofReading(
  { id: model, task }: CatalogEntry,
  engine: Engine<MeasuredOperation>,
  signal: AbortSignal,
): Promise<Speeds> {
  const read = async (texts: string[]) => {
    let tokens = 0;
    const note = (event: EventOf<'embed' | 'rerank'>) => {
      if ('tokens' in event) tokens += event.tokens;
    };
    await (task === 'embedding'
      ? engine.run({ op: 'embed', model, texts }, signal, note)
      : engine.run({ op: 'rerank', model, query: randomWords(8), documents: texts }, signal, note));
    return tokens;
  };
  await read([SENTENCE]);
  const began = performance.now();
  const tokens = await read(Array.from({ length: TEXTS }, () => randomWords(80)));
  return { readTokensPerSecond: perSecond(tokens, performance.now() - began) };
}

async function ofSpeech(
  { id: model, speech }: SpeechModel,
  engine: Engine<MeasuredOperation>,
  signal: AbortSignal,
): Promise<Speeds> {
  const [voice] = speech.voices;
  const [language] = voice?.languages ?? [];
  if (!voice || language === undefined) return {};
  const speak = async (text: string) => {
    const job = { op: 'speak', model, text, voice: voice.id, language } as const;
    let seconds = 0;
    await engine.run({ ...job, speed: 1, format: 'pcm' }, signal, (event) => {
      if (event.type === 'spoken') seconds = event.seconds;
    });
    return seconds;
  };
  await speak('Hello.');
  const began = performance.now();
  const seconds = await speak(SENTENCE);
  return { soundPerSecond: perSecond(seconds, performance.now() - began) };
}

function perSecond(count: number, ms: number): number {
  return count / (Math.max(ms, 1) / 1000);
}

const WORDS = 'river stone cloud letter garden window seven winter paper morning bridge silver';

function randomWords(count: number): string {
  const words = WORDS.split(' ');
  const pick = () => words[Math.floor(Math.random() * words.length)] ?? '';
  return Array.from({ length: count }, pick).join(' ');
}
