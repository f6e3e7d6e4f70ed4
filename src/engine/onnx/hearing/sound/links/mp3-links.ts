import { Damage } from './damage.ts';
import { FileBlocks } from './file-blocks.ts';
import { FileParts, type FileRange } from './file-parts.ts';
import type { Link } from './link.ts';
import { LONGEST_FRAME, MP3_HEADER, mp3Header, type Mp3Header } from './mp3-frame.ts';
import { isTag, tagBytes } from './mp3-tags.ts';

/** How far the first frame is searched, behind a tag. */
const MOST_SEARCHED = 1 << 20;
/** How far the next frame of a free bit rate is searched. */
const LONGEST_FREE = 8_192;
/** The index of a bit rate for which every frame has place for what `infoFrame` writes. */
const MIDDLE_RATE = 9;

interface Frame extends FileRange {
  header: Mp3Header;
  /** The bytes of its header. */
  head: Uint8Array<ArrayBuffer>;
}

/**
 * The parts of an MP3 file that one decoder can read: another one is needed where the number of channels or the sample
 * rate changes. Tags and garbage between frames are left out.
 *
 * @returns nothing if there are no frames
 */
export async function* mp3Links(file: Blob): AsyncGenerator<Link, void, undefined> {
  const blocks = new FileBlocks(file);
  let link: { first: Frame; parts: FileParts } | undefined;
  for await (const frame of framesOf(blocks)) {
    if (link && link.first.header.stream !== frame.header.stream) {
      yield { file: link.parts.joined(infoFrame(link.first)), unread: undefined };
      link = undefined;
    }
    link ??= { first: frame, parts: new FileParts(file) };
    link.parts.add(frame);
  }
  if (link) yield { file: link.parts.joined(infoFrame(link.first)), unread: undefined };
  else if (await hasFreeBitRate(blocks)) yield { file, unread: 'MP3 of a free bit rate' };
}

async function* framesOf(blocks: FileBlocks): AsyncGenerator<Frame, void, undefined> {
  /** The stream of the last frame, and where the next one should begin. */
  let last: { stream: number; next: number } | undefined;
  const damage = new Damage();
  for (let at = 0, until = MOST_SEARCHED; at + MP3_HEADER <= blocks.size && (last || at < until);) {
    const bytes = await blocks.from(at, LONGEST_FRAME);
    const header = mp3Header(bytes);
    const to = at + (header?.size ?? blocks.size);
    const isNext = last?.next === at && last.stream === header?.stream;
    if (header && to <= blocks.size && (isNext || (await isFrame(blocks, at, last?.stream)))) {
      yield { from: at, to, header, head: bytes.slice(0, MP3_HEADER) };
      at = await endOf(blocks, to);
      last = { stream: header.stream, next: at };
      continue;
    }
    if (header) damage.count();
    const tag = await wholeTag(blocks, at);
    if (tag > 0) until = at + tag + MOST_SEARCHED;
    at += tag || nextMark(bytes);
  }
}

/** Whether a frame begins here, and not just something that looks like its header. */
async function isFrame(blocks: FileBlocks, at: number, stream?: number): Promise<boolean> {
  if (await beginsChain(blocks, at)) return true;
  // Garbage may stand between all frames. If a chain begins in this one, it is garbage itself.
  const bytes = await blocks.from(at, LONGEST_FRAME);
  const header = mp3Header(bytes);
  if (header?.size === undefined || header.stream !== stream) return false;
  for (let inside = nextMark(bytes); inside < header.size;) {
    if (await beginsChain(blocks, at + inside)) return false;
    inside += nextMark(bytes.subarray(inside));
  }
  return true;
}

/** Whether two more frames follow, or the end of the file. */
async function beginsChain(blocks: FileBlocks, from: number): Promise<boolean> {
  let stream: number | undefined;
  for (let at = from, count = 0; count < 3; count++) {
    const bytes = await blocks.from(at, LONGEST_FRAME);
    if (count > 0 && (bytes.length < MP3_HEADER || isTag(bytes))) return true;
    const header = mp3Header(bytes);
    if (header?.size === undefined) return false;
    if (!isAlike(header.stream, stream ?? header.stream)) return false;
    stream = header.stream;
    at = await endOf(blocks, at + header.size);
  }
  return true;
}

/** A mono frame may follow one of two channels. */
function isAlike(stream: number, other: number): boolean {
  return stream >>> 1 === other >>> 1;
}

/** Where a frame ends: some are a byte shorter than their header states. */
async function endOf(blocks: FileBlocks, to: number): Promise<number> {
  if (to > blocks.size || mp3Header(await blocks.from(to, MP3_HEADER))) return to;
  return mp3Header(await blocks.from(to - 1, MP3_HEADER)) ? to - 1 : to;
}

/** How many bytes the tag has that begins here. If there is no tag, or nothing known follows it, 0. */
async function wholeTag(blocks: FileBlocks, at: number): Promise<number> {
  const size = tagBytes(await blocks.from(at, LONGEST_FRAME));
  if (size === 0 || at + size > blocks.size) return 0;
  const rest = await blocks.from(at + size, LONGEST_FRAME);
  return rest.length < MP3_HEADER || mp3Header(rest) || isTag(rest) ? size : 0;
}

/** How many bytes are before the next place where a frame could begin, or a tag that holds what looks like frames. */
function nextMark(bytes: Uint8Array): number {
  for (let at = 1; at < bytes.length - MP3_HEADER; at++) {
    at = bytes.indexOf(0xff, at);
    if (at < 0) break;
    // Most bytes of 255 are told apart here, which is quick.
    if ((bytes[at + 1] ?? 0) < 0xe0 || (bytes[at + 2] ?? 0) >= 0xf0) continue;
    if (mp3Header(bytes.subarray(at, at + MP3_HEADER))) return at;
  }
  return Math.max(1, bytes.length - MP3_HEADER);
}

/**
 * A frame in the place of those that tell how many frames there are. It says nothing, but mediabunny takes a file for
 * MP3 if it begins with one, even if the file has a single frame or the first two differ in something.
 */
function infoFrame({ head }: Frame): Uint8Array<ArrayBuffer> {
  const start = head.slice();
  start[2] = (MIDDLE_RATE << 4) | ((head[2] ?? 0) & 0x0c);
  const header = mp3Header(start);
  const frame = new Uint8Array(header?.size ?? 0);
  frame.set(start);
  const [mono, stereo] = header?.isFirstVersion === true ? [21, 36] : [13, 21];
  frame.set(new TextEncoder().encode('Info'), header?.isMono === true ? mono : stereo);
  return frame;
}

/** Whether three frames without a bit rate are equally long. */
async function hasFreeBitRate(blocks: FileBlocks): Promise<boolean> {
  const from = await wholeTag(blocks, 0);
  const bytes = await blocks.from(from, 3 * LONGEST_FREE);
  const first = mp3Header(bytes);
  if (!first || first.size !== undefined) return false;
  const isAt = (at: number) => {
    const header = mp3Header(bytes.subarray(at));
    return header?.stream === first.stream && header.size === undefined;
  };
  for (let at = nextMark(bytes); at < LONGEST_FREE; at += nextMark(bytes.subarray(at))) {
    if (isAt(at) && [2 * at - 1, 2 * at, 2 * at + 1].some(isAt)) return true;
  }
  return false;
}
