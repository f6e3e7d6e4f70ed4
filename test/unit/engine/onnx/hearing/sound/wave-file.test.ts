import { describe, expect, test } from 'vitest';
import { Recording } from '../../../../../../src/engine/onnx/hearing/sound/recording.ts';
import { bytes, chunk, formatChunk, wave } from '../../../../../support/sound/wave.ts';

const RATE = 16_000;

/** Reads all samples of a file. */
async function heard(file: Blob): Promise<Float32Array> {
  const recording = await Recording.open(file, RATE);
  const samples = await recording.read(0, 1_000_000);
  await recording.close();
  return samples;
}

async function refusal(file: Blob): Promise<string> {
  const error: unknown = await heard(file).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ data: { status: 400, fault: { part: 'recording' } } });
  return error instanceof Error ? error.message : '';
}

/** A wave whose upper bytes are no text, as most sound has them. */
const SOUND = Float32Array.from({ length: 5_000 }, (_, at) => 0.25 * Math.sin(at / 7) - 0.4);

/** Samples, each written by `set`. */
function written(
  width: number,
  set: (view: DataView, at: number, sample: number) => void,
): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(SOUND.length * width));
  for (const [index, sample] of SOUND.entries()) set(view, index * width, sample);
  return new Uint8Array(view.buffer);
}

const int16 = (isLittle = true) =>
  written(2, (view, at, sample) => view.setInt16(at, Math.round(sample * 2 ** 15), isLittle));
const int32 = (scale: number, isLittle = true) =>
  written(4, (view, at, sample) => view.setInt32(at, Math.round(sample * scale), isLittle));
/** 24 bits in the upper three of four bytes. */
const upper24 = () =>
  written(4, (view, at, sample) => view.setInt32(at, Math.round(sample * 2 ** 23) * 256, true));
const int24 = (isLittle = true) => {
  const from = isLittle ? 0 : 1;
  const four = int32(2 ** 23, isLittle);
  return four.filter((_, at) => at % 4 >= from && at % 4 < from + 3);
};
const uint8 = () => written(1, (view, at, sample) => view.setUint8(at, 128 + sample * 128));
const float32 = (isLittle = true) =>
  written(4, (view, at, sample) => view.setFloat32(at, sample, isLittle));
const float64 = () => written(8, (view, at, sample) => view.setFloat64(at, sample, true));
const int64 = () =>
  written(8, (view, at, sample) =>
    view.setBigInt64(at, BigInt(Math.round(sample * 2 ** 53)) << 10n, true),
  );

function expectSound(samples: Float32Array, digits = 3, sound = SOUND): void {
  expect(samples.length).toBe(sound.length);
  const worst = sound.reduce(
    (most, value, at) => Math.max(most, Math.abs(value - (samples[at] ?? 9))),
    0,
  );
  expect(worst).toBeLessThan(10 ** -digits);
}

const big = { isLittle: false };

