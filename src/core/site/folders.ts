/** URLs of a folder and of all folders above it, the nearest first. */
export function foldersFrom(folder: string): string[] {
  const above = new URL('..', folder).href;
  return above === folder ? [folder] : [folder, ...foldersFrom(above)];
}
