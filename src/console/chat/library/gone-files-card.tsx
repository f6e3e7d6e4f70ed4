import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { fill } from '../../messages/fill.ts';
import { messages } from '../../messages/messages.ts';
import { TextButton } from '../../ui/buttons.tsx';
import { chooseFiles } from '../../ui/choose-files.ts';
import { formatPercent } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';
import { describeFailure } from '../answer/api-failure.ts';
import type { StoredAttachment } from '../attachments/attachment.ts';
import { wantedFiles } from '../attachments/folder-files.ts';
import type { Library } from './library.ts';
import type { Indexed } from './stored-files.ts';

interface GoneProps {
  gone: StoredAttachment;
  library: Library;
  /** The button that goes without the files. */
  without: string;
  /** Gets what is searched instead; undefined: nothing. */
  onInstead: (instead: StoredAttachment | undefined) => void;
}

/** Says that files of the chat are no longer stored, and stores them again if the user chooses them. */
export function GoneFilesCard({ gone, library, without, onInstead }: GoneProps): VNode {
  const text = messages.value.attachments;
  const indexed = useSignal<Indexed | null>(null);
  const problem = useSignal('');
  const leaving = useMemo(() => new AbortController(), []);
  useEffect(() => () => leaving.abort(), [leaving]);
  const { name } = gone;
  const store = async (files: readonly File[]) => {
    problem.value = '';
    try {
      onInstead(await library.store(name, files, leaving.signal, (now) => (indexed.value = now)));
    } catch (error) {
      indexed.value = null;
      problem.value = describeFailure(error).message;
    }
  };
  const isFolder = gone.count > 1;
  const choose = () =>
    chooseFiles({ isFolder }, (files) => void store(isFolder ? wantedFiles(files) : files));
  return (
    <div class="failure" role="alert">
      <Icon name="warning" />
      <div>
        <p class="failure-message">{fill(text.gone, { name })}</p>
        {indexed.value && (
          <p class="failure-hint">
            {fill(text.indexing, {
              percent: formatPercent(indexed.value.read / indexed.value.all),
            })}
          </p>
        )}
        {problem.value !== '' && <p class="failure-hint">{problem}</p>}
      </div>
      <TextButton class="button primary" disabled={indexed.value !== null} onClick={choose}>
        {text.attachAgain}
      </TextButton>
      <TextButton disabled={indexed.value !== null} onClick={() => onInstead(undefined)}>
        {without}
      </TextButton>
    </div>
  );
}
