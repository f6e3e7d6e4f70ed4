import { expect, test } from 'vitest';
import { tinyGguf } from '../../../../support/gguf/tiny-gguf.ts';
import { add, ggufVariant } from '../../../support/adding.ts';
import { openEngine } from '../../../support/servers/engine-site.ts';
import { fails, sendsJson, type Answer } from '../../../support/servers/http-server.ts';
import { largeFiles } from '../../../support/servers/hub-server.ts';

const NAME = 'someone/Tiny-GGUF';
const BASE = 'someone/Tiny';

/** A GGUF repository whose base model has these files. */
async function samplingOf(
  own: Record<string, Buffer>,
  base: Record<string, Buffer>,
  changes: Record<string, Answer> = {},
) {
  const site = await openEngine({
    ...largeFiles(NAME, own),
    ...largeFiles(BASE, base),
    [`/api/models/${NAME}`]: sendsJson({ tags: [`base_model:${BASE}`] }),
    ...changes,
  });
  await add(site, NAME);
  return ggufVariant(await site.catalog.get(NAME)).sampling;
}

const json = (value: object) => Buffer.from(JSON.stringify(value));
const SILENT = { 'Tiny-F16.gguf': tinyGguf({ seed: 1 }) };
const MAKERS = {
  temperature: 0.7,
  top_p: 0.8,
  top_k: 20,
  repetition_penalty: 1.1,
  do_sample: true,
};
const DEFAULTS = { temperature: 0.7, topP: 0.8, topK: 20, repetitionPenalty: 1.1 };

test('a GGUF file that does not say how it is sampled is sampled as the makers of its base model say', async () => {
  const config = { 'generation_config.json': json(MAKERS) };
  expect(await samplingOf(SILENT, config)).toEqual(DEFAULTS);
  expect(await samplingOf({ ...SILENT, ...config }, {})).toEqual(DEFAULTS);
  const plain = { 'generation_config.json': json({ eos_token_id: 2, top_k: 0 }) };
  expect(await samplingOf(SILENT, plain)).toEqual({});
});

test('what the file says itself is not replaced', async () => {
  const metadata = { 'general.sampling.temp': { f32: 0.5 } };
  const own = { 'Tiny-F16.gguf': tinyGguf({ metadata }) };
  const base = { 'generation_config.json': json(MAKERS) };
  expect(await samplingOf(own, base)).toBeUndefined();
});

test('a model whose makers say nothing, or cannot be asked, is added all the same', async () => {
  expect(await samplingOf(SILENT, {})).toBeUndefined();
  const gone = { [`/api/models/${NAME}`]: fails(500) };
  expect(await samplingOf(SILENT, {}, gone)).toBeUndefined();
  const broken = { 'generation_config.json': Buffer.from('{"temperature": "hot"}') };
  expect(await samplingOf(SILENT, broken)).toBeUndefined();
});
