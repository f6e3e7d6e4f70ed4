/** How much is read at once. */
const BLOCK_BYTES = 1 << 20;
/** Bytes of a page's header before the sizes of its segments, and with the most of them. */
const [HEADER_BYTES, MOST_HEADER] = [27, 27 + 255];
/** More pages are kept of no file: 2 GiB of usual ones. */
const MOST_PAGES = 1 << 19;
/** Flag of the first page of a stream. */
const FIRST = 2;
/** `OggS`, with which each page begins. */
const MARK = [0x4f, 0x67, 0x67, 0x53];
/** A FLAC stream in Ogg begins with these bytes, a version and a number of headers; a FLAC file follows. */
const FLAC_MARK = '\x7fFLAC';
const FLAC_PREFIX = 9;

/** Encodings that are not read, by how their streams begin. */
const OTHERS: [string, string][] = [
  ['Speex   ', 'Speex'],
  ['CELT    ', 'CELT'],
  ['PCM     ', 'PCM'],
];

/** A page of an Ogg file. */
interface Page {
  isFirst: boolean;
  serial: number;
  /** Where it begins in the file, and its content in it. */
  at: number;
  from: number;
  to: number;
  /** The first bytes of its content. */
  beginning: string;
}

/** A part of an Ogg file that is an Ogg file of its own. */
export interface Link {
  /** A stream of FLAC is unwrapped: a FLAC file. */
  file: Blob;
  /** The sound's encoding, if it is not read. */
  unread: string | undefined;
}

/** The links of an Ogg file, which may be several files one after another; none if it is no Ogg file. */
export async function* oggLinks(file: Blob): AsyncGenerator<Link, void, undefined> {
  let streams: Page[] = [];
  /** Pages after the first ones; only the stream of FLAC needs more than one of them. */
  let others: Page[] = [];
  for await (const page of pagesOf(file)) {
    if (page.isFirst && others.length > 0) {
      yield linkOf(file, streams, others, page.at);
      [streams, others] = [[], []];
    }
    if (page.isFirst) streams.push(page);
    else if (others.length === 0 || flacOf(streams)) others.push(page);
    if (streams.length + others.length > MOST_PAGES) return;
  }
  if (streams.length > 0) yield linkOf(file, streams, others, file.size);
}

function linkOf(file: Blob, streams: readonly Page[], others: readonly Page[], end: number): Link {
  const flac = flacOf(streams);
  if (flac) {
    const own = [flac, ...others].filter(({ serial }) => serial === flac.serial);
    const parts = own.map(({ from, to }) => file.slice(from, to));
    return { file: new Blob(parts).slice(FLAC_PREFIX), unread: undefined };
  }
  const other = OTHERS.find(([mark]) =>
    streams.some(({ beginning }) => beginning.startsWith(mark)),
  );
  return { file: file.slice(streams[0]?.at, end), unread: other?.[1] };
}

function flacOf(streams: readonly Page[]): Page | undefined {
  return streams.find(({ beginning }) => beginning.startsWith(FLAC_MARK));
}

async function* pagesOf(file: Blob): AsyncGenerator<Page, void, undefined> {
  let [start, block] = [0, await blockAt(file, 0)];
  if (!MARK.every((byte, index) => block[index] === byte)) return;
  for (let at = 0; at + HEADER_BYTES <= file.size;) {
    if (at < start || at + MOST_HEADER > start + block.length) {
      if (start + block.length < file.size) [start, block] = [at, await blockAt(file, at)];
    }
    const header = block.subarray(at - start, at - start + MOST_HEADER);
    if (!MARK.every((byte, index) => header[index] === byte)) {
      // Something is damaged, or does not belong there.
      const next = block.indexOf(MARK[0] ?? 0, at - start + 1);
      at = next < 0 ? start + block.length : start + next;
      continue;
    }
    const segments = header[HEADER_BYTES - 1] ?? 0;
    const sizes = header.subarray(HEADER_BYTES, HEADER_BYTES + segments);
    const from = at + HEADER_BYTES + segments;
    const to = from + sizes.reduce((sum, size) => sum + size, 0);
    const serial = new DataView(header.buffer, header.byteOffset, header.length).getUint32(
      14,
      true,
    );
    const beginning = String.fromCharCode(...block.subarray(from - start, from - start + 8));
    yield { isFirst: ((header[5] ?? 0) & FIRST) !== 0, serial, at, from, to, beginning };
    at = to;
  }
}

async function blockAt(file: Blob, at: number): Promise<Uint8Array> {
  return new Uint8Array(await file.slice(at, at + BLOCK_BYTES).arrayBuffer());
}
