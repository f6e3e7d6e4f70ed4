import { MLCEngine } from '@mlc-ai/web-llm';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { IMAGE_MARK, type PromptImage } from '../../../../../src/core/operations/jobs/jobs.ts';
import type { LargestImage } from '../../../../../src/engine/images/largest-image.ts';
import { withReferences } from '../../../../../src/engine/conversation/prompt/prompt-images.ts';
import type { RawEvent } from '../../../../../src/engine/conversation/text-model.ts';
import { WebLlmModel } from '../../../../../src/engine/webllm/webllm-model.ts';
import { FakeMlcEngine } from '../../../support/fakes/fake-mlc-engine.ts';
import { encode, FakePipeline, FakeSeeingPipeline } from '../../../support/fakes/fake-pipeline.ts';

vi.mock('@mlc-ai/web-llm', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  MLCEngine: (await import('../../../support/fakes/fake-mlc-engine.ts')).FakeMlcEngine,
}));

const LOAD = {
  modelLibrary: '',
  overrides: {},
  stopTokenIds: encode('|'),
  prefixTokenIds: null,
  needsF16: false,
  canAllocate: () => Promise.resolve(true),
};

/** What each image was to be scaled to. */
const limits: LargestImage[] = [];

beforeEach(() => {
  FakeMlcEngine.reset();
  vi.stubGlobal('GPUBufferUsage', { STORAGE: 128 });
  limits.length = 0;
});

/** Where the header of a PNG file has its size; the tests have the file's grey after it. */
const [WIDTH, HEIGHT, GREY] = [16, 20, 24];

function image(width: number, height: number, grey = 7): PromptImage {
  const file = new Uint8Array(GREY + 1);
  file.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a]);
  const view = new DataView(file.buffer);
  view.setUint32(WIDTH, width);
  view.setUint32(HEIGHT, height);
  view.setUint8(GREY, grey);
  return { file, detail: 'auto', field: 'messages[0].content[0]' };
}

function decode({ file }: PromptImage, largest: LargestImage) {
  limits.push(largest);
  const view = new DataView(file.buffer);
  const [width, height] = [view.getUint32(WIDTH), view.getUint32(HEIGHT)];
  const rgb = new Uint8Array(3 * width * height).fill(view.getUint8(GREY));
  return Promise.resolve({ width, height, rgb });
}

async function open(pipeline: FakePipeline, prefixTokenIds: number[] | null = null) {
  const webllm = new WebLlmModel(MLCEngine, undefined, decode);
  FakeMlcEngine.last.pipelines.set('model', pipeline);
  await webllm.load({ ...LOAD, prefixTokenIds }, () => undefined);
  return webllm;
}

/** A prompt with these images where the text has `@`. */
function shown(text: string, ...images: PromptImage[]) {
  const content = text.replaceAll('@', IMAGE_MARK);
  const read = withReferences([{ role: 'user', content, images }]);
  return { prompt: read.messages[0]?.content ?? '', images: read.images };
}

async function ask(
  webllm: WebLlmModel,
  pipeline: FakePipeline,
  { prompt, images }: ReturnType<typeof shown>,
): Promise<RawEvent | undefined> {
  FakeMlcEngine.last.generate = () => pipeline.answer(prompt, 'hi');
  const generation = {
    sampling: { temperature: 0 },
    images,
    random: { seed: 1, choice: 0, drawn: 0 },
  };
  const { signal } = new AbortController();
  let last: RawEvent | undefined;
  await webllm.generate(prompt, generation, signal, (event) => (last = event));
  return last;
}

