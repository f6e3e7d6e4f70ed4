import { expect } from 'playwright/test';
import { hollowPng, IMAGE_FILES } from '../../../support/sight/image-files.ts';
import type { ImageAnswer, ImageRequest } from '../../site/image-worker.ts';
import type { DrivenPage } from '../browser/driven-page.ts';

/** Decodes an image in a worker of the page. */
export function decode(page: DrivenPage, request: ImageRequest): Promise<ImageAnswer> {
  return page.evaluate(
    (asked) =>
      new Promise<ImageAnswer>((resolve, reject) => {
        const worker = new Worker('image-worker.js', { type: 'module' });
        worker.onmessage = ({ data }: MessageEvent<ImageAnswer>) => {
          worker.terminate();
          resolve(data);
        };
        worker.onerror = ({ message }) => reject(new Error(message));
        worker.postMessage(asked);
      }),
    request,
  );
}

type Name = keyof typeof IMAGE_FILES;

/** The colours of two places: `red`, `green`, `blue`, `white` or numbers. */
function colours({ rgb = [], width = 0 }: ImageAnswer, ...places: [x: number, y: number][]) {
  return places.map(([x, y]) => {
    const at = (y * width + x) * 3;
    // Lossy files come close.
    const near = rgb.slice(at, at + 3).map((value) => (value > 200 ? 255 : value < 55 ? 0 : value));
    const name = { '255,0,0': 'red', '0,255,0': 'green', '0,0,255': 'blue' }[near.join()];
    return name ?? (near.join() === '255,255,255' ? 'white' : near.join());
  });
}

const LEFT: [number, number] = [2, 3];
const RIGHT: [number, number] = [13, 3];

/** Each kind of file becomes the pixels that a viewer would show. */
export async function expectPixels(page: DrivenPage): Promise<void> {
  const upright: Name[] = ['png', 'jpeg', 'progressive', 'webp', 'lossyWebp', 'gif'];
  for (const name of upright) {
    const image = await decode(page, { file: IMAGE_FILES[name] });
    expect([name, image.width, image.height]).toEqual([name, 16, 8]);
    expect([name, ...colours(image, LEFT, RIGHT)]).toEqual([name, 'red', 'blue']);
  }
  const turned = await decode(page, { file: IMAGE_FILES.turned });
  expect([turned.width, turned.height]).toEqual([8, 16]);
  expect(colours(turned, [3, 2], [3, 13])).toEqual(['red', 'blue']);
  const transparent = await decode(page, { file: IMAGE_FILES.transparent });
  expect(colours(transparent, LEFT, RIGHT)).toEqual(['red', 'white']);
}

/** Images are scaled down to what a model takes, and never up. */
export async function expectScaled(page: DrivenPage): Promise<void> {
  const file = IMAGE_FILES.turned;
  const bySide = await decode(page, { file, largest: { side: 8 } });
  expect([bySide.width, bySide.height]).toEqual([4, 8]);
  expect(colours(bySide, [1, 1], [1, 6])).toEqual(['red', 'blue']);
  const byPixels = await decode(page, { file, largest: { pixels: 33, side: 100 } });
  expect([byPixels.width, byPixels.height]).toEqual([4, 8]);
  const asItIs = await decode(page, { file, largest: { pixels: 128, side: 16 } });
  expect([asItIs.width, asItIs.height]).toEqual([8, 16]);
  const { width, height, rgb = [] } = await decode(page, { largest: { side: 100 } });
  expect([width, height]).toEqual([100, 75]);
  // Each pixel is a mean of the photo's lines, not the one line that is at its place.
  const greys = rgb.filter((value) => value > 100 && value < 155);
  expect(greys.length / rgb.length).toBeGreaterThan(0.9);
}

/** The photo's red edge is where a viewer of photos shows it, at every size. */
export async function expectTurnedPhotos(page: DrivenPage): Promise<void> {
  // The sides on which EXIF's orientations have the left edge.
  const sides: [orientation: number, x: number, y: number][] = [
    [1, 0, 0.5],
    [2, 1, 0.5],
    [6, 0.5, 0],
    [8, 0.5, 1],
  ];
  for (const side of [400, 3900]) {
    for (const [orientation, x, y] of sides) {
      const edge = await decode(page, { orientation, largest: { side }, place: [x, y] });
      const [long, short] = [side, 0.75 * side];
      const size = orientation > 4 ? [short, long] : [long, short];
      expect([orientation, edge.width, edge.height]).toEqual([orientation, ...size]);
      expect([side, orientation, ...colours(edge, [0, 0])]).toEqual([side, orientation, 'red']);
    }
  }
}

/** A photo that ends early is refused, at every size. */
export async function expectCutPhotos(page: DrivenPage): Promise<void> {
  for (const side of [4000, 400]) {
    const cut = await decode(page, { isCut: true, largest: { side }, place: [0, 0] });
    expect([side, cut]).toEqual([side, REFUSED]);
  }
}

const REFUSED = {
  code: 'invalid_image',
  param: 'here',
  message: expect.stringMatching(/can be decoded/),
};

/** For each kind of file, the number of bytes at its end that the first frame does not need. */
const NOT_NEEDED: Partial<Record<Name, number>> = { png: 4, transparent: 4, gif: 55 };

/** Cut files are refused if any byte of the first frame is missing: half an image is never shown. */
export async function expectCutFiles(page: DrivenPage): Promise<void> {
  for (const [name, file] of Object.entries(IMAGE_FILES)) {
    const whole = Buffer.from(file, 'base64');
    const needed = whole.length - (NOT_NEEDED[name as Name] ?? 0);
    for (const length of [needed - 1, Math.floor(0.9 * needed), Math.floor(needed / 2)]) {
      const cut = await decode(page, { file: whole.subarray(0, length).toString('base64') });
      expect([name, length, cut]).toEqual([name, length, REFUSED]);
    }
    const enough = await decode(page, { file: whole.subarray(0, needed).toString('base64') });
    expect([name, enough.code]).toEqual([name, undefined]);
  }
}

/** Files that are not images are refused, and so are images that are too large. */
export async function expectRefused(page: DrivenPage): Promise<void> {
  const png = Buffer.from(IMAGE_FILES.png, 'base64');
  const broken: [string, Uint8Array, RegExp][] = [
    ['nothing', new Uint8Array(), /can be decoded/],
    ['a document', Buffer.from('%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\n'), /can be decoded/],
    ['a page', Buffer.from('<!doctype html><p>Not found'), /can be decoded/],
    ['a drawing', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), /can be decoded/],
    ['a header alone', png.subarray(0, 33), /can be decoded/],
    ['noise after the header', Buffer.concat([png.subarray(0, 33), png.subarray(8)]), /decoded/],
    ['a bomb', hollowPng(30_000, 30_000), /30000 × 30000 pixels/],
  ];
  for (const [name, file, message] of broken) {
    const answer = await decode(page, { file: Buffer.from(file).toString('base64') });
    expect([name, answer]).toEqual([
      name,
      { code: 'invalid_image', param: 'here', message: expect.stringMatching(message) },
    ]);
  }
}
