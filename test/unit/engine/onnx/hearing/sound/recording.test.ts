import { expect, test } from 'vitest';
import { Recording } from '../../../../../../src/engine/onnx/hearing/sound/recording.ts';

/** A WAV file of 16-bit samples. */
function wav(channels: number[][], sampleRate: number): Blob {
  const frames = channels[0]?.length ?? 0;
  const data = new DataView(new ArrayBuffer(44 + frames * channels.length * 2));
  const text = (at: number, value: string) => {
    for (const [index, byte] of new TextEncoder().encode(value).entries()) {
      data.setUint8(at + index, byte);
    }
  };
  text(0, 'RIFF');
  data.setUint32(4, data.byteLength - 8, true);
  text(8, 'WAVEfmt ');
  data.setUint32(16, 16, true);
  data.setUint16(20, 1, true);
  data.setUint16(22, channels.length, true);
  data.setUint32(24, sampleRate, true);
  data.setUint32(28, sampleRate * channels.length * 2, true);
  data.setUint16(32, channels.length * 2, true);
  data.setUint16(34, 16, true);
  text(36, 'data');
  data.setUint32(40, data.byteLength - 44, true);
  for (let frame = 0; frame < frames; frame++) {
    for (const [channel, samples] of channels.entries()) {
      const at = 44 + (frame * channels.length + channel) * 2;
      data.setInt16(at, (samples[frame] ?? 0) * 32_768, true);
    }
  }
  return new Blob([data]);
}

/** Each sample is its place, as 16 bits hold it. */
const ramp = (length: number) => Array.from({ length }, (_, index) => index / 32_768);

test('is read from any place on, in order or not', async () => {
  const recording = await Recording.open(wav([ramp(30_000)], 16_000), 16_000);
  const at = async (from: number, count: number) => {
    const samples = await recording.read(from, count);
    return [samples.length, Math.round((samples[0] ?? -1) * 32_768)];
  };
  expect(await at(0, 1000)).toEqual([1000, 0]);
  expect(await at(700, 5000)).toEqual([5000, 700]);
  expect(await at(12_000, 16_000)).toEqual([16_000, 12_000]);
  expect(await at(10_000, 3)).toEqual([3, 10_000]);
  expect(await at(29_000, 5000)).toEqual([1000, 29_000]);
  expect((await recording.read(30_000, 10)).length).toBe(0);
  await recording.close();
});

test('all channels become one, at the wanted rate', async () => {
  const left = Array.from({ length: 48_000 }, () => 0.5);
  const right = Array.from({ length: 48_000 }, () => -0.25);
  const recording = await Recording.open(wav([left, right], 48_000), 16_000);
  const samples = await recording.read(0, 100_000);
  expect(Math.abs(samples.length - 16_000)).toBeLessThan(3);
  expect(samples[8_000]).toBeCloseTo(0.125, 3);
  await recording.close();
});

test.each([
  ['empty', new Blob([])],
  ['no recording', new Blob(['<!doctype html>'])],
  ['cut in its header', wav([ramp(100)], 16_000).slice(0, 20)],
])('a file that is %s is the fault of the request', async (_, file) => {
  await expect(Recording.open(file, 16_000)).rejects.toMatchObject({
    data: { status: 400, fault: { part: 'recording' } },
  });
});

test.each([
  ['AIFF', 'FORM\0\0\x10\0AIFFCOMM'],
  ['AVI', 'RIFF\0\0\x10\0AVI LIST'],
  ['AU', '.snd\0\0\0\x18'],
  ['CAF', 'caff\0\x01\0\0'],
  ['AMR', '#!AMR\n'],
  ['WMA', '\x30\x26\xb2\x75\x8e\x66\xcf\x11\xa6\xd9'],
  ['Wave64', 'riff\x2e\x91\xcf\x11\xa5\xd6'],
  ['M3U playlist', '#EXTM3U\n#EXTINF:1,\nhttps://example.com/a.ts\n'],
])('a file of a format that is not read is a 400 that names it: %s', async (name, beginning) => {
  const bytes = Uint8Array.from(beginning.padEnd(4_000, '\0'), (letter) => letter.charCodeAt(0));
  const known = 'WAV, MP3, MP4, WebM, Ogg and FLAC are read.';
  await expect(Recording.open(new Blob([bytes]), 16_000)).rejects.toMatchObject({
    data: { status: 400, message: `'recording' is a file of the format ${name}: ${known}` },
  });
});
