const PART = /^(.+)-(\d{5})-of-(\d{5})\.gguf$/i;

/**
 * The parts of a split GGUF file, in order, by the name of any of them: `a-00002-of-00003.gguf`. A file
 * that is not split is its only part.
 *
 * @param path - a path or a URL
 */
export function splitParts(path: string): string[] {
  const [, stem, , count = ''] = PART.exec(path) ?? [];
  if (stem === undefined || Number(count) < 1) return [path];
  return Array.from({ length: Number(count) }, (_, index) => {
    const number = String(index + 1).padStart(5, '0');
    return `${stem}-${number}-of-${count}.gguf`;
  });
}

/** The name of a GGUF file without its folder, the number of its part and `.gguf`. */
export function ggufStem(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return PART.exec(name)?.[1] ?? name.replace(/\.gguf$/i, '');
}
