import type { Page } from 'playwright/test';
import { hollowPng, type IMAGE_FILES, imageFile } from '../../support/sight/image-files.ts';
import { complete, type ChatRequest } from '../support/chat.ts';
import { expect, openStarted, test } from '../support/fixtures.ts';
import { about, showing } from '../support/media/seeing.ts';
import { SEER, serveTestSite } from '../support/site.ts';

const half = (name: keyof typeof IMAGE_FILES) => {
  const file = imageFile(name);
  return file.subarray(0, file.length / 2);
};

/** All are sent as `image/png`. */
const BROKEN: [name: string, file: Uint8Array, message: RegExp][] = [
  ['nothing', new Uint8Array(), /can be decoded/],
  [
    'a document',
    Buffer.from('%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\n'),
    /can be decoded/,
  ],
  ['a page', Buffer.from('<!doctype html><p>Not found'), /can be decoded/],
  ['a drawing', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), /can be decoded/],
  ['half a PNG', half('png'), /can be decoded/],
  ['half a JPEG', half('jpeg'), /can be decoded/],
  ['half a WebP', half('webp'), /can be decoded/],
  ['half a lossy WebP', half('lossyWebp'), /can be decoded/],
  ['half a GIF', half('gif').subarray(0, 50), /can be decoded/],
  ['a bomb', hollowPng(30_000, 30_000), /30000 × 30000 pixels/],
];

const urlOf = (base64: string) => `data:image/png;base64,${base64}`;

/** How each API shows an image after a text, and how its errors name it. */
const APIS: [path: string, param: string, error: object, body: (base64: string) => object][] = [
  [
    'chat/completions',
    'messages[0].content[1].image_url',
    {},
    (base64) => {
      const image = { type: 'image_url', image_url: { url: urlOf(base64) } };
      return { messages: [{ role: 'user', content: [{ type: 'text', text: 'What?' }, image] }] };
    },
  ],
  [
    'responses',
    'input[0].content[1].image_url',
    {},
    (base64) => {
      const image = { type: 'input_image', image_url: urlOf(base64) };
      return { input: [{ role: 'user', content: [{ type: 'input_text', text: 'What?' }, image] }] };
    },
  ],
  [
    'messages',
    'messages[0].content[1].source.data',
    { type: 'error', request_id: expect.any(String) },
    (data) => {
      const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data } };
      const content = [{ type: 'text', text: 'What?' }, image];
      return { max_tokens: 8, messages: [{ role: 'user', content }] };
    },
  ],
];

test('what cannot be decoded is refused by each API, which names the image, and the model answers on', async ({
  fresh,
  closing,
}) => {
  const site = closing(await serveTestSite('/', ['tiny-see']));
  const page = await openStarted(fresh, site.url);
  for (const [path, param, rest, body] of APIS) {
    for (const [name, file, message] of BROKEN) {
      const shown = body(Buffer.from(file).toString('base64'));
      for (const stream of [false, true]) {
        const answer = await post(page, path, { model: SEER, stream, ...shown });
        const error = {
          type: 'invalid_request_error',
          code: 'invalid_image',
          param,
          message: expect.stringMatching(message),
        };
        expect([path, name, answer]).toEqual([
          path,
          name,
          { status: 400, body: { ...rest, error } },
        ]);
      }
    }
  }
  const whole = showing(about('red-circle.png', 'What is in the picture?'));
  const { choices } = await complete(page, whole as ChatRequest);
  expect(choices[0]?.message.content).toBe('A red circle.');
});

function post(page: Page, path: string, request: object) {
  return page.evaluate(
    async ([below, json]) => {
      const response = await window.post(below, json);
      return { status: response.status, body: (await response.json()) as unknown };
    },
    [path, request] as const,
  );
}
