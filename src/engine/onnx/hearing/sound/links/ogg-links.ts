import { Damage } from './damage.ts';
import { FileBlocks } from './file-blocks.ts';
import { FileParts, type FileRange } from './file-parts.ts';
import { flacLinks } from './flac-links.ts';
import type { Link } from './link.ts';
import { isPage, LONGEST_PAGE, oggPage, withoutParts, type Page } from './ogg-page.ts';

/** The first byte of a page. */
const MARK = 0x4f;
/** A FLAC stream in Ogg begins with these bytes, a version and a number of headers; a FLAC file follows. */
const FLAC_MARK = '\x7fFLAC';
const FLAC_PREFIX = 9;

/** Encodings that are not read, by how their streams begin. */
const OTHERS: [string, string][] = [
  ['Speex   ', 'Speex'],
  ['CELT    ', 'CELT'],
  ['PCM     ', 'PCM'],
];

/** A page, and where it is in the file; undefined if it was changed. */
interface Placed {
  page: Page;
  range: FileRange | undefined;
}

/** What must be known of a stream when its next page comes. */
interface Stream {
  sequence: number;
  isOpen: boolean;
  /** The last page, if its last packet is not whole. It is written when the next page has come. */
  pending: Placed | undefined;
}

/** The links of an Ogg file, which may be several files one after another; none if it is no Ogg file. */
export async function* oggLinks(file: Blob): AsyncGenerator<Link, void, undefined> {
  let link: OggLink | undefined;
  for await (const { page, range } of pagesOf(file)) {
    if (page.isFirst && link?.isBegun === true) {
      yield* link.end();
      link = undefined;
    }
    if (page.isFirst) link ??= new OggLink(file);
    link?.add(page, range);
  }
  if (link) yield* link.end();
}

/** Collects the pages of a link. Packets that are not whole are left out. */
class OggLink {
  readonly #parts: FileParts;
  readonly #flac: FileParts;
  #flacSerial: number | undefined;
  #unread: string | undefined;
  readonly #streams = new Map<number, Stream>();
  isBegun = false;

  constructor(file: Blob) {
    this.#parts = new FileParts(file);
    this.#flac = new FileParts(file);
  }

  add(page: Page, range: FileRange): void {
    if (page.isFirst) this.#begin(page);
    else this.isBegun = true;
    if (page.serial === this.#flacSerial) {
      this.#flac.add({ from: range.to - page.content.length, to: range.to });
    } else {
      this.#keep(page, range);
    }
  }

  async *end(): AsyncGenerator<Link, void, undefined> {
    for (const { pending } of this.#streams.values()) this.#write(withoutEnd(pending));
    if (this.#flacSerial === undefined) {
      yield { file: this.#parts.joined(), unread: this.#unread };
      return;
    }
    const file = this.#flac.joined().slice(FLAC_PREFIX);
    const links = flacLinks(file, 0);
    const first = await links.next();
    yield first.done === true ? { file, unread: undefined } : first.value;
    yield* links;
  }

  #begin({ serial, content }: Page): void {
    const beginning = String.fromCharCode(...content.subarray(0, 8));
    if (beginning.startsWith(FLAC_MARK)) this.#flacSerial ??= serial;
    this.#unread ??= OTHERS.find(([mark]) => beginning.startsWith(mark))?.[1];
  }

  #keep(page: Page, range: FileRange): void {
    const { serial, sequence } = page;
    const stream = this.#streams.get(serial) ?? {
      sequence: sequence - 1,
      isOpen: false,
      pending: undefined,
    };
    // A page without a packet tells nothing, and mediabunny does not expect it.
    if (page.content.length === 0 && !page.isContinued) {
      this.#streams.set(serial, { ...stream, sequence });
      return;
    }
    const isNext = page.isContinued === stream.isOpen && isAfter(stream.sequence, sequence);
    this.#write(isNext ? stream.pending : withoutEnd(stream.pending));
    const kept = isNext || !page.isContinued ? { page, range } : withoutStart(page);
    const isOpen = kept?.page.isOpen ?? false;
    if (!isOpen) this.#write(kept);
    this.#streams.set(serial, { sequence, isOpen, pending: isOpen ? kept : undefined });
  }

  #write(placed: Placed | undefined): void {
    if (placed) this.#parts.add(placed.range ?? placed.page.bytes);
  }
}

/** Some programs do not count pages. */
function isAfter(last: number, sequence: number): boolean {
  return sequence === last || sequence === last + 1;
}

function withoutEnd(placed: Placed | undefined): Placed | undefined {
  const page = placed && withoutParts(placed.page, 'end');
  return page && { page, range: undefined };
}

function withoutStart(whole: Page): Placed | undefined {
  const page = withoutParts(whole, 'start');
  return page && { page, range: undefined };
}

async function* pagesOf(
  file: Blob,
): AsyncGenerator<{ page: Page; range: FileRange }, void, undefined> {
  const blocks = new FileBlocks(file);
  if (!isPage(await blocks.from(0, LONGEST_PAGE))) return;
  /** Some programs change pages and not their sums. */
  let hasSums: boolean | undefined;
  const damage = new Damage();
  for (let at = 0; at < blocks.size;) {
    const bytes = await blocks.from(at, LONGEST_PAGE);
    const page = oggPage(bytes);
    hasSums ??= page?.hasRightSum;
    if (page && (page.hasRightSum || hasSums === false)) {
      const to = at + page.bytes.length;
      yield { page, range: { from: at, to } };
      at = to;
    } else {
      if (page) damage.count();
      const next = bytes.indexOf(MARK, 1);
      at += next < 0 ? bytes.length : next;
    }
  }
}