describe('samples are read', () => {
  test.each([
    ['16 bits', wave([formatChunk(), chunk('data', int16())])],
    ['16 bits, extensible', wave([formatChunk({ valid: 16 }), chunk('data', int16())])],
    ['24 bits', wave([formatChunk({ bits: 24 }), chunk('data', int24())])],
    ['32 bits', wave([formatChunk({ bits: 32 }), chunk('data', int32(2 ** 31))])],
    ['64 bits', wave([formatChunk({ bits: 64 }), chunk('data', int64())])],
    [
      'the lower 24 of 32 bits',
      wave([formatChunk({ bits: 24, width: 4 }), chunk('data', int32(2 ** 23))]),
    ],
    [
      'the upper 24 of 32 bits',
      wave([formatChunk({ bits: 24, width: 4 }), chunk('data', upper24())]),
    ],
    [
      'the upper 24 of 32 bits, extensible',
      wave([formatChunk({ bits: 32, valid: 24 }), chunk('data', upper24())]),
    ],
    [
      'the lower 24 of 32 bits, extensible',
      wave([formatChunk({ bits: 32, valid: 24 }), chunk('data', int32(2 ** 23))]),
    ],
    [
      '32 bits that claim to be 24',
      wave([formatChunk({ bits: 32, valid: 24 }), chunk('data', int32(2 ** 31))]),
    ],
    ['floating-point numbers', wave([formatChunk({ tag: 3, bits: 32 }), chunk('data', float32())])],
    [
      '64-bit floating-point numbers',
      wave([formatChunk({ tag: 3, bits: 64 }), chunk('data', float64())]),
    ],
    [
      'floating-point numbers, extensible',
      wave([formatChunk({ tag: 3, bits: 32, valid: 32 }), chunk('data', float32())]),
    ],
    [
      '16 bits, big-endian',
      wave([formatChunk(big), chunk('data', int16(false), big)], { kind: 'RIFX' }),
    ],
    [
      '24 bits, big-endian',
      wave([formatChunk({ bits: 24, ...big }), chunk('data', int24(false), big)], { kind: 'RIFX' }),
    ],
    [
      'floating-point numbers, big-endian',
      wave([formatChunk({ tag: 3, bits: 32, ...big }), chunk('data', float32(false), big)], {
        kind: 'RIFX',
      }),
    ],
  ])('%s', async (_, file) => expectSound(await heard(file)));

  test('8 bits', async () => {
    expectSound(await heard(wave([formatChunk({ bits: 8 }), chunk('data', uint8())])), 2);
  });

  // Values of the tables in ITU-T G.711, of 13 and 14 bits.
  test.each([
    ['A-law', 6, { 0xd5: 8, 0x55: -8, 0xaa: 32_256, 0x2a: -32_256, 0x80: 5_504, 0xc5: 264 }],
    ['µ-law', 7, { 0xff: 0, 0x7f: 0, 0x80: 32_124, 0x00: -32_124, 0xef: 132, 0x8f: 16_764 }],
  ])('%s', async (_, tag, values) => {
    const codes = new Uint8Array(Object.keys(values).map(Number));
    const samples = await heard(wave([formatChunk({ tag, bits: 8 }), chunk('data', codes)]));
    expect([...samples].map((sample) => sample * 2 ** 15 + 0)).toEqual(
      Object.entries(values).map(([, value]) => value),
    );
  });

  test('the channels of a frame become one', async () => {
    const frames = new Int16Array(2_000).map((_, at) => (at % 2 === 0 ? 8_192 : -4_096));
    const file = wave([formatChunk({ channels: 2 }), chunk('data', new Uint8Array(frames.buffer))]);
    expect(new Set(await heard(file))).toEqual(new Set([0.0625]));
  });
});

describe('headers that were never finished, or lie', () => {
  const data = int16();
  const half = data.length / 2;
  const long = (size: number) =>
    chunk('ds64', bytes([{ u64: size }, { u64: size }, { u64: SOUND.length }, { u32: 0 }]));

  test.each([
    ['no sizes', wave([formatChunk(), chunk('data', data, { size: 0 })], { size: 0 })],
    [
      'the size of an empty file',
      wave([formatChunk(), chunk('data', data, { size: 0 })], { size: 36 }),
    ],
    ['the size of 0', wave([formatChunk(), chunk('data', data)], { size: 0 })],
    ['the size of its header', wave([formatChunk(), chunk('data', data)], { size: 36 })],
    [
      'unknown sizes',
      wave([formatChunk(), chunk('data', data, { size: 0xffff_ffff })], { size: 0xffff_ffff }),
    ],
    ['too large a size', wave([formatChunk(), chunk('data', data, { size: 0x7fff_0000 })])],
    [
      'its samples in two chunks',
      wave([formatChunk(), chunk('data', data.slice(0, half)), chunk('data', data.slice(half))]),
    ],
    [
      'an empty chunk of samples before the right one',
      wave([formatChunk(), chunk('data', new Uint8Array()), chunk('data', data)]),
    ],
    [
      'chunks around its samples',
      wave([
        chunk('JUNK', new Uint8Array(29)),
        formatChunk(),
        chunk('LIST', bytes(['INFOISFT', { u32: 4 }, 'abc'])),
        chunk('data', data),
        chunk('id3 ', new Uint8Array(9)),
      ]),
    ],
    ...[100_000, 0xffff_ffff].flatMap((size): [string, Blob][] => [
      [
        `a chunk that states ${size} bytes before its samples`,
        wave([formatChunk(), chunk('LIST', new Uint8Array(9), { size }), chunk('data', data)]),
      ],
      [
        `a chunk that states ${size} bytes before its format`,
        wave([chunk('JUNK', new Uint8Array(28), { size }), formatChunk(), chunk('data', data)]),
      ],
    ]),
    [
      'an extensible format without an extension',
      wave([formatChunk({ tag: 0xfffe }), chunk('data', data)]),
    ],
    ['frames of an impossible size', wave([formatChunk({ width: 7 }), chunk('data', data)])],
    ['frames of no size', wave([formatChunk({ width: 0 }), chunk('data', data)])],
    ['its format after its samples', wave([chunk('data', data), formatChunk()])],
    [
      'a chunk of an odd size without padding',
      wave([formatChunk(), chunk('note', new Uint8Array(3)).slice(0, -1), chunk('data', data)]),
    ],
    [
      'more bytes than its samples',
      wave([formatChunk(), chunk('data', data), new Uint8Array(50).fill(255)]),
    ],
    ...['RF64', 'BW64'].flatMap((kind): [string, Blob][] => [
      [
        `sizes of 64 bits (${kind})`,
        wave([long(data.length), formatChunk(), chunk('data', data, { size: 0xffff_ffff })], {
          kind,
          size: 0xffff_ffff,
        }),
      ],
      [
        `no sizes of 64 bits (${kind})`,
        wave([long(0), formatChunk(), chunk('data', data, { size: 0 })], { kind, size: 0 }),
      ],
      [
        `sizes of 64 bits that are too large (${kind})`,
        wave([long(2 ** 52), formatChunk(), chunk('data', data, { size: 0xffff_ffff })], { kind }),
      ],
      [
        `its own size in place of one of 64 bits (${kind})`,
        wave([formatChunk(), chunk('data', data)], { kind }),
      ],
    ]),
  ])('a file with %s is read whole', async (_, file) => expectSound(await heard(file)));

  test('a file that was cut is read up to there', async () => {
    const file = wave([formatChunk(), chunk('data', data)]);
    expectSound(await heard(file.slice(0, 44 + 2_001)), 3, SOUND.slice(0, 1_000));
  });
});

