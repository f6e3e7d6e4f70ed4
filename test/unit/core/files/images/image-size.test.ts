import { describe, expect, test } from 'vitest';
import { imageType } from '../../../../../src/core/files/images/image-file.ts';
import { imageSize } from '../../../../../src/core/files/images/image-size.ts';
import { hollowPng, IMAGE_FILES, imageFile } from '../../../../support/sight/image-files.ts';

const names = Object.keys(IMAGE_FILES) as (keyof typeof IMAGE_FILES)[];

function joined(...parts: (readonly number[] | Uint8Array)[]): Uint8Array {
  return new Uint8Array(parts.flatMap((part) => [...part]));
}

describe('the size of an image file', () => {
  test.each(names)('%s', (name) => {
    expect(imageSize(imageFile(name))).toEqual({ width: 16, height: 8 });
  });

  test('is found in a part of a larger buffer', () => {
    const file = joined([1, 2, 3], imageFile('webp')).subarray(3);
    expect(imageSize(file)).toEqual({ width: 16, height: 8 });
  });

  test('is what the header claims, however large', () => {
    expect(imageSize(hollowPng(30_000, 40_000))).toEqual({ width: 30_000, height: 40_000 });
    const webp = imageFile('extendedWebp');
    webp.set([0xff, 0xff, 0xff, 0xfe, 0xff, 0xff], 24);
    expect(imageSize(webp)).toEqual({ width: 2 ** 24, height: 2 ** 24 - 1 });
    const lossless = imageFile('webp');
    lossless.set([0xff, 0xff, 0xff, 0x0f], 21);
    expect(imageSize(lossless)).toEqual({ width: 16_384, height: 16_384 });
    const lossy = imageFile('lossyWebp');
    lossy.set([0xff, 0x3f, 0xfe, 0x3f], 26);
    expect(imageSize(lossy)).toEqual({ width: 16_383, height: 16_382 });
  });

  test('of a GIF is that of its first frame where that is larger', () => {
    const gif = imageFile('gif');
    const frame = gif.indexOf(0x2c, 30);
    gif.set([1, 0, 2, 0, 0xff, 0xff, 0xff, 0xff], frame + 1);
    expect(imageSize(gif)).toEqual({ width: 0x10000, height: 0x10001 });
  });

  test('of a JPEG is not that of the thumbnail in it', () => {
    const [start, rest] = [imageFile('jpeg').slice(0, 2), imageFile('jpeg').slice(2)];
    const thumbnail = [0xff, 0xd8, 0xff, 0xc0, 0, 11, 8, 0, 1, 0, 1, 1, 1, 0x11, 0, 0xff, 0xd9];
    const segment = [0xff, 0xe1, 0, thumbnail.length + 2, ...thumbnail];
    expect(imageSize(joined(start, segment, rest))).toEqual({ width: 16, height: 8 });
    const filled = joined(start, [0xff, 0xfe, 0, 2, 0, 0, 0xff, 0xff, 0xff, 0xfe, 0, 2], rest);
    expect(imageSize(filled)).toEqual({ width: 16, height: 8 });
  });

  test.each(names)('is unknown where %s is cut in its header', (name) => {
    for (const length of [0, 1, 4, 8, 12, 16]) {
      expect([length, imageSize(imageFile(name).slice(0, length))]).toEqual([length, undefined]);
    }
  });

  test.each([
    ['nothing', new Uint8Array()],
    ['a page', new TextEncoder().encode('<!doctype html>')],
    ['a sound', new TextEncoder().encode('RIFF1234WAVEfmt                        ')],
    ['no pixels', hollowPng(0, 8)],
    ['a JPEG without a frame', new Uint8Array([0xff, 0xd8, 0xff, 0xda, 0, 2, 0xff, 0xd9])],
    ['a JPEG that never ends', new Uint8Array([0xff, 0xd8, ...Array<number>(99).fill(0xff)])],
    ['a segment without a length', new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 0, 0, 0, 0])],
  ])('is unknown of %s', (_, file) => {
    expect(imageSize(file)).toBeUndefined();
  });
});

test('the type of a file is told by its first bytes', () => {
  expect(names.map((name) => imageType(imageFile(name)))).toEqual([
    ...['png', 'jpeg', 'jpeg', 'jpeg', 'webp', 'webp', 'webp', 'gif', 'png'],
  ]);
  expect(imageType(new TextEncoder().encode('GIF88a'))).toBeUndefined();
});
