import { expect, test } from 'vitest';
import { isWhole } from '../../../../src/engine/images/is-whole.ts';
import { IMAGE_FILES, imageFile } from '../../../support/sight/image-files.ts';

const names = Object.keys(IMAGE_FILES) as (keyof typeof IMAGE_FILES)[];

/** Bytes at the end that the first frame does without: a checksum, and a second frame. */
const notNeeded = (name: string) => ({ png: 4, transparent: 4, gif: 55 })[name] ?? 0;

test.each(names)('%s is whole only with the end of its first frame', (name) => {
  const file = imageFile(name);
  const needed = file.length - notNeeded(name);
  const whole = [...file.keys(), file.length].filter((length) => isWhole(file.subarray(0, length)));
  expect(whole[0]).toBe(needed);
  expect(whole).toHaveLength(file.length - needed + 1);
});

test.each(names)('%s may have more after its end', (name) => {
  // Cameras append films, which contain bytes that look like the end of a JPEG.
  expect(isWhole(new Uint8Array([...imageFile(name), 0xff, 0xd9, 1, 0xd9, 2]))).toBe(true);
});

test('the end of a thumbnail is not that of the photo', () => {
  const thumbnail = [0xff, 0xd8, 0xff, 0xd9];
  const jpeg = imageFile('jpeg');
  const segment = [0xff, 0xe1, 0, thumbnail.length + 2, ...thumbnail];
  const photo = Uint8Array.from([...jpeg.slice(0, 2), ...segment, ...jpeg.slice(2)]);
  expect(isWhole(photo)).toBe(true);
  expect(isWhole(photo.subarray(0, -1))).toBe(false);
});

test.each([new Uint8Array(), new Uint8Array(99), Buffer.from('<!doctype html>')])(
  'what is no image is not whole',
  (file) => expect(isWhole(file)).toBe(false),
);
