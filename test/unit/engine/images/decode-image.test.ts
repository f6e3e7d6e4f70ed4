import { describe, expect, test } from 'vitest';
import { decodeImage, MAX_PIXELS } from '../../../../src/engine/images/decode-image.ts';
import { sizeWithin } from '../../../../src/engine/images/largest-image.ts';
import { hollowPng, imageFile } from '../../../support/sight/image-files.ts';

describe('the size of an image for a model', () => {
  test.each([
    [[4000, 3000], {}, [4000, 3000]],
    [[4000, 3000], { side: 5000, pixels: MAX_PIXELS }, [4000, 3000]],
    [[4000, 3000], { side: 1000 }, [1000, 750]],
    [[3000, 4000], { side: 1000 }, [750, 1000]],
    [[4000, 3000], { pixels: 480_000 }, [800, 600]],
    [[4000, 3000], { side: 1000, pixels: 480_000 }, [800, 600]],
    [[4000, 3000], { side: 2000, shorterSide: 600 }, [800, 600]],
    [[3000, 4000], { side: 500, shorterSide: 600 }, [375, 500]],
    [[4000, 300], { shorterSide: 600 }, [4000, 300]],
    [[10_000, 1], { side: 100 }, [100, 1]],
    [[1, 1], { side: 1, pixels: 1 }, [1, 1]],
  ])('%j within %j is %j', ([width = 0, height = 0], largest, [w, h]) => {
    expect(sizeWithin({ width, height }, largest)).toEqual({ width: w, height: h });
  });
});

// Nothing is decoded in Node; test/browser/images/images.test.ts does that.
test.each([
  ['no image', new Uint8Array(99), { code: 'invalid_image', param: 'here' }],
  ['too many pixels', hollowPng(8_192, 8_193), { code: 'invalid_image', param: 'here' }],
  ['an image, without a canvas', imageFile('png'), { code: 'unsupported_value', param: 'here' }],
  ['an image that is too thin', hollowPng(6_401, 100), { code: 'invalid_image', param: 'here' }],
  ['an image that is too narrow', hollowPng(1, 65), { code: 'invalid_image', param: 'here' }],
  ['the thinnest image', hollowPng(6_400, 100), { code: 'unsupported_value', param: 'here' }],
  ['the most pixels', hollowPng(8_192, 8_192), { code: 'unsupported_value', param: 'here' }],
])('%s is refused', async (_, file, data) => {
  await expect(decodeImage({ file, field: 'here' })).rejects.toMatchObject({
    data: { status: 400, ...data },
  });
});
