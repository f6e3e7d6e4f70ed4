import { vi } from 'vitest';
import type {
  DefaultSampling as Sampling,
  LlamaCppVariant,
} from '../../../../src/core/catalog/variant.ts';
import { LlamaCppBackend } from '../../../../src/engine/llamacpp/engine/llamacpp-backend.ts';
import type { ChatModel } from '../../../../src/engine/models/chat-model.ts';
import type { LoadRequest } from '../../../../src/engine/conversation/text-backend.ts';
import type { RawEvent } from '../../../../src/engine/conversation/text-model.ts';
import type { ReadFile } from '../../../../src/engine/download/transfer/read-file.ts';
import { installation, packEntry } from '../entries.ts';
import { FakeModelWorker, startFake } from '../fakes/fake-model-worker.ts';
import { NEVER } from '../never.ts';

export const FILES = new Map([
  ['a/m-00001-of-00002.gguf', new Blob(['one'])],
  ['a/m-00002-of-00002.gguf', new Blob(['two'])],
]);

export const canAllocate = vi.fn<LoadRequest['canAllocate']>();
export const workers = () => FakeModelWorker.made;
/** The worker that was started last. */
export const last = () => {
  const worker = workers().at(-1);
  if (!worker) throw new Error('No worker was started.');
  return worker;
};

export const backend = () => new LlamaCppBackend({ base: 'http://site/', threads: 3 }, startFake);

export function request(changes: Partial<LoadRequest>, sampling: Sampling = {}): LoadRequest {
  canAllocate.mockReset().mockResolvedValue(true);
  const variant: LlamaCppVariant = {
    id: 'llamacpp-q4',
    engine: 'llamacpp',
    quantization: 'q4',
    needs: {},
    source: { kind: 'url', urls: [] },
    parts: [...FILES.keys()],
    sampling,
  };
  const read: ReadFile = (path) => Promise.resolve(FILES.get(path));
  return {
    installed: {
      entry: packEntry('a'),
      variant,
      installation: {
        ...installation('r1'),
        files: [...FILES].map(([path, { size }]) => ({ path, size, url: `http://site/${path}` })),
      },
      contextLength: 64,
    },
    withFiles: (load) => load(read),
    onProgress: () => undefined,
    canAllocate,
    onGpuFailure: () => Promise.resolve(true),
    onImages: () => Promise.resolve(),
    givenUp: NEVER,
    ...changes,
  };
}

/** Loads the model in a worker of the test's own. */
export const open = (changes: Partial<LoadRequest> = {}, sampling: Sampling = {}) =>
  backend().load(request(changes, sampling));

export interface GenerateOptions {
  prompt?: string;
  signal?: AbortSignal;
  /** Called at each text, with a function that interrupts the generation. */
  onText?: (interrupt: () => void) => void;
}

/** Generates with the model below the chat model. */
export async function generate(
  { model }: ChatModel,
  { prompt = 'Hi', signal = NEVER, onText }: GenerateOptions = {},
) {
  const generation = { sampling: { temperature: 1 }, random: { seed: 1, choice: 0, drawn: 0 } };
  const events: RawEvent[] = [];
  await model.generate(prompt, generation, signal, (event, interrupt = () => undefined) => {
    events.push(event);
    if (event.type === 'text') onText?.(interrupt);
  });
  const texts = events.flatMap((event) => (event.type === 'text' ? [event] : []));
  const text = texts.map((event) => event.text).join('');
  return { events, text, counts: texts.map(({ count }) => count), last: events.at(-1) };
}
