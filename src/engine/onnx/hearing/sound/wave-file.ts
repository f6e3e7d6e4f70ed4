import { jobFault } from '../../../../core/errors/errors.ts';
import { lawDecoder, pcmScale, sampleReader, type PcmFormat } from './pcm.ts';
import type { Sound } from './resampled.ts';

/** WAV files by their first four bytes. RF64 and BW64 may have more than 4 GiB; RIFX is big-endian. */
const KINDS = ['RIFF', 'RIFX', 'RF64', 'BW64'];
/** A size that is not known yet, or stands elsewhere. */
const UNKNOWN = 0xffff_ffff;
/** More chunks than these are not looked at. */
const MOST_CHUNKS = 10_000;
/** The longest `fmt ` and `ds64` chunks that have something to say. */
const MOST_HEADER = 64;
/** How far the next chunk is searched for behind one whose size is wrong. */
const MOST_SKIPPED = 1 << 16;
/** How much is read at once. */
const PIECE_BYTES = 1 << 18;

/** Bytes of a sample. */
const WIDTHS = [1, 2, 3, 4, 8];

const PCM = 1;
const FLOAT = 3;
const A_LAW = 6;
const MU_LAW = 7;
const EXTENSIBLE = 0xfffe;

/** Encodings that are not read, by their tag in the header. */
const OTHERS: Record<number, string> = {
  0x02: 'Microsoft ADPCM',
  0x11: 'IMA ADPCM',
  0x14: 'G.723 ADPCM',
  0x16: 'G.723.1',
  0x20: 'Yamaha ADPCM',
  0x22: 'TrueSpeech',
  0x31: 'GSM 6.10',
  0x40: 'G.721 ADPCM',
  0x42: 'G.723.1',
  0x45: 'G.726 ADPCM',
  0x50: 'MPEG audio',
  0x55: 'MP3',
  0x64: 'G.726 ADPCM',
  0x65: 'G.722 ADPCM',
  0x83: 'G.729',
  0x85: 'G.726 ADPCM',
  0xff: 'AAC',
  0x161: 'Windows Media Audio',
  0x162: 'Windows Media Audio',
  0x163: 'Windows Media Audio',
  0x1600: 'AAC',
  0x1610: 'AAC',
  0x2000: 'AC-3',
  0x2001: 'DTS',
  0x674f: 'Vorbis',
  0x704f: 'Opus',
  0xa109: 'Speex',
  0xf1ac: 'FLAC',
};

interface Chunk {
  id: string;
  /** Where its content begins, and how long it is; never beyond the file. */
  at: number;
  size: number;
}

/** A WAV file of uncompressed samples. */
export interface WaveFile {
  format: PcmFormat;
  /** The samples, of all `data` chunks. */
  data: Blob;
}

/**
 * Reads the header of a WAV file. Sizes that were never filled in reach to the end of the file.
 *
 * @returns undefined if it is no WAV file
 * @throws ApiError 400 if its samples cannot be read
 */
export async function openWave(file: Blob): Promise<WaveFile | undefined> {
  const kind = await textAt(file, 0);
  if (!KINDS.includes(kind) || (await textAt(file, 8)) !== 'WAVE') return undefined;
  const isLittle = kind !== 'RIFX';
  const chunks = await chunksOf(file, isLittle);
  const header = chunks.find(({ id }) => id === 'fmt ');
  const data = chunks.filter(({ id }) => id === 'data');
  if (!header || header.size < 14) {
    throw jobFault('recording', 'is a WAV file that does not state the format of its samples.');
  }
  const samples = new Blob(data.map(({ at, size }) => file.slice(at, at + size)));
  const format = readFormat(await viewOf(file, header.at, MOST_HEADER, header.size), isLittle);
  if (samples.size < format.frameBytes) throw jobFault('recording', 'has no sound.');
  const middle = Math.floor(samples.size / 2 / format.frameBytes) * format.frameBytes;
  const sample = await viewOf(samples, middle, PIECE_BYTES);
  return { format: { ...format, scale: pcmScale(format, sample) }, data: samples };
}

/** The sound of a WAV file from a place on. */
export async function* waveSounds(
  { format, data }: WaveFile,
  from: number,
): AsyncGenerator<Sound, void, undefined> {
  const { sampleRate, frameBytes, channels } = format;
  const read = sampleReader(format);
  const pieceBytes = Math.max(1, Math.floor(PIECE_BYTES / frameBytes)) * frameBytes;
  const end = Math.floor(data.size / frameBytes) * frameBytes;
  for (let at = Math.floor(from * sampleRate) * frameBytes; at < end; at += pieceBytes) {
    const view = await viewOf(data, at, Math.min(pieceBytes, end - at));
    const samples = new Float32Array(view.byteLength / frameBytes);
    for (let frame = 0; frame < samples.length; frame++) {
      let sum = 0;
      for (let channel = 0; channel < channels; channel++) sum += read(view, frame, channel);
      samples[frame] = sum / channels;
    }
    yield { samples, sampleRate, at: at / frameBytes / sampleRate };
  }
}

