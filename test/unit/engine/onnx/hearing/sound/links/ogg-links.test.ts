import { AudioSample, CustomAudioDecoder, registerDecoder, type EncodedPacket } from 'mediabunny';
import { describe, expect, test } from 'vitest';
import { oggLinks } from '../../../../../../../src/engine/onnx/hearing/sound/links/ogg-links.ts';
import { Recording } from '../../../../../../../src/engine/onnx/hearing/sound/recording.ts';
import { flac } from '../../../../../../support/sound/flac.ts';
import { ogg, opusFile } from '../../../../../../support/sound/ogg.ts';
import { bytes } from '../../../../../../support/sound/wave.ts';

/** Node has no decoders. This one's samples are the second byte of each packet of 20 ms. */
class PacketDecoder extends CustomAudioDecoder {
  static override supports(codec: string): boolean {
    return codec === 'opus';
  }
  init(): void {}
  decode({ data, timestamp }: EncodedPacket): void {
    const samples = new Float32Array(960).fill((data[1] ?? 0) / 256);
    const options = { format: 'f32-planar', sampleRate: 48_000, numberOfChannels: 1 } as const;
    this.onSample(new AudioSample({ ...options, data: samples, timestamp }));
  }
  flush(): void {}
  close(): void {}
}
registerDecoder(PacketDecoder);

/** What is heard of each 20 ms, in the middle of them. */
async function heard(file: Blob, from = 0): Promise<number[]> {
  const recording = await Recording.open(file, 48_000);
  const samples = await recording.read(from * 960, 1_000_000);
  await recording.close();
  expect(samples.length % 960).toBe(0);
  return Array.from(
    { length: samples.length / 960 },
    (_, at) => (samples[at * 960 + 480] ?? 0) * 256,
  );
}

async function linksOf(file: Uint8Array<ArrayBuffer>): Promise<Uint8Array[]> {
  const links: Uint8Array[] = [];
  for await (const link of oggLinks(new Blob([file]))) {
    links.push(new Uint8Array(await link.file.arrayBuffer()));
  }
  return links;
}

/** More than one block of what is read at once. */
const LONG = Array.from({ length: 40_000 }, (_, at) => at % 256);

describe('an Ogg file of several links is heard to its end', () => {
  test.each([
    ['of different streams', [opusFile([1, 2, 3], 1), opusFile([4, 5], 2), opusFile([6], 3)]],
    ['of streams with the same number', [opusFile([1, 2, 3]), opusFile([4, 5]), opusFile([6])]],
  ])('%s', async (_, links) => {
    expect(await heard(new Blob(links))).toEqual([1, 2, 3, 4, 5, 6]);
    expect(await heard(new Blob(links), 4)).toEqual([5, 6]);
  });

  test('the last one may be cut, also in its header', async () => {
    const [first, second] = [opusFile([1, 2]), opusFile([3, 4], 2)];
    expect(await heard(new Blob([first, second.slice(0, 40)]))).toEqual([1, 2]);
    expect(await heard(new Blob([first, second.slice(0, -20)]))).toEqual([1, 2, 3]);
  });

  test('one link', async () => {
    expect(await heard(new Blob([opusFile([1, 2, 3])]))).toEqual([1, 2, 3]);
  });

  test('long ones, with something between them that does not belong there', async () => {
    const [first, second] = [opusFile(LONG), opusFile([7, 8], 2)];
    const links = await linksOf(bytes([first, 'O OggX', second]));
    expect(links.map(({ length }) => length)).toEqual([first.length, second.length]);
    expect(links).toEqual([first, second]);
  });
});

/** A FLAC file in Ogg: its header, an empty comment, and the rest in pieces. */
function oggFlac(file: Uint8Array): Uint8Array<ArrayBuffer> {
  const head = bytes(['\x7fFLAC', new Uint8Array([1, 0, 0, 1]), file.subarray(0, 42)]);
  const pieces = Array.from({ length: Math.ceil((file.length - 42) / 60_000) }, (_, at) =>
    file.subarray(42 + at * 60_000, 42 + (at + 1) * 60_000),
  );
  return ogg([head, ...pieces], { headers: 1 });
}

test('FLAC in Ogg becomes a FLAC file', async () => {
  const file = new Uint8Array(flac(Int16Array.from({ length: 90_000 }, (_, at) => at % 30_000)));
  const [link] = await linksOf(oggFlac(file));
  // Facts of the stream's description that no decoder needs are left out.
  expect(link?.subarray(42)).toEqual(file.subarray(42));
  expect(link?.subarray(0, 12)).toEqual(file.subarray(0, 12));
  expect(link?.subarray(18, 21)).toEqual(file.subarray(18, 21));
  await expect(Recording.open(new Blob([oggFlac(file)]), 16_000)).rejects.toMatchObject({
    data: { message: "'recording' is encoded as flac, which this browser cannot decode." },
  });
});

test('an encoding that is not read is named', async () => {
  const speex = ogg([bytes(['Speex   1.2']), bytes(['x']), bytes(['y'])]);
  await expect(Recording.open(new Blob([speex]), 16_000)).rejects.toMatchObject({
    data: {
      status: 400,
      message: expect.stringContaining('is encoded as Speex, which is not read'),
    },
  });
});

test('an Ogg file that ends anywhere in its headers is a 400', async () => {
  const whole = new Blob([opusFile([1, 2])]);
  for (let size = 1; size < 90; size++) {
    await expect(heard(whole.slice(0, size)), `${size}`).rejects.toMatchObject({
      data: { status: 400, fault: { part: 'recording' } },
    });
  }
});
