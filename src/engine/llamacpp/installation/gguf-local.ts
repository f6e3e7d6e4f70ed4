import { GgufError } from '../../../core/files/gguf/gguf-error.ts';
import type { ByteRanges } from '../../../core/files/gguf/gguf-header.ts';
import { hex, sha256Hex } from '../../../core/text/sha256.ts';
import type { Installation, LocalSource } from '../../../core/catalog/variant.ts';
import { localUrl } from '../../download/installer/local-files.ts';
import { messageOf } from '../../../core/text/message-of.ts';

/** Bytes from the start of a file that tell it from others of the same size and date. */
const SAMPLE_BYTES = 1 << 20;

/** A file that the visitor picked, to be read in parts. Its reads throw GgufError. */
export function localRanges(file: File): ByteRanges {
  return {
    name: file.name,
    size: file.size,
    read: (offset, length) => read(file, offset, length),
  };
}

/**
 * The source of a model whose files the visitor picked. Hashing whole files would take as long as copying
 * them, so the revision depends on their beginnings, names, sizes and dates.
 *
 * @param files - all parts, in order
 */
export async function localGgufSource(files: readonly File[]): Promise<LocalSource> {
  const samples = await Promise.all(files.map(sample));
  return {
    kind: 'local',
    name: files[0]?.name ?? '',
    revision: await sha256Hex(JSON.stringify(samples)),
    files: files.map(({ name, size }) => ({ path: name, size })),
  };
}

/** Lists the files of a local model, which are copied, not downloaded. */
export function localInstallation({ revision, files }: LocalSource): Installation {
  return { revision, files: files.map((file) => ({ ...file, url: localUrl(file.path) })) };
}

async function sample(file: File): Promise<(string | number)[]> {
  const beginning = await read(file, 0, Math.min(file.size, SAMPLE_BYTES));
  const hash = hex(await crypto.subtle.digest('SHA-256', beginning));
  return [file.name, file.size, file.lastModified, hash];
}

async function read(file: File, offset: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return new Uint8Array(await file.slice(offset, offset + length).arrayBuffer());
  } catch (error) {
    const why = messageOf(error);
    throw new GgufError(`${file.name} cannot be read: ${why}`, { cause: error });
  }
}