async function chunksOf(file: Blob, isLittle: boolean): Promise<Chunk[]> {
  const chunks: Chunk[] = [];
  /** The size of the samples in an RF64 file. */
  let long: number | undefined;
  for (let at = 12; at + 8 <= file.size && chunks.length < MOST_CHUNKS;) {
    const id = await textAt(file, at);
    let size = (await viewOf(file, at + 4, 4)).getUint32(0, isLittle);
    const left = file.size - at - 8;
    if (id === 'data' && size === UNKNOWN && long !== undefined) size = long;
    if (id === 'data' && size === 0 && !(await isChunk(file, at + 8, isLittle))) size = left;
    if (id !== 'data' && size > left) size = await bytesBefore(file, at + 8);
    size = Math.min(size, left);
    chunks.push({ id, at: at + 8, size });
    if (id === 'ds64' && size >= 16) {
      long = Number((await viewOf(file, at + 16, 8)).getBigUint64(0, isLittle));
    }
    at += 8 + size;
    // A chunk of an odd size is followed by one byte of nothing, but not all programs write it.
    if (size % 2 === 1 && !(await isChunk(file, at, isLittle))) at++;
  }
  return chunks;
}

/** How many bytes stand before the format or the samples; all if neither comes soon. */
async function bytesBefore(file: Blob, at: number): Promise<number> {
  const { buffer } = await viewOf(file, at, MOST_SKIPPED);
  const found = new TextDecoder('latin1').decode(buffer).search(/fmt |data/);
  return found < 0 ? file.size - at : found;
}

/** Whether there is something that looks like a chunk, and no sound. */
async function isChunk(file: Blob, at: number, isLittle: boolean): Promise<boolean> {
  if (at + 8 > file.size) return false;
  const size = (await viewOf(file, at + 4, 4)).getUint32(0, isLittle);
  return /^[\x20-\x7e]{4}$/.test(await textAt(file, at)) && at + 8 + size <= file.size;
}

function readFormat(view: DataView, isLittle: boolean): Omit<PcmFormat, 'scale'> {
  const word = (at: number) => (at + 2 <= view.byteLength ? view.getUint16(at, isLittle) : 0);
  const isExtensible = word(0) === EXTENSIBLE && view.byteLength >= 26;
  // A header that ends before the extension tells nothing else.
  const tag = isExtensible ? word(24) : word(0) === EXTENSIBLE ? PCM : word(0);
  const channels = word(2);
  const sampleRate = view.getUint32(4, isLittle);
  if (channels === 0) throw jobFault('recording', 'is a WAV file without channels.');
  const stated = word(14);
  const least = Math.ceil(stated / 8);
  // A width that no sample has is a mistake.
  const stride = WIDTHS.find((each) => each * channels === word(12) && each >= least);
  const isLinear = tag === PCM || tag === FLOAT;
  const bytes =
    stride ?? (stated > 0 && isLinear ? least : Math.max(Math.floor(word(12) / channels), least));
  const bits = (isExtensible && word(18)) || stated || 8 * bytes;
  const format = { sampleRate, channels, bytes, bits: Math.min(bits, 8 * bytes), isLittle };
  const facts = { ...format, frameBytes: bytes * channels };
  if (tag === PCM && WIDTHS.includes(bytes)) return { ...facts, kind: 'integer' };
  if (tag === FLOAT && [4, 8].includes(bytes)) return { ...facts, kind: 'float' };
  if (tag === A_LAW || tag === MU_LAW) {
    const kind = lawDecoder(tag === A_LAW ? 'A' : 'µ');
    return { ...facts, bytes: 1, bits: 8, frameBytes: channels, kind };
  }
  const width = `${bits} bits in ${bytes} bytes`;
  const own = tag === PCM ? 'samples' : tag === FLOAT ? 'floating-point numbers' : undefined;
  const name =
    own === undefined
      ? (OTHERS[tag] ?? `the encoding 0x${tag.toString(16)}`)
      : `${own} of ${width}`;
  const advice = 'Convert it to 16-bit samples, MP3 or FLAC.';
  throw jobFault('recording', `is a WAV file with ${name}, which is not read. ${advice}`);
}

async function textAt(file: Blob, at: number): Promise<string> {
  const { buffer, byteLength } = await viewOf(file, at, 4);
  return String.fromCharCode(...new Uint8Array(buffer, 0, byteLength));
}

/** The bytes from a place on: at most `most`, and none beyond `size`. */
async function viewOf(
  file: Blob,
  at: number,
  most: number,
  size = most,
): Promise<DataView<ArrayBuffer>> {
  return new DataView(await file.slice(at, at + Math.min(most, size)).arrayBuffer());
}
