import {
  ADTS,
  BlobSource,
  FLAC,
  Input,
  MATROSKA,
  MP3,
  MP4,
  MPEG_TS,
  OGG,
  QTFF,
  WEBM,
  type InputFormat,
} from 'mediabunny';
import { Damage } from './damage.ts';
import { flacLinks } from './flac-links.ts';
import type { Link } from './link.ts';
import { mp3Links } from './mp3-links.ts';
import { tagBytes } from './mp3-tags.ts';
import { oggLinks } from './ogg-links.ts';

/** The formats that mediabunny reads for us. WAV is read here, and the sound of a playlist is elsewhere. */
export const FORMATS = [MP4, QTFF, MATROSKA, WEBM, OGG, FLAC, MP3, ADTS, MPEG_TS];

/** The parts of a file that are decoded one after another; the file itself, if it has no parts. */
export async function* linksOf(file: Blob): AsyncGenerator<Link, void, undefined> {
  const links = await partsOf(file);
  const first = await links?.next();
  yield first?.value ?? { file, unread: undefined };
  if (!links) return;
  const damage = new Damage();
  for await (const link of links) {
    damage.count();
    yield link;
  }
}

async function partsOf(file: Blob): Promise<AsyncGenerator<Link, void, undefined> | undefined> {
  const format = await formatOf(file);
  if (format === OGG) return oggLinks(file);
  if (format === FLAC) return flacLinks(file, await headerAt(file));
  // mediabunny does not know an MP3 file that begins with something else.
  return format === MP3 || !format ? mp3Links(file) : undefined;
}

async function formatOf(file: Blob): Promise<InputFormat | undefined> {
  const input = new Input({ source: new BlobSource(file), formats: FORMATS });
  return input.getFormat().catch(() => undefined);
}

/** Where a FLAC file begins behind its tags. */
async function headerAt(file: Blob): Promise<number> {
  for (let at = 0; ;) {
    const size = tagBytes(new Uint8Array(await file.slice(at, at + 32).arrayBuffer()));
    if (size === 0) return at;
    at += size;
  }
}
