import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { messages } from '../../messages/messages.ts';
import { IconButton } from '../../ui/buttons.tsx';

interface AttachProps {
  onAttach: (files: readonly File[]) => void;
  /** Gets the files that are in a folder, at any depth. */
  onFolder: (name: string, files: readonly File[]) => void;
}

/** Chooses files. They may also be dropped anywhere on the page. */
export function AttachButton({ onAttach, onFolder }: AttachProps): VNode {
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    // Without this, the browser would leave the page and show the file.
    document.addEventListener('dragover', (event) => event.preventDefault(), { signal });
    const onDrop = (event: DragEvent) => {
      const files = [...(event.dataTransfer?.files ?? [])];
      if (files.length === 0) return;
      event.preventDefault();
      onAttach(files);
    };
    document.addEventListener('drop', onDrop, { signal });
    return () => ending.abort();
  }, [onAttach]);
  const choose = (isFolder: boolean) => {
    const input = document.createElement('input');
    input.type = 'file';
    input.multiple = true;
    input.webkitdirectory = isFolder;
    input.addEventListener('change', () => {
      const files = [...(input.files ?? [])];
      const [folder = ''] = files[0]?.webkitRelativePath.split('/') ?? [];
      if (isFolder) onFolder(folder, files.filter(isWanted));
      else onAttach(files);
    });
    input.click();
  };
  const text = messages.value.attachments;
  return (
    <>
      <IconButton icon="attach" label={text.attach} onClick={() => choose(false)} />
      {/* Phones choose no folders. */}
      {!matchMedia('(pointer: coarse)').matches && (
        <IconButton
          icon="folder"
          label={text.folder}
          class="icon-button folder-button"
          onClick={() => choose(true)}
        />
      )}
    </>
  );
}

/** Whether a file of a folder is one that its owner would look into: hidden ones and installed packages are not. */
function isWanted({ webkitRelativePath, size }: File): boolean {
  return size > 0 && !/\/(?:\.|node_modules\/)/.test(webkitRelativePath);
}