describe('a model whose library reads images', () => {
  let pipeline: FakeSeeingPipeline;
  let webllm: WebLlmModel;

  beforeEach(async () => {
    pipeline = new FakeSeeingPipeline();
    webllm = await open(pipeline);
  });

  test('is shown them between the texts around them, with a line break after each', async () => {
    expect(webllm.sees).toBe(true);
    const asked = shown('see @ and @\nsay|A:', image(3, 2), image(4, 1, 9));
    const last = await ask(webllm, pipeline, asked);
    expect(pipeline.prefilled).toEqual(['see ######\n and ####\nsay|A:']);
    expect(pipeline.seen).toEqual([
      { width: 3, height: 2, pixel: [7, 7, 7, 255] },
      { width: 4, height: 1, pixel: [9, 9, 9, 255] },
    ]);
    expect(last).toMatchObject({
      usage: { promptTokens: 27, imageTokens: 10, cachedTokens: 0, completionTokens: 3 },
    });
  });

  test('is shown nothing that its KV cache holds', async () => {
    await ask(webllm, pipeline, shown('@ who|A:', image(3, 2)));
    const last = await ask(
      webllm,
      pipeline,
      shown('@ who|A:hi|and @|A:', image(3, 2), image(2, 2)),
    );
    expect(pipeline.prefilled.at(-1)).toBe('|and ####\n|A:');
    expect(pipeline.seen).toHaveLength(2);
    expect(last).toMatchObject({ usage: { imageTokens: 10, cachedTokens: 16 } });
  });

  test('reads another image in the same place', async () => {
    await ask(webllm, pipeline, shown('@ who|A:', image(3, 2)));
    await ask(webllm, pipeline, shown('@ who|A:', image(3, 2, 8)));
    expect(pipeline.prefilled.at(-1)).toBe('######\n who|A:');
    expect(pipeline.seen.at(-1)).toMatchObject({ pixel: [8, 8, 8, 255] });
  });

  test('reads only the line break after an image that ends a prompt once more', async () => {
    await ask(webllm, pipeline, shown('who @', image(3, 2)));
    await ask(webllm, pipeline, shown('who @', image(3, 2)));
    expect(pipeline.prefilled).toEqual(['who ######\n', '\n']);
  });

  test('has its images decoded no larger than it takes, upright or turned', async () => {
    await ask(webllm, pipeline, shown('@|A:', image(20, 2)));
    expect(limits).toEqual([{ side: 80 }]);
  });

  test('has texts without images read by WebLLM', async () => {
    await ask(webllm, pipeline, shown('who|A:'));
    expect(pipeline.prefilled).toEqual(['who|A:']);
    expect(limits).toEqual([]);
  });

  test('tells how many tokens a prompt has, and reads nothing for that', async () => {
    const { prompt, images } = shown('see @|A:', image(3, 2));
    const tokens = (await webllm.tokenizer?.encode(prompt, images)) ?? [];
    expect(tokens).toHaveLength(14);
    expect((await webllm.tokenizer?.pieces(tokens))?.join('')).toBe('see \n|A:');
    expect(pipeline.imageDataCache.size).toBe(0);
  });

  test('refuses a prompt that is too long with its images before WebLLM has it', async () => {
    pipeline.contextWindowSize = 40;
    webllm = await open(pipeline);
    const asked = shown('@@|A:', image(6, 6), image(3, 3));
    await expect(ask(webllm, pipeline, asked)).rejects.toMatchObject({
      data: { code: 'context_length_exceeded', message: expect.stringContaining('50') },
    });
    expect(FakeMlcEngine.last.requests).toEqual([]);
    await ask(webllm, pipeline, shown('@|A:', image(3, 3)));
    expect(pipeline.prefilled).toEqual(['#########\n|A:']);
  });

  test('refuses an image that it would scale to nothing, and names its field', async () => {
    await expect(ask(webllm, pipeline, shown('@|A:', image(1, 17)))).rejects.toMatchObject({
      data: { code: 'invalid_image', param: 'messages[0].content[0]' },
    });
  });

  test('refuses an image with more tokens than it reads at once', async () => {
    await expect(ask(webllm, pipeline, shown('@|A:', image(13, 5)))).rejects.toMatchObject({
      data: { code: 'unsupported_value', param: 'messages[0].content[0]' },
    });
  });

  test('does not ask WebLLM for an answer whose client has left', async () => {
    const { prompt, images } = shown('@|A:', image(2, 2));
    const generation = {
      sampling: { temperature: 0 },
      images,
      random: { seed: 1, choice: 0, drawn: 0 },
    };
    const left = AbortSignal.abort(new Error('left'));
    await expect(webllm.generate(prompt, generation, left, () => undefined)).rejects.toThrow(
      'left',
    );
    expect(FakeMlcEngine.last.requests).toEqual([]);
  });
});

test('what WebLLM writes before every prompt is before the images, too', async () => {
  const pipeline = new FakeSeeingPipeline();
  const webllm = await open(pipeline, encode('^'));
  await ask(webllm, pipeline, shown('@|A:', image(2, 2)));
  expect(pipeline.prefilled).toEqual(['^####\n|A:']);
});

describe('a model does not see', () => {
  test('if its library reads no images', async () => {
    expect((await open(new FakePipeline())).sees).toBe(false);
  });

  test('if WebLLM does not know to which size its images are scaled', async () => {
    const pipeline = new FakeSeeingPipeline();
    pipeline.calculateResizeShape = () => {
      throw new Error('Unsupported model type "gemma3_v" for image resize.');
    };
    expect((await open(pipeline)).sees).toBe(false);
  });

  test('if its KV cache cannot be cut', async () => {
    const pipeline = new FakeSeeingPipeline();
    pipeline.slidingWindowSize = 512;
    expect((await open(pipeline)).sees).toBe(false);
  });
});
