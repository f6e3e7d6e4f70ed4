import { expect, test, vi } from 'vitest';
import makeModule from '../../../../../models/llamacpp/built/llamacpp.js';
import { invalidImage } from '../../../../../src/core/errors/errors.ts';
import { IMAGE_MARK, type PromptImage } from '../../../../../src/core/operations/jobs/jobs.ts';
import { sizeWithin } from '../../../../../src/engine/images/largest-image.ts';
import type { FromModelWorker, Generate } from '../../../../../src/engine/llamacpp/messages.ts';
import { ModelServer } from '../../../../../src/engine/llamacpp/worker/model-server.ts';
import { moduleOpener } from '../../../../../src/engine/llamacpp/worker/open-module.ts';
import { withReferences } from '../../../../../src/engine/conversation/prompt/prompt-images.ts';
import { tinySight, type Sight } from '../../../../support/sight/tiny-sight.ts';
import { loadXGrammar } from '../../../../support/xgrammar.ts';
import { KEPT, keptOnFakeDisk } from '../../../support/models/kept-prompts.ts';
import { picture } from '../../../support/models/read-image.ts';
import { threadScope } from '../../../support/models/thread-scope.ts';
import { sized } from '../../../support/models/tiny-chat-llama.ts';

// Compiling llama.cpp takes seconds on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const WASM = new URL('../../../../../models/llamacpp/built/llamacpp.wasm', import.meta.url);
const THREADED = { script: new URL('x:threads.js'), wasm: new URL('x:threads.wasm') };

/** An image whose file holds only its width and height. */
function image(width: number, height: number): PromptImage {
  const file = new Uint8Array(Uint16Array.of(width, height).buffer);
  return { file, detail: 'auto', field: 'image' };
}

function asked(text: string, ...images: PromptImage[]) {
  const content = text.replaceAll('@', IMAGE_MARK);
  const read = withReferences([{ role: 'user', content, images }]);
  return { prompt: read.messages[0]?.content ?? '', images: read.images };
}

async function open(sight: Sight, contextLength = 512) {
  const messages: FromModelWorker[] = [];
  let decoded = 0;
  const server = new ModelServer({
    openModule: moduleOpener(makeModule, WASM, THREADED, threadScope(false)),
    openGpu: () => Promise.reject(new Error('There is no GPU.')),
    xgrammar: loadXGrammar(),
    decodeImage: async ({ file, field }, largest) => {
      decoded++;
      const [fullWidth = 0, fullHeight = 0] = new Uint16Array(file.buffer);
      if (fullHeight === 0) throw invalidImage(field, 'is not an image.');
      const { width, height } = sizeWithin({ width: fullWidth, height: fullHeight }, largest);
      return { width, height, rgb: new Uint8Array(picture(width, height)) };
    },
    openPrompts: () => keptOnFakeDisk().kept,
    turn: () => new Promise((resolve) => setImmediate(resolve)),
    port: { postMessage: (message) => messages.push(message) },
  });
  const until = <T extends FromModelWorker['type']>(type: T, id?: number) =>
    vi.waitFor(() => {
      const found = messages.findLast(
        (message) =>
          message.type === type && (id === undefined || ('id' in message && message.id === id)),
      );
      if (!found) throw new Error(`There was no ${type}.`);
      return found as Extract<FromModelWorker, { type: T }>;
    });
  const { model, projector } = tinySight(sight);
  const parts = [{ name: 'tiny.gguf', ...sized(Buffer.from(model)) }];
  const eyes = { name: 'mmproj.gguf', ...sized(Buffer.from(projector)) };
  const request = { parts, projector: eyes, contextLength, threads: 1, kept: KEPT };
  server.receive({ type: 'load', request });
  await until('loaded');
  let id = 0;
  const answer = async ({ prompt, images }: ReturnType<typeof asked>) => {
    const generation: Generate['generation'] = {
      sampling: { temperature: 0 },
      random: { seed: 1, choice: 0, drawn: 0 },
      maxTokens: 2,
      images,
    };
    const generate = { prompt, generation, written: [], mayAddCache: true };
    server.receive({ type: 'generate', id: ++id, request: generate });
    return (await until('ended', id)).outcome;
  };
  const count = (text: ReturnType<typeof asked>) => {
    server.receive({ type: 'encode', id: ++id, text: text.prompt, images: text.images });
    return id;
  };
  return { answer, count, until, decoded: () => decoded };
}

test.each<[sight: Sight, imageTokens: number]>([
  ['idefics3', 8],
  ['gemma3', 4],
  ['qwen2vl_merger', 12],
  ['qwen2.5vl_merger', 12],
  ['qwen3vl_merger', 12],
  ['gemma4v', 84],
  ['gemma4v of E2B', 84],
])('an image is a part of the prompt of %s, and is cached with it', async (sight, imageTokens) => {
  const { answer, count, until, decoded } = await open(sight);
  const question = asked('<|im_start|>user\n@ What is it?', image(70, 40));
  const counted = await until('encoded', count(question));
  const first = await answer(question);
  expect(first).toMatchObject({
    finish: { usage: { promptTokens: counted.tokens.length, cachedTokens: 0, imageTokens } },
  });
  const longer = asked('<|im_start|>user\n@ What is it? And what else?', image(70, 40));
  const before = decoded();
  const second = await answer(longer);
  expect(second).toMatchObject({
    finish: { usage: { cachedTokens: counted.tokens.length, imageTokens } },
  });
  expect(decoded()).toBe(before);
});

test('a piece that is read whole may have more tokens than that of a large square', async () => {
  const { answer } = await open('gemma4v', 2048);
  const outcome = await answer(asked('see @ now', image(344, 208)));
  expect(outcome).toMatchObject({ finish: { usage: { imageTokens: 43 * 26 } } });
});

test('a photo has no more pixels than the memory of an image at its own size is counted for', async () => {
  const { answer } = await open('qwen2.5vl_merger');
  const outcome = await answer(asked('see @ now', image(2048, 1536)));
  // The photo is scaled to 1182 × 886 pixels, and a token covers 56 × 56.
  expect(outcome).toMatchObject({ finish: { usage: { imageTokens: 21 * 16 } } });
});

test('an image that cannot be decoded is the request’s fault, and the model goes on', async () => {
  const { answer, count, until } = await open('gemma3');
  const broken = asked('see @ now', image(70, 0));
  const fault = { status: 400, code: 'invalid_image', param: 'image' };
  expect(await answer(broken)).toMatchObject({ failure: { kind: 'api', data: fault } });
  expect((await until('unencodable', count(broken))).data).toMatchObject(fault);
  expect(await answer(asked('see @ now', image(7, 4)))).toMatchObject({ kind: 'finished' });
});
