import type { VNode } from 'preact';
import { fill } from '../../messages/fill.ts';
import { messages } from '../../messages/messages.ts';
import { IconButton } from '../../ui/buttons.tsx';
import { formatPercent } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';
import type { Attachment } from './attachment.ts';
import type { ReadingFile } from './draft.ts';

interface ListProps {
  attachments: readonly Attachment[];
  /** Tokens of files, by the id of the attachment, where they are known. */
  tokens?: ReadonlyMap<string, number>;
  /** Removes an attachment; undefined: the user cannot remove any. */
  onRemove?: (id: string) => void;
}

/** Pictures as thumbnails, and files as chips. Nothing if there are none. */
export function AttachmentList({ attachments, tokens, onRemove }: ListProps): VNode | null {
  if (attachments.length === 0) return null;
  const text = messages.value.attachments;
  return (
    <ul class="attachments" aria-label={text.attached}>
      {attachments.map((attached) => {
        const { id, kind, name } = attached;
        return (
          <li key={id} class={kind === 'image' ? 'thumbnail' : 'file-chip'}>
            {kind === 'image' ? (
              <img src={attached.url} alt={name} title={name} />
            ) : (
              <FileName name={name} note={noteOf(attached, tokens)} />
            )}
            {onRemove && (
              <IconButton
                icon="close"
                label={fill(text.remove, { name })}
                onClick={() => onRemove(id)}
              />
            )}
          </li>
        );
      })}
    </ul>
  );
}

function FileName({ name, note }: { name: string; note: string }): VNode {
  return (
    <>
      <Icon name="file" />
      <span class="file-name" title={name}>
        {name}
      </span>
      {note !== '' && <span class="file-tokens">{note}</span>}
    </>
  );
}

function noteOf(attached: Attachment, tokens: ListProps['tokens']): string {
  const { attachments, models } = messages.value;
  if (attached.kind === 'stored') return fill(attachments.searched, { count: attached.count });
  const count = tokens?.get(attached.id);
  return count === undefined || count === Infinity ? '' : fill(models.tokens, { count });
}

/** The files that are being read, with how far they are. Nothing if there are none. */
export function ReadingFiles({ files }: { files: readonly ReadingFile[] }): VNode | null {
  if (files.length === 0) return null;
  const text = messages.value.attachments;
  return (
    <ul class="attachments" aria-label={text.beingRead}>
      {files.map(({ id, name, pages, indexed, cancel }) => (
        <li key={id} class="file-chip">
          <Icon name="file" />
          <span class="file-name" title={name}>
            {name}
          </span>
          {pages && (
            <span class="file-tokens">
              {fill(text.pages, { read: pages.read, all: pages.all })}
            </span>
          )}
          {indexed && (
            <span class="file-tokens">
              {fill(text.indexing, { percent: formatPercent(indexed.read / indexed.all) })}
            </span>
          )}
          <IconButton icon="close" label={fill(text.remove, { name })} onClick={cancel} />
        </li>
      ))}
    </ul>
  );
}
