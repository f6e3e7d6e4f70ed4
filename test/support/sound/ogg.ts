import { bytes } from './wave.ts';

/** CRC of a page of Ogg. */
function crc(all: Uint8Array): number {
  let sum = 0;
  for (const byte of all) {
    sum ^= byte << 24;
    for (let bit = 0; bit < 8; bit++) sum = sum & 0x8000_0000 ? (sum << 1) ^ 0x04c1_1db7 : sum << 1;
  }
  return sum >>> 0;
}

/** A page with one packet of at most 65,000 bytes. @param flags - 2: the stream's first page, 4: its last one */
function page(
  packet: Uint8Array,
  { serial, sequence, flags, granule }: Record<'serial' | 'sequence' | 'flags' | 'granule', number>,
): Uint8Array<ArrayBuffer> {
  const sizes = new Uint8Array(Math.floor(packet.length / 255) + 1).fill(255);
  sizes[sizes.length - 1] = packet.length % 255;
  const rest = [new Uint8Array([sizes.length]), sizes, packet];
  const head = ['OggS', new Uint8Array([0, flags]), { u64: granule }, { u32: serial }];
  const made = (sum: number) => bytes([...head, { u32: sequence }, { u32: sum }, ...rest]);
  return made(crc(made(0)));
}

/** An Ogg file of one stream, each packet in a page of its own. @param step - samples of each page after `headers` */
export function ogg(
  packets: readonly Uint8Array[],
  {
    serial = 1,
    headers = 2,
    step = 960,
  }: { serial?: number; headers?: number; step?: number } = {},
): Uint8Array<ArrayBuffer> {
  const last = packets.length - 1;
  const pages = packets.map((packet, sequence) => {
    const flags = (sequence === 0 ? 2 : 0) + (sequence === last ? 4 : 0);
    const granule = Math.max(0, sequence - headers + 1) * step;
    return page(packet, { serial, sequence, flags, granule });
  });
  return bytes(pages);
}

/** A file of Opus, without pre-skip. Its packets of 20 ms hold what is given after their first byte. */
export function opusFile(sounds: readonly number[], serial = 1): Uint8Array<ArrayBuffer> {
  const mono = new Uint8Array([1, 1]);
  const head = bytes([
    'OpusHead',
    mono,
    { u16: 0 },
    { u32: 48_000 },
    { u16: 0 },
    new Uint8Array(1),
  ]);
  const tags = bytes(['OpusTags', { u32: 0 }, { u32: 0 }]);
  // Configuration 31 in its upper five bits: 20 ms in one frame.
  const packets = sounds.map((sound) => new Uint8Array([31 << 3, sound]));
  return ogg([head, tags, ...packets], { serial });
}
