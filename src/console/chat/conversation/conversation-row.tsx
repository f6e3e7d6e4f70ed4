import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { hashOf } from '../../app/route.ts';
import { fill } from '../../messages/fill.ts';
import { messages } from '../../messages/messages.ts';
import { IconButton } from '../../ui/buttons.tsx';
import { Icon } from '../../ui/icons.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { isPrivate, titleOf, type Conversation } from './conversation.ts';
import { asMarkdown, fileName } from './files/export.ts';

interface RowProps {
  conversation: Conversation;
  isShown: boolean;
  onOpen: (() => void) | undefined;
  onChange: (changed: Conversation) => void;
  onDelete: () => void;
}

/** One conversation of the list, with its actions folded. */
export function ConversationRow(props: RowProps): VNode {
  const { conversation, isShown, onOpen, onChange } = props;
  const { id, isPinned } = conversation;
  const isUnfolded = useSignal(false);
  const isNaming = useSignal(false);
  const more = useRef<HTMLButtonElement>(null);
  const title = titleOf(conversation);
  const rename = (name: string) => {
    isNaming.value = false;
    if (name.trim() === title) return;
    const { title: _, ...rest } = conversation;
    onChange(name.trim() === '' ? rest : { ...rest, title: name.trim() });
  };
  return (
    <li aria-current={isShown}>
      {isNaming.value ? (
        <NameField
          name={title}
          onName={rename}
          onCancel={() => (isNaming.value = false)}
          onLeave={() => more.current?.focus()}
        />
      ) : (
        <a href={hashOf({ page: 'chat', item: id })} onClick={onOpen} title={title}>
          {isPinned && <Icon name="pin" />}
          {isPrivate(id) && <Icon name="lock" />}
          <span dir="auto">{title}</span>
        </a>
      )}
      <IconButton
        icon="more"
        ref={more}
        label={fill(messages.value.chat.list.more, { title })}
        aria-expanded={isUnfolded.value}
        onClick={() => (isUnfolded.value = !isUnfolded.value)}
      />
      {isUnfolded.value && (
        <Actions
          {...props}
          title={title}
          onName={() => (isNaming.value = true)}
          onDone={() => {
            isUnfolded.value = false;
            more.current?.focus();
          }}
        />
      )}
    </li>
  );
}

interface ActionProps extends RowProps {
  title: string;
  onName: () => void;
  /** Folds the actions. */
  onDone: () => void;
}

function Actions(props: ActionProps): VNode {
  const { conversation, title, onName, onDone, onChange, onDelete } = props;
  const text = messages.value.chat.list;
  const togglePin = () => {
    const { isPinned, ...rest } = conversation;
    onChange(isPinned ? rest : { ...rest, isPinned: true });
    onDone();
  };
  return (
    <div class="conversation-actions" role="group" aria-label={fill(text.more, { title })}>
      <IconButton
        icon="pencil"
        label={fill(text.rename, { title })}
        onClick={() => {
          onDone();
          onName();
        }}
      />
      <IconButton
        icon="pin"
        label={fill(conversation.isPinned ? text.unpin : text.pin, { title })}
        onClick={togglePin}
      />
      <IconButton
        icon="file"
        label={fill(text.save, { title })}
        onClick={() =>
          saveFile(asMarkdown(conversation), fileName(conversation, 'md'), 'text/markdown')
        }
      />
      <IconButton
        icon="download"
        label={fill(text.saveJson, { title })}
        onClick={() =>
          saveFile(
            JSON.stringify([conversation]),
            fileName(conversation, 'json'),
            'application/json',
          )
        }
      />
      <IconButton icon="trash" label={fill(text.delete, { title })} onClick={onDelete} />
    </div>
  );
}

interface NameProps {
  name: string;
  onName: (name: string) => void;
  onCancel: () => void;
  /** Takes the focus from the field. */
  onLeave: () => void;
}

/** Enter and leaving the field save the name, Esc does not. */
function NameField({ name, onName, onCancel, onLeave }: NameProps): VNode {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    input.current?.focus();
    input.current?.select();
  }, []);
  return (
    <input
      class="field"
      aria-label={messages.value.chat.list.name}
      defaultValue={name}
      ref={input}
      onBlur={({ currentTarget }) => onName(currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && !event.isComposing) {
          // Else it would press the button that gets the focus.
          event.preventDefault();
          onLeave();
        }
        if (event.key !== 'Escape') return;
        // Esc would also stop an answer or close the dialog of chats.
        event.preventDefault();
        event.stopPropagation();
        event.currentTarget.value = name;
        onCancel();
        onLeave();
      }}
    />
  );
}
