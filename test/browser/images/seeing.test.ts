import type { StartOptions } from '../../../src/index.ts';
import { tinySight } from '../../support/sight/tiny-sight.ts';
import { complete, refusal } from '../support/chat.ts';
import { expect, openStarted, restart, test } from '../support/fixtures.ts';
import { install, listed } from '../support/models.ts';
import { serveRepositories } from '../support/hub/repositories.ts';

const REPOSITORY = 'someone/tiny-sight-GGUF';
const CPU: StartOptions = { engines: ['llamacpp'] };
/** Tokens of an image, which has two pieces. */
const IMAGE_TOKENS = 8;

/** A picture of one colour. */
const PICTURE = async (color: string) => {
  const canvas = new OffscreenCanvas(70, 40);
  const context = canvas.getContext('2d');
  if (!context) throw new Error('There is no canvas.');
  context.fillStyle = color;
  context.fillRect(0, 0, 70, 40);
  const bytes = await (await canvas.convertToBlob()).bytes();
  return `data:image/png;base64,${bytes.toBase64()}`;
};

function asked(url: string, text: string) {
  const image = { type: 'image_url' as const, image_url: { url } };
  const content = [image, { type: 'text' as const, text }];
  return { model: REPOSITORY, messages: [{ role: 'user' as const, content }], max_tokens: 4 };
}

test('a GGUF with its projector is added, and reads images in a chat', async ({
  fresh,
  site,
  closing,
}) => {
  const { model, projector } = tinySight('idefics3');
  const files = new Map([
    ['tiny-sight-F32.gguf', Buffer.from(model)],
    ['mmproj-tiny-sight-F32.gguf', Buffer.from(projector)],
  ]);
  const hub = closing(await serveRepositories(new Map([[REPOSITORY, files]])));
  const options = { ...CPU, hub: hub.url };
  const page = await openStarted(fresh, site.url, options);
  await page.evaluate((source) => window.v1.models.add(source), REPOSITORY);
  const bytes = model.length + projector.length;
  expect(await listed(page, REPOSITORY)).toMatchObject({ bytes });
  await install(page, REPOSITORY);

  const red = await page.evaluate(PICTURE, 'red');
  const first = await complete(page, asked(red, 'What is it?'));
  expect(first.usage?.prompt_tokens_details).toMatchObject({ image_tokens: IMAGE_TOKENS });
  const next = await complete(page, asked(red, 'What is it? And what else?'));
  expect(next.usage?.prompt_tokens_details?.cached_tokens).toBeGreaterThan(2 * IMAGE_TOKENS);
  const blue = await page.evaluate(PICTURE, 'blue');
  const other = await complete(page, asked(blue, 'What is it?'));
  expect(other.usage?.prompt_tokens_details?.cached_tokens).toBeLessThan(IMAGE_TOKENS);
  const broken = `data:image/png;base64,${Buffer.from('no picture').toString('base64')}`;
  const refused = { status: 400, code: 'invalid_image' };
  expect(await refusal(page, asked(broken, 'What is it?'))).toMatchObject(refused);

  await hub.close();
  await restart(page, options);
  const offline = await complete(page, asked(red, 'What is it?'));
  expect(offline.usage?.prompt_tokens).toBe(first.usage?.prompt_tokens);
});
