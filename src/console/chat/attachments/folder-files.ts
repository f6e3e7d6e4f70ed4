/** The wanted files of a chosen folder. */
export function wantedFiles(files: readonly File[]): File[] {
  return files.filter(({ size, webkitRelativePath }) => size > 0 && isWanted(webkitRelativePath));
}

/**
 * Whether a file of a folder is one that its owner would look into: hidden ones and installed packages are not.
 *
 * @param path - begins with the folder's name
 */
function isWanted(path: string): boolean {
  return !/\/(?:\.|node_modules\/)/.test(path);
}

/** The wanted files of a dropped folder, at any depth. What the browser cannot read is left out. */
export async function folderFiles(folder: FileSystemDirectoryEntry): Promise<File[]> {
  const found: File[] = [];
  for (const entry of await entriesOf(folder)) {
    // Full paths begin with a slash.
    const path = entry.fullPath.slice(1);
    if (isFolder(entry)) {
      if (isWanted(`${path}/`)) found.push(...(await folderFiles(entry)));
    } else if (isFile(entry) && isWanted(path)) {
      const file = await fileOf(entry);
      if (file && file.size > 0) found.push(file);
    }
  }
  return found;
}

/** A folder's entries come in parts; an empty one is the end. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const { promise, resolve } = Promise.withResolvers<FileSystemEntry[]>();
    reader.readEntries(resolve, () => resolve([]));
    const some = await promise;
    if (some.length === 0) return all;
    all.push(...some);
  }
}

async function fileOf(entry: FileSystemFileEntry): Promise<File | undefined> {
  const { promise, resolve } = Promise.withResolvers<File | undefined>();
  entry.file(resolve, () => resolve(undefined));
  return promise;
}

export function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}
