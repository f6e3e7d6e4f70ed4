import type { GivenFile } from '../../../index.ts';

declare global {
  // Browsers with handles of the visitor's files have these.
  interface Window {
    showOpenFilePicker?(options: {
      multiple: true;
      types: { accept: Record<string, string[]> }[];
    }): Promise<FileSystemFileHandle[]>;
  }
  interface DataTransferItem {
    getAsFileSystemHandle?(): Promise<FileSystemHandle | null>;
  }
}

/**
 * Lets the visitor pick files: as handles where the browser has them, so that they are not copied.
 *
 * @param extension - of the files, e.g. `.gguf`
 * @param onPick - called only if files were picked
 */
export function pickFiles(extension: string, onPick: (files: GivenFile[]) => void): void {
  if (window.showOpenFilePicker) {
    const types = [{ accept: { 'application/octet-stream': [extension] } }];
    // The promise is rejected when the visitor picks nothing.
    window.showOpenFilePicker({ multiple: true, types }).then(onPick, () => undefined);
    return;
  }
  const input = document.createElement('input');
  input.type = 'file';
  input.accept = extension;
  input.multiple = true;
  input.addEventListener('change', () => onPick([...(input.files ?? [])]));
  input.click();
}

/** The files that were dropped, as handles where the browser has them. Folders are left out. */
export async function droppedFiles(data: DataTransfer | null): Promise<GivenFile[]> {
  const items = [...(data?.items ?? [])].filter(({ kind }) => kind === 'file');
  // All are asked at once: they are gone when the event has ended.
  const files = await Promise.all(
    items.map(async (item): Promise<GivenFile | null> => {
      const file = item.getAsFile();
      const handle = await item.getAsFileSystemHandle?.();
      if (!handle) return file;
      return handle instanceof FileSystemFileHandle ? handle : null;
    }),
  );
  return files.filter((file) => file !== null);
}
