import manifest from '../../package.json' with { type: 'json' };

/** Version of the package. */
export const VERSION: string = manifest.version;

/** What every script of `dist/lib` begins with, so that the version of a served file can be read. */
export const VERSION_NOTE = `/*! slashv1 ${VERSION} */\n`;

/** What every script of `dist/lib` ends with: half of a script may run, and do nothing. */
export const END_NOTE = '/*! end of slashv1 */\n';

/** Whether a script of this version was cut off. */
export function isCutOff(script: string): boolean {
  return notedVersion(script) === VERSION && !script.includes(END_NOTE.trim());
}

/** The version that a script notes at its beginning; undefined: the script is not of slashv1, or older than 0.2. */
export function notedVersion(script: string): string | undefined {
  return /^\/\*! slashv1 (\S+) \*\//.exec(script)?.[1];
}
