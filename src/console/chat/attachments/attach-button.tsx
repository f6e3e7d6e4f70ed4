import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { messages } from '../../messages/messages.ts';
import { IconButton } from '../../ui/buttons.tsx';

interface AttachProps {
  onAttach: (files: readonly File[]) => void;
}

/** Chooses files. They may also be dropped anywhere on the page. */
export function AttachButton({ onAttach }: AttachProps): VNode {
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
  const choose = () => {
    const input = document.createElement('input');
    input.type = 'file';
    input.multiple = true;
    input.addEventListener('change', () => onAttach([...(input.files ?? [])]));
    input.click();
  };
  return <IconButton icon="attach" label={messages.value.attachments.attach} onClick={choose} />;
}
