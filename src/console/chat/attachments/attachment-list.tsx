import type { VNode } from 'preact';
import { IconButton } from '../../ui/buttons.tsx';
import type { Attachment } from './attachment.ts';

interface ListProps {
  attachments: readonly Attachment[];
  /** Undefined: they cannot be removed. */
  onRemove?: (id: string) => void;
}

/** Pictures as thumbnails. Nothing if there are none. */
export function AttachmentList({ attachments, onRemove }: ListProps): VNode | null {
  if (attachments.length === 0) return null;
  return (
    <ul class="attachments" aria-label="Attached">
      {attachments.map(({ id, name, url }) => (
        <li key={id} class="thumbnail">
          <img src={url} alt={name} title={name} />
          {onRemove && (
            <IconButton icon="close" label={`Remove ${name}`} onClick={() => onRemove(id)} />
          )}
        </li>
      ))}
    </ul>
  );
}
