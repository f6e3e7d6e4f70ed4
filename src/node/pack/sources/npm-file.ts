import { networkFailure, noSpace, outputTail, runTool } from './run-tool.ts';
import { packageFile, type PackageFile } from './package-file.ts';
import { PackError, systemErrorCode } from '../pack-error.ts';

/** A package's archive on the npm registry, or on the mirror that the user's npm is configured for. */
export type NpmFile = PackageFile;

export interface NpmOptions {
  /** The npm command; default: the one in PATH. */
  command?: string;
  log: (line: string) => void;
}

/** @throws PackError if it cannot be downloaded, or has another hash */
export function npmFile(
  wanted: NpmFile,
  folder: string,
  { command = 'npm', log }: NpmOptions,
): Promise<string> {
  return packageFile(wanted, folder, {
    name: 'npm',
    log,
    download: (requirement, into) => npmPack(command, requirement, into),
  });
}

/** Only downloads: `npm pack` runs no script of a package from a registry. */
async function npmPack(command: string, requirement: string, folder: string): Promise<void> {
  const args = ['pack', requirement, '--pack-destination', folder, '--ignore-scripts', '--silent'];
  const { code, output } = await run(command, args);
  if (code === 0) return;
  const text = `${command} ${args.join(' ')}`;
  throw noSpace(output, folder) ?? networkFailure(text, output) ?? failed(text, output);
}

async function run(command: string, args: string[]) {
  try {
    return await runTool(command, args);
  } catch (error) {
    if (systemErrorCode(error) !== 'ENOENT') throw error;
    throw new PackError(`There is no ${command}. It comes with Node.js: https://nodejs.org`);
  }
}

function failed(command: string, output: string): PackError {
  return new PackError(`\`${command}\` failed:\n${outputTail(output)}`);
}
