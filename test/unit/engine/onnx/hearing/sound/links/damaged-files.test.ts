import { readFileSync } from 'node:fs';
import { AudioSample, CustomAudioDecoder, registerDecoder, type EncodedPacket } from 'mediabunny';
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../../../../../../scripts/seeded-random.ts';
import { ApiError } from '../../../../../../../src/core/errors/errors.ts';
import { Recording } from '../../../../../../../src/engine/onnx/hearing/sound/recording.ts';
import { flac } from '../../../../../../support/sound/flac.ts';
import { id3, mp3, mp3Frame, xing } from '../../../../../../support/sound/mp3.ts';
import { ogg, opusFile } from '../../../../../../support/sound/ogg.ts';
import { bytes } from '../../../../../../support/sound/wave.ts';

/** How many files are tried of each format; `FUZZ_RUNS` asks for more. */
const RUNS = Number(process.env.FUZZ_RUNS ?? 120);
const SEED = Number(process.env.FUZZ_SEED ?? 1);

let packets: Uint8Array[] = [];

/** Node has no decoders. This one keeps what it would decode. */
class KeepingDecoder extends CustomAudioDecoder {
  static override supports(): boolean {
    return true;
  }
  init(): void {}
  decode({ data, timestamp }: EncodedPacket): void {
    packets.push(data);
    const options = { format: 'f32-planar', sampleRate: 16_000, numberOfChannels: 1 } as const;
    this.onSample(new AudioSample({ ...options, data: new Float32Array(16), timestamp }));
  }
  flush(): void {}
  close(): void {}
}
registerDecoder(KeepingDecoder);

/** What reaches the decoder of a file. */
async function decoded(file: Uint8Array<ArrayBuffer>): Promise<Uint8Array[]> {
  packets = [];
  const recording = await Recording.open(new Blob([file]), 16_000);
  await recording.read(0, 10_000_000);
  await recording.close();
  return packets;
}

interface Format {
  file: Uint8Array<ArrayBuffer>;
  /** What a packet is known by. */
  name: (packet: Uint8Array) => string;
  /** Packets that garbage beside them may take along. */
  besides: number;
  /** What is damaged is known by its sum. */
  hasSums: boolean;
}

const SOUNDS = Array.from({ length: 24 }, (_, at) => at + 10);
const whole = (packet: Uint8Array) => packet.join();
const marked = (packet: Uint8Array) => `${packet[50]}`;
const samples = Int16Array.from(
  { length: 8 * 4_096 },
  (_, at) => (at % 97) * (10 + Math.floor(at / 4_096)),
);
const flacFile = new Uint8Array(flac(samples));
const FLAC_HEAD = bytes(['\x7fFLAC', new Uint8Array([1, 0, 0, 1]), flacFile.subarray(0, 42)]);
const FLAC_FRAME = (flacFile.length - 42) / 8;
const flacFrame = (at: number) => flacFile.slice(42 + at * FLAC_FRAME, 42 + (at + 1) * FLAC_FRAME);

const FORMATS: Record<string, Format> = {
  MP3: { file: mp3(SOUNDS), name: marked, besides: 1, hasSums: false },
  'MP3 of MPEG-2': {
    file: mp3(SOUNDS, { version: 2, mode: 1 }),
    name: marked,
    besides: 1,
    hasSums: false,
  },
  FLAC: { file: flacFile, name: whole, besides: 1, hasSums: true },
  'FLAC in Ogg': {
    file: ogg([FLAC_HEAD, ...SOUNDS.slice(0, 8).map((_, at) => flacFrame(at))], { headers: 1 }),
    name: whole,
    besides: 1,
    hasSums: true,
  },
  Opus: { file: opusFile(SOUNDS), name: whole, besides: 0, hasSums: true },
  Vorbis: {
    file: new Uint8Array(
      readFileSync(new URL('../../../../../../fixtures/sounds/vorbis.ogg', import.meta.url)),
    ),
    name: whole,
    besides: 0,
    hasSums: true,
  },
};

/** Where packets are in a file, in order; undefined where one is not in one piece. */
function placesOf(file: Uint8Array, all: readonly Uint8Array[]): (number | undefined)[] {
  const text = Buffer.from(file).toString('latin1');
  // Headers are in the first two pages of an Ogg file.
  let from = text.startsWith('Ogg') ? text.indexOf('OggS', text.indexOf('OggS', 1) + 1) : 0;
  return all.map((packet) => {
    const at = text.indexOf(Buffer.from(packet).toString('latin1'), from);
    if (at >= 0) from = at + packet.length;
    return at < 0 ? undefined : at;
  });
}

function join(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.concat(parts));
}

interface Damage {
  file: Uint8Array<ArrayBuffer>;
  /** The part of the right file that was touched. */
  from: number;
  to: number;
}

