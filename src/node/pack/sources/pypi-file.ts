import { packageFile, type PackageFile } from './package-file.ts';
import { python } from './python.ts';

/** A wheel on PyPI, or on the mirror that the user's pip is configured for. */
export type PypiFile = PackageFile;

export interface PypiOptions {
  /** The Python command, e.g. `python3`. */
  command: string;
  log: (line: string) => void;
}

/** @throws PackError if it cannot be downloaded, or has another hash */
export function pypiFile(
  wanted: PypiFile,
  folder: string,
  { command, log }: PypiOptions,
): Promise<string> {
  return packageFile(wanted, folder, {
    name: 'pip',
    log,
    download: (requirement, into) => python(command, pipDownload(requirement, into), folder),
  });
}

function pipDownload(requirement: string, folder: string): string[] {
  const quick = ['--retries', '2', '--timeout', '30', '--disable-pip-version-check'];
  const exact = ['--no-deps', '--only-binary', ':all:', '--dest', folder];
  return ['-m', 'pip', 'download', ...quick, ...exact, requirement];
}
