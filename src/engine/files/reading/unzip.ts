import { readAll } from '../../../core/async/read-all.ts';

/** Most bytes of an unpacked file: a small archive can become very large. */
const MOST_BYTES = 128 * 1024 ** 2;

const DIRECTORY_END = 0x06_05_4b_50;
const DIRECTORY_ENTRY = 0x02_01_4b_50;

/** The bytes of a file in a ZIP archive; undefined: the archive is broken, or has no such file. */
export async function unzipped(
  archive: Uint8Array<ArrayBuffer>,
  name: string,
): Promise<Uint8Array | undefined> {
  const entry = entryOf(new DataView(archive.buffer, archive.byteOffset, archive.length), name);
  if (!entry) return undefined;
  const bytes = archive.slice(entry.start, entry.start + entry.size);
  if (entry.method === 0) return bytes;
  if (entry.method !== 8) return undefined;
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return readAll(stream, MOST_BYTES).catch(() => undefined);
}

/** Where an archive has a file, by the directory at its end. Its fields are at offsets that the format fixes. */
function entryOf(view: DataView, name: string) {
  const word = (at: number) => (at + 2 <= view.byteLength ? view.getUint16(at, true) : 0);
  const long = (at: number) => (at + 4 <= view.byteLength ? view.getUint32(at, true) : 0);
  let end = view.byteLength - 22;
  while (end >= 0 && long(end) !== DIRECTORY_END) end--;
  if (end < 0) return undefined;
  let at = long(end + 16);
  for (let left = word(end + 10); left > 0 && long(at) === DIRECTORY_ENTRY; left--) {
    const length = word(at + 28);
    const found = new Uint8Array(view.buffer, view.byteOffset + at + 46, length);
    if (new TextDecoder().decode(found) === name) {
      const local = long(at + 42);
      const start = local + 30 + word(local + 26) + word(local + 28);
      return { method: word(at + 10), size: long(at + 20), start };
    }
    at += 46 + length + word(at + 30) + word(at + 32);
  }
  return undefined;
}
