import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { messages } from '../messages/messages.ts';
import { IconButton, TextButton } from '../ui/buttons.tsx';
import { AnswerView, Decisions, type AnswerProps } from './answer-view.tsx';
import { AttachmentList } from './attachments/attachment-list.tsx';
import type { Turn } from './conversation/conversation.ts';
import { TurnFooter } from './turn-footer.tsx';
import { ToolResults } from './tools/tool-views.tsx';

/** A question, an answer, or results of functions. */
export function TurnView(props: AnswerProps): VNode {
  const { turn, actions } = props;
  const words = messages.value.chat;
  const isEditing = useSignal(false);
  const edit = () => (isEditing.value = true);
  if (isEditing.value) {
    const save = (text: string) => {
      isEditing.value = false;
      if (text.trim() !== '' && text !== turn.text) actions.onEdit(text.trim());
    };
    return <Editor text={turn.text} onSave={save} onCancel={() => (isEditing.value = false)} />;
  }
  if (turn.role === 'assistant') return <AnswerView {...props} onEdit={edit} />;
  if (turn.role === 'user') {
    return (
      <article class="question" aria-label={words.you}>
        <AttachmentList attachments={turn.attachments ?? []} />
        {turn.text !== '' && <p dir="auto">{turn.text}</p>}
        <TurnFooter {...props} onEdit={edit} />
      </article>
    );
  }
  return (
    <article class="question" aria-label={words.tools.results}>
      <ToolResults results={turn.results ?? []} />
      {turn.decisions && <Decisions decisions={turn.decisions} />}
      <footer class="turn-footer">
        <IconButton
          icon="trash"
          label={words.turn.deleteResults}
          disabled={props.isBusy}
          onClick={actions.onDelete}
        />
      </footer>
    </article>
  );
}

/** The text of a turn, in place of one that cannot be drawn. */
export function PlainTurn({ turn: { role, text } }: { turn: Turn }): VNode {
  const { answer, you } = messages.value.chat;
  const isAnswer = role === 'assistant';
  return (
    <article class={isAnswer ? 'answer' : 'question'} aria-label={isAnswer ? answer : you}>
      <p dir="auto">{text}</p>
    </article>
  );
}

interface EditorProps {
  text: string;
  onSave: (text: string) => void;
  onCancel: () => void;
}

/** A function that is the same at each drawing, because Preact calls a new one again. */
function focus(input: HTMLElement | null): void {
  input?.focus();
}

/** Ctrl+Enter saves, Esc does not. */
function Editor({ text, onSave, onCancel }: EditorProps): VNode {
  const draft = useSignal(text);
  const { chat, ui } = messages.value;
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) onSave(draft.value);
    if (event.key !== 'Escape' || event.isComposing) return;
    // Esc would also stop an answer.
    event.stopPropagation();
    onCancel();
  };
  return (
    <div class="turn-editor">
      <textarea
        dir="auto"
        class="field"
        aria-label={chat.turn.text}
        rows={Math.min(12, text.split('\n').length + 2)}
        value={draft.value}
        ref={focus}
        onInput={({ currentTarget }) => (draft.value = currentTarget.value)}
        onKeyDown={onKey}
      />
      <div class="button-row">
        <TextButton onClick={onCancel}>{ui.cancel}</TextButton>
        <TextButton class="button primary" onClick={() => onSave(draft.value)}>
          {ui.save}
        </TextButton>
      </div>
    </div>
  );
}
