import { Damage } from './damage.ts';
import { FileBlocks } from './file-blocks.ts';
import { FileParts, type FileRange } from './file-parts.ts';
import { FLAC_HEADER, flacHeader, frameSum, type FlacHeader } from './flac-frame.ts';
import type { Link } from './link.ts';

/** So many places that look like a frame's beginning may be in one frame. */
const MOST_OPEN = 4;
/** Bytes of `fLaC`, a block's header and the block that describes the stream; of that block alone. */
const [FILE_HEADER, STREAM_INFO] = [42, 34];
/** Bytes of the tag at the end of some files. */
const ID3V1 = 128;

interface Frame extends FileRange {
  header: FlacHeader;
}

/** A place where a frame may begin, and the sum of what follows it. */
interface Start {
  at: number;
  header: FlacHeader;
  sum: number;
}

/** Frames without a gap. */
interface Run {
  last: Frame;
  parts: FileParts;
  /** The most samples and bytes that a frame has. */
  samples: number;
  bytes: number;
}

/**
 * The parts of a FLAC file without a gap, as FLAC files: damaged frames, and what stands between frames, are left out.
 *
 * @param at - where the file's own header is
 * @returns nothing if no frame has its right sum
 */
export async function* flacLinks(file: Blob, at: number): AsyncGenerator<Link, void, undefined> {
  const info = new Uint8Array(await file.slice(at, at + FILE_HEADER).arrayBuffer());
  let run: Run | undefined;
  for await (const frame of framesOf(new FileBlocks(file))) {
    if (run && !follows(run.last, frame)) {
      yield linkOf(run, info);
      run = undefined;
    }
    run ??= { last: frame, parts: new FileParts(file), samples: 0, bytes: 0 };
    run.last = frame;
    run.samples = Math.max(run.samples, frame.header.samples);
    run.bytes = Math.max(run.bytes, frame.to - frame.from);
    run.parts.add(frame);
  }
  if (run) yield linkOf(run, info);
}

function follows({ header: last, to }: Frame, { header, from }: Frame): boolean {
  const step = header.isVariable ? last.samples : 1;
  return (
    from === to &&
    header.number - last.number === step &&
    header.isVariable === last.isVariable &&
    header.channels === last.channels &&
    header.sampleRate === last.sampleRate &&
    header.bits === last.bits
  );
}

/** Frames whose sum is right. */
async function* framesOf(blocks: FileBlocks): AsyncGenerator<Frame, void, undefined> {
  let open: Start[] = [];
  const damage = new Damage();
  for (let at = 0; at < blocks.size;) {
    const bytes = await blocks.from(at, FLAC_HEADER);
    const header = flacHeader(bytes);
    const isEnd = header !== undefined || at === blocks.size - ID3V1;
    const start = isEnd ? open.find(({ sum }) => sum === 0) : undefined;
    if (start) {
      yield { from: start.at, to: at, header: start.header };
      open = [];
    }
    if (header) open.push({ at, header, sum: 0 });
    if (open.length > MOST_OPEN) {
      damage.count();
      open.shift();
    }
    const length = stepFrom(bytes, at, blocks.size);
    for (const each of open) each.sum = frameSum(bytes.subarray(0, length), each.sum);
    at += length;
  }
  const last = open.find(({ sum }) => sum === 0);
  if (last) yield { from: last.at, to: blocks.size, header: last.header };
}

/** How many bytes are before the next place that could be a frame's beginning or the last one's end. */
function stepFrom(bytes: Uint8Array, at: number, size: number): number {
  // What is at the end of these bytes is looked at again, with what follows it.
  const most = at + bytes.length < size ? bytes.length - FLAC_HEADER : bytes.length;
  const tag = size - ID3V1 - at;
  const until = Math.max(1, tag > 0 ? Math.min(most, tag) : most);
  for (let next = 1; next < until; next++) {
    next = bytes.indexOf(0xff, next);
    if (next < 0) break;
    if (flacHeader(bytes.subarray(next, next + FLAC_HEADER))) return Math.min(next, until);
  }
  return until;
}

/** A FLAC file of these frames. Only the sample rate and width of the file's own header may be needed, and they may lie. */
function linkOf({ last: { header }, parts, samples, bytes }: Run, own: Uint8Array): Link {
  const stated = new DataView(new ArrayBuffer(FILE_HEADER));
  const isRead = own.length === FILE_HEADER && own[0] === 0x66;
  const facts = isRead ? new DataView(own.buffer, own.byteOffset).getUint32(18) : 0;
  const sampleRate = header.sampleRate || facts >>> 12;
  const bits = header.bits || ((facts >> 4) & 31) + 1;
  const most = Math.max(samples, STREAM_INFO);
  stated.setUint32(0, 0x664c_6143);
  stated.setUint32(4, 0x8000_0000 | STREAM_INFO);
  stated.setUint16(8, most);
  stated.setUint16(10, most);
  stated.setUint16(15, bytes >> 8);
  stated.setUint8(17, bytes & 255);
  stated.setUint32(
    18,
    ((sampleRate << 12) | ((header.channels - 1) << 9) | ((bits - 1) << 4)) >>> 0,
  );
  return { file: parts.joined(new Uint8Array(stated.buffer)), unread: undefined };
}