describe('a sample that is no number is silent, and the rest is heard', () => {
  test.each([NaN, Infinity, -Infinity, 1e38])('%d', async (fault) => {
    const rate = 48_000;
    const samples = Float32Array.from(SOUND);
    samples[2_500] = fault;
    const file = wave([
      formatChunk({ tag: 3, bits: 32, rate }),
      chunk('data', new Uint8Array(samples.buffer)),
    ]);
    const right = Float32Array.from(SOUND);
    right[2_500] = 0;
    const mended = wave([
      formatChunk({ tag: 3, bits: 32, rate }),
      chunk('data', new Uint8Array(right.buffer)),
    ]);
    expect(await heard(file)).toEqual(await heard(mended));
  });
});

describe('what is not read is named', () => {
  const other = (tag: number, more = {}) =>
    wave([
      formatChunk({ tag, bits: 4, width: 512, ...more }),
      chunk('data', new Uint8Array(2_048)),
    ]);

  test.each([
    [0x02, 'Microsoft ADPCM'],
    [0x11, 'IMA ADPCM'],
    [0x45, 'G.726 ADPCM'],
    [0x55, 'MP3'],
    [0x31, 'GSM 6.10'],
    [0x161, 'Windows Media Audio'],
    [0x4321, 'the encoding 0x4321'],
    [0, 'the encoding 0x0'],
  ])('%d', async (tag, name) => {
    const advice = 'Convert it to 16-bit samples, MP3 or FLAC.';
    const message = `'recording' is a WAV file with ${name}, which is not read. ${advice}`;
    expect(await refusal(other(tag))).toBe(message);
    expect(await refusal(other(tag, { valid: 4 }))).toBe(message);
  });

  test.each([
    [wave([formatChunk({ bits: 40 }), chunk('data', int16())]), /samples of 40 bits in 5 bytes/],
    [wave([formatChunk({ tag: 3 }), chunk('data', int16())]), /numbers of 16 bits in 2 bytes/],
    [wave([formatChunk({ channels: 0 }), chunk('data', int16())]), /without channels/],
    [wave([formatChunk({ rate: 0 }), chunk('data', int16())]), /sample rate of 0 Hz/],
    [
      wave([formatChunk({ rate: 2 ** 32 - 1 }), chunk('data', int16())]),
      /sample rate of 4294967295/,
    ],
    [wave([chunk('data', int16())]), /does not state the format/],
    [wave([chunk('fmt ', new Uint8Array(4)), chunk('data', int16())]), /does not state the format/],
    [wave([formatChunk()]), /has no sound/],
    [wave([formatChunk(), chunk('data', new Uint8Array(1))]), /has no sound/],
    [wave([formatChunk(), chunk('data', new Uint8Array())]), /has no sound/],
    [wave([]), /does not state the format/],
  ])('%#: %o %s', async (file, message) => expect(await refusal(file)).toMatch(message));

  test('a header is never more than a 400, wherever it ends', async () => {
    const whole = wave([formatChunk({ valid: 16 }), chunk('data', int16())]);
    for (let size = 1; size < 70; size++) await refusal(whole.slice(0, size));
    expect((await heard(whole.slice(0, 70))).length).toBe(1);
  });
});
