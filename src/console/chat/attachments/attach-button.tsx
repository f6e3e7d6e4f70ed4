import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { messages } from '../../messages/messages.ts';
import { IconButton } from '../../ui/buttons.tsx';
import { chooseFiles } from '../../ui/choose-files.ts';
import { folderFiles, isFolder, wantedFiles } from './folder-files.ts';

interface AttachProps {
  onAttach: (files: readonly File[]) => void;
  /** Gets the files that are in a folder, at any depth. */
  onFolder: (name: string, files: readonly File[]) => void;
}

/** Chooses files and folders. They may also be dropped anywhere on the page. */
export function AttachButton({ onAttach, onFolder }: AttachProps): VNode {
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    // Without this, the browser would leave the page and show the file.
    document.addEventListener('dragover', (event) => event.preventDefault(), { signal });
    const onDrop = (event: DragEvent) => {
      const items = [...(event.dataTransfer?.items ?? [])].filter(({ kind }) => kind === 'file');
      if (items.length === 0) return;
      event.preventDefault();
      // Items can be read only now.
      const dropped = items.map((item) => ({
        entry: item.webkitGetAsEntry(),
        file: item.getAsFile(),
      }));
      const files = dropped.flatMap(({ entry, file }) => (file && !entry?.isDirectory ? file : []));
      if (files.length > 0) onAttach(files);
      for (const { entry } of dropped) {
        if (entry && isFolder(entry))
          void folderFiles(entry).then((all) => onFolder(entry.name, all));
      }
    };
    document.addEventListener('drop', onDrop, { signal });
    return () => ending.abort();
  }, [onAttach]);
  const chooseFolder = () =>
    chooseFiles({ isFolder: true }, (files) => {
      const [name = ''] = files[0]?.webkitRelativePath.split('/') ?? [];
      onFolder(name, wantedFiles(files));
    });
  const text = messages.value.attachments;
  return (
    <>
      <IconButton icon="attach" label={text.attach} onClick={() => chooseFiles({}, onAttach)} />
      {/* Phones choose no folders. */}
      {!matchMedia('(pointer: coarse)').matches && (
        <IconButton
          icon="folder"
          label={text.folder}
          class="icon-button folder-button"
          onClick={chooseFolder}
        />
      )}
    </>
  );
}
