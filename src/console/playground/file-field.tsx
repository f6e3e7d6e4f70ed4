import { signal } from '@preact/signals';
import type { ComponentChildren, VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { messages } from '../messages/messages.ts';
import { TextButton } from '../ui/buttons.tsx';
import { formatBytes } from '../ui/format.ts';

/** The file that the next request is sent with; null: none yet. It is in memory only. */
export const fileDraft = signal<File | null>(null);

interface FileFieldProps {
  title?: string;
  /** What is said while there is no file. */
  missing?: string;
  /** MIME types that the file dialog offers; undefined: all. */
  accept?: string;
  /** What is said in place of the file; empty: nothing. */
  status?: string;
  isBusy?: boolean;
  /** Other ways to get a file. */
  children?: ComponentChildren;
}

/** The file of a request. */
export function FileField(props: FileFieldProps): VNode {
  const { recording, file: text } = messages.value.playground;
  const { title = text.title, missing = text.missing, status = '', isBusy = false } = props;
  const { accept, children } = props;
  const input = useRef<HTMLInputElement>(null);
  const file = fileDraft.value;
  const chosen = file ? `${file.name}, ${formatBytes(file.size)}` : missing;
  return (
    <fieldset class="labelled">
      <legend>{title}</legend>
      <input
        ref={input}
        type="file"
        hidden
        {...(accept !== undefined && { accept })}
        aria-label={title}
        onChange={({ currentTarget }) => {
          fileDraft.value = currentTarget.files?.[0] ?? fileDraft.value;
        }}
      />
      <div class="button-row">
        <TextButton disabled={isBusy} onClick={() => input.current?.click()}>
          {recording.choose}
        </TextButton>
        {children}
      </div>
      <small role="status">{status || chosen}</small>
    </fieldset>
  );
}