/** Puts garbage into a file, over a part of it, or takes a part out of it, behind its first bytes. */
function damage(file: Uint8Array, head: number, random: () => number): Damage {
  const upTo = (most: number) => Math.floor(random() * most);
  const from = head + upTo(file.length - head);
  const length = 1 + upTo([4, 60, 3_000][upTo(3)] ?? 1);
  const garbage = Uint8Array.from({ length }, () => upTo(256));
  const to = [from, Math.min(file.length, from + length)][upTo(2)] ?? from;
  const filling = to === from || random() < 0.6 ? garbage.subarray(0, to - from || length) : [];
  const filled = new Uint8Array(filling);
  return { file: join([file.subarray(0, from), filled, file.subarray(to)]), from, to };
}

/** Behind the headers, in whose page there may be a packet. */
function headOf(file: Uint8Array, packet: number): number {
  const page = Buffer.from(file).indexOf('OggS', packet);
  return page < 0 ? packet : page;
}

/** Whether one list is a part of the other, in order. */
function isWithin(part: readonly string[], all: readonly string[]): boolean {
  let at = 0;
  for (const each of part) {
    at = all.indexOf(each, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

describe.each(Object.entries(FORMATS))('%s', (_, { file, name, besides, hasSums }) => {
  test(
    `of a damaged file, all that is whole is heard: ${RUNS} of them`,
    { timeout: 600_000 },
    async () => {
      const all = await decoded(file);
      const names = all.map(name);
      const places = placesOf(file, all);
      const ends = all.map(({ length }, at) => (places[at] ?? 0) + length);
      const head = headOf(file, (places.find((place) => place !== undefined) ?? 0) + 1);
      const random = seededRandom(SEED);
      for (let run = 0; run < RUNS; run++) {
        const { file: damaged, from, to } = damage(file, head, random);
        const heard = (await decoded(damaged)).map(name);
        // A page of Ogg is as long as 65 kB: what else is in it is lost with a packet.
        const near = hasSums && besides === 0 ? 4_500 : 0;
        const before = ends.filter((end) => end <= from - near).length - besides;
        const after =
          places.filter((place) => place !== undefined && place >= to + near).length - besides;
        const hasBefore = isWithin(names.slice(0, Math.max(0, before)), heard);
        const hasAfter = after <= 0 || isWithin(names.slice(-after), heard);
        expect({ run, hasBefore, hasAfter }).toEqual({ run, hasBefore: true, hasAfter: true });
        if (hasSums) expect({ run, within: isWithin(heard, names) }).toEqual({ run, within: true });
      }
    },
  );

  test(
    `what is damaged anywhere is never more than a 400: ${RUNS} files`,
    { timeout: 600_000 },
    async () => {
      const random = seededRandom(SEED + 1);
      for (let run = 0; run < RUNS; run++) {
        let damaged = file.subarray(0, Math.floor(file.length * (random() < 0.3 ? random() : 1)));
        for (let times = 1 + random() * 6; times > 0; times--)
          damaged = damage(damaged, 0, random).file;
        const error: unknown = await decoded(damaged).catch((reason: unknown) => reason);
        if (!(error instanceof ApiError)) expect(error).toBeInstanceOf(Array);
        else expect(error.data).toMatchObject({ status: 400, fault: { part: 'recording' } });
      }
    },
  );
});

/** Bytes in which nothing begins. */
const garbage = (length: number, seed: number) => {
  const random = seededRandom(seed);
  return Uint8Array.from({ length }, () => Math.floor(random() * 256));
};
const [first, second] = [SOUNDS.slice(0, 12), SOUNDS.slice(12)];

test.each([
  ['ID3v2.2', [id3(new Uint8Array(20), { version: 2 }), mp3(SOUNDS)]],
  ['ID3v2.4 with a footer', [id3(new Uint8Array(20), { flags: 16, version: 4 }), mp3(SOUNDS)]],
  ['ID3v2 twice', [id3(new Uint8Array(20)), id3(garbage(3_000, 1)), mp3(SOUNDS)]],
  ['ID3v2 that states more than the file', [id3(new Uint8Array(20), { size: 1e6 }), mp3(SOUNDS)]],
  ['ID3v2 that states too much', [id3(new Uint8Array(20), { size: 1_000 }), mp3(SOUNDS)]],
  ['ID3v2 that states too little', [id3(garbage(9_000, 2), { size: 30 }), mp3(SOUNDS)]],
  ['zeros behind ID3v2', [id3(new Uint8Array(20)), new Uint8Array(8_000), mp3(SOUNDS)]],
  ['ID3v2 with a picture between files', [mp3(first), id3(garbage(30_000, 3)), mp3(second)]],
  ['ID3v1', [mp3(SOUNDS), bytes(['TAG', new Uint8Array(125).fill(255)])]],
  ['ID3v1 between files', [mp3(first), bytes(['TAG', new Uint8Array(125)]), mp3(second)]],
  ['an APE tag', [mp3(SOUNDS), bytes(['APETAGEX', { u32: 2_000 }, { u32: 40 }, garbage(60, 4)])]],
  ['Xing that states one frame', [xing(1, 417), mp3(SOUNDS)]],
  ['Xing that states too many', [xing(2 ** 32 - 1, 2 ** 32 - 1), mp3(SOUNDS)]],
  ['Info between files', [mp3(first), xing(1, 417, 'Info'), mp3(second)]],
  ['garbage at the beginning', [garbage(5_000, 5), mp3(SOUNDS)]],
  ['two channels from the middle on', [mp3(first), mp3(second, { mode: 0 })]],
  ['one channel from the middle on', [mp3(first, { mode: 1 }), mp3(second)]],
  [
    'stereo and joint stereo by turns',
    SOUNDS.map((sound, at) => mp3Frame(sound, { mode: at % 2 })),
  ],
  ['another sample rate from the middle on', [mp3(first), mp3(second, { rate: 1 })]],
  ['MPEG-2 from the middle on', [mp3(first), mp3(second, { version: 2 })]],
  ['MPEG-2.5', [mp3(SOUNDS, { version: 0 })]],
  ['frames of all sizes', SOUNDS.map((sound) => mp3Frame(sound, { bitRate: 1 + (sound % 14) }))],
  [
    'frames that are a byte too short',
    [...SOUNDS.map((sound) => mp3Frame(sound).subarray(0, -1)), new Uint8Array(1)],
  ],
  [
    'garbage between all frames but three',
    SOUNDS.flatMap((sound) => [mp3Frame(sound), new Uint8Array(sound < 13 ? 0 : sound)]),
  ],
])('an MP3 file is heard whole with %s', async (_, parts) => {
  const heard = (await decoded(join(parts))).map(({ 50: sound }) => sound);
  expect(heard).toEqual(SOUNDS);
});

test.each([1, 2, 3])('an MP3 file of %d frames', async (count) => {
  expect(await decoded(mp3(SOUNDS.slice(0, count)))).toHaveLength(count);
});

test.each([{}, { version: 2, mode: 0 }])('MP3 of a free bit rate is named: %o', async (format) => {
  const message =
    "'recording' is encoded as MP3 of a free bit rate, which is not read. Convert it to Opus, Vorbis or FLAC.";
  await expect(decoded(mp3(SOUNDS, { ...format, bitRate: 0 }))).rejects.toMatchObject({
    data: { status: 400, message },
  });
});

const changed = (at: number, values: readonly number[]) => {
  const file = flacFile.slice();
  file.set(values, at);
  return file;
};

test.each([
  ['that states the smallest blocks', changed(8, [0, 16, 0, 16])],
  ['that states tiny frames', changed(12, [0, 0, 14, 0, 0, 15])],
  ['that states huge frames', changed(12, [255, 255, 255, 255, 255, 255])],
  ['that states another sample rate and eight channels', changed(18, [0x0b, 0xb8, 0x0e, 0xf0])],
  ['that states one sample', changed(21, [0xf0, 0, 0, 0, 1])],
  ['with a block of an impossible size', changed(5, [255, 255, 255])],
  ['without a last block', changed(4, [0])],
  ['behind ID3v2', join([id3(garbage(3_000, 6)), flacFile])],
  ['before ID3v1', join([flacFile, bytes(['TAG', new Uint8Array(125).fill(1)])])],
  ['before zeros', join([flacFile, new Uint8Array(9_000)])],
])('a FLAC file is heard whole %s', async (_, file) => {
  // What follows the last frame does not matter to a decoder.
  const start = (packet: Uint8Array) => whole(packet.subarray(0, FLAC_FRAME));
  expect((await decoded(file)).map(start)).toEqual((await decoded(flacFile)).map(start));
});

test('FLAC files one after another, with garbage between them', async () => {
  const right = (await decoded(flacFile)).map(whole);
  const heard = await decoded(join([flacFile, flacFile, flacFile.subarray(0, 42), flacFile]));
  expect(heard.map(whole).filter((each) => each === right[0])).toHaveLength(3);
  expect(heard.length).toBeGreaterThan(20);
});

test.each([
  ['MP3', mp3Frame(1), [0xff, 0xfb, 0x52, 0xc0, 0]],
  ['FLAC', flacFile, [...flacFile.subarray(42, 50)]],
  ['Ogg', opusFile(SOUNDS), [0x4f, 0x67, 0x67, 0x53]],
])('%s that is nothing but beginnings ends soon', async (_, file, beginning) => {
  const many = new Uint8Array(2_000_000).map((__, at) => beginning[at % beginning.length] ?? 0);
  const message = "'recording' is damaged in more than 20000 places.";
  await expect(decoded(join([file, many]))).rejects.toMatchObject({
    data: { status: 400, message },
  });
});
