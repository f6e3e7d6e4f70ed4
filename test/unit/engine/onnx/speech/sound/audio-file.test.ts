import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  audioEvents,
  type AudioFile,
} from '../../../../../../src/engine/onnx/speech/sound/audio-file.ts';
import { Mp3File } from '../../../../../../src/engine/onnx/speech/sound/mp3-file.ts';
import { WavFile } from '../../../../../../src/engine/onnx/speech/sound/wav-file.ts';
import { HAS_FFPROBE, probe } from '../../../../../support/sound/ffprobe.ts';
import { infoOf, mp3Frames, parseWav } from '../audio-parsers.ts';
import { voiceLike } from '../tones.ts';

const RATE = 24_000;
const require = createRequire(import.meta.url);

let lame: WebAssembly.Module;

beforeAll(async () => {
  lame = await WebAssembly.compile(readFileSync(require.resolve('wasm-media-encoders/wasm/mp3')));
});

/** The bytes sent for the pieces, the final header, the duration and the types of the events. */
async function written(file: AudioFile, pieces: Float32Array[], sampleRate = RATE) {
  async function* spoken() {
    for (const [index, samples] of pieces.entries()) {
      yield { samples, isLast: index === pieces.length - 1 };
    }
  }
  const chunks: Uint8Array[] = [];
  const kinds: string[] = [];
  let header = new Uint8Array(0);
  let seconds = 0;
  for await (const event of audioEvents(file, spoken(), sampleRate)) {
    kinds.push(event.type);
    if (event.type === 'audio') chunks.push(event.bytes);
    if (event.type === 'spoken') ({ header, seconds } = event);
  }
  return { chunks, bytes: Buffer.concat(chunks), header, seconds, kinds };
}

const piece = (seconds: number, sampleRate = RATE) => voiceLike(seconds, sampleRate);

describe('a WAV file', () => {
  test('of one piece says its length', async () => {
    const { bytes, header, seconds, kinds } = await written(new WavFile(RATE), [piece(0.5)]);
    const wav = parseWav(bytes);
    expect(kinds).toEqual(['audio', 'spoken']);
    expect(wav).toMatchObject({ format: 1, channels: 1, sampleRate: RATE, bits: 16 });
    expect(wav.dataBytes).toBe(RATE);
    expect(wav.riffBytes).toBe(bytes.length - 8);
    expect(wav.samples).toHaveLength(RATE / 2);
    expect(bytes.subarray(0, 44)).toEqual(Buffer.from(header));
    expect(seconds).toBe(0.5);
  });

  test('of several pieces begins before its length is known, and says it at the end', async () => {
    const { chunks, bytes, header, kinds } = await written(new WavFile(RATE), [piece(1), piece(2)]);
    expect(kinds).toEqual(['audio', 'audio', 'spoken']);
    expect(chunks[0]).toHaveLength(44 + 2 * RATE);
    expect(parseWav(bytes)).toMatchObject({ riffBytes: 0xffffffff, dataBytes: 0xffffffff });
    expect(parseWav(bytes).samples).toHaveLength(3 * RATE);
    const whole = Buffer.concat([header, bytes.subarray(header.length)]);
    expect(parseWav(whole)).toMatchObject({ riffBytes: whole.length - 8, dataBytes: 6 * RATE });
  });

  test('holds the samples, clipped at full scale', async () => {
    const samples = new Float32Array([0, 0.5, -0.5, 1, -1, 1.5, -3, Number.NaN]);
    const { bytes } = await written(new WavFile(RATE), [samples]);
    expect(parseWav(bytes).samples).toEqual([
      ...[0, 16384, -16383, 32767, -32767, 32767, -32767, 0],
    ]);
  });

  test('without samples is still a file', async () => {
    const { bytes } = await written(new WavFile(RATE), [new Float32Array(0)]);
    expect(parseWav(bytes)).toMatchObject({ dataBytes: 0, samples: [] });
  });
});

describe.each([16_000, 22_050, 24_000, 44_100])('an MP3 file at %i Hz', (rate) => {
  test('consists of frames without a gap', async () => {
    const { bytes } = await written(
      await Mp3File.open(lame, rate),
      [piece(1, rate), piece(1, rate)],
      rate,
    );
    const frames = mp3Frames(bytes);
    expect(
      frames.every(
        ({ sampleRate, kbps, channels }) => sampleRate === rate && kbps === 64 && channels === 1,
      ),
    ).toBe(true);
    const samples = (frames.length - 1) * (frames[0]?.samples ?? 0);
    expect(samples).toBeGreaterThanOrEqual(2 * rate);
    expect(samples).toBeLessThan(2 * rate + 4 * 1152);
  });

  test('says its length and padding if it has one piece, and nothing if it has several', async () => {
    const { bytes, header } = await written(await Mp3File.open(lame, rate), [piece(1, rate)], rate);
    const frames = mp3Frames(bytes);
    const info = infoOf(bytes);
    expect(info).toMatchObject({ frames: frames.length - 1, bytes: bytes.length, delay: 576 });
    const spf = frames[0]?.samples ?? 0;
    expect((frames.length - 1) * spf - 576 - (info?.padding ?? 0)).toBe(rate);
    expect(bytes.subarray(0, header.length)).toEqual(Buffer.from(header));

    const streamed = await written(
      await Mp3File.open(lame, rate),
      [piece(1, rate), piece(1, rate)],
      rate,
    );
    expect(infoOf(streamed.bytes)).toEqual({});
    const whole = Buffer.concat([streamed.header, streamed.bytes.subarray(streamed.header.length)]);
    expect(infoOf(whole)).toMatchObject({
      frames: mp3Frames(whole).length - 1,
      bytes: whole.length,
    });
  });
});

describe.skipIf(!HAS_FFPROBE)('ffprobe agrees with our parsers', () => {
  test.each(['wav', 'mp3'])('on a file that says its length (%s)', async (kind) => {
    const file = kind === 'wav' ? new WavFile(RATE) : await Mp3File.open(lame, RATE);
    const { bytes, header } = await written(file, [piece(1), piece(1)]);
    const { codec, rate, seconds } = probe(Buffer.concat([header, bytes.subarray(header.length)]));
    expect({ codec, rate }).toEqual({ codec: kind === 'wav' ? 'pcm_s16le' : 'mp3', rate: RATE });
    // An MP3 consists of whole frames, including the encoder's delay.
    expect(Math.abs(seconds - 2)).toBeLessThan(0.1);
  });
});

test('MP3 sends the first piece before the second is encoded', async () => {
  const { chunks } = await written(await Mp3File.open(lame, RATE), [piece(1), piece(1)]);
  // 64 kbit/s; the encoder may hold back a few frames.
  expect(chunks[0]?.length).toBeGreaterThan(7_000);
});

test('MP3 has no sample rate of 20,000 Hz', async () => {
  await expect(Mp3File.open(lame, 20_000)).rejects.toThrow('MP3 has no sample rate of 20000 Hz.');
});

test('two MP3 files at the same time do not mix', async () => {
  const alone = await written(await Mp3File.open(lame, RATE), [piece(1)]);
  const [one, other] = await Promise.all([Mp3File.open(lame, RATE), Mp3File.open(lame, RATE)]);
  other.encode(piece(0.3));
  expect((await written(one, [piece(1)])).bytes).toEqual(alone.bytes);
});
