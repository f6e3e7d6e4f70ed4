import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { hasMembers, parsed } from '../json.ts';
import { fill } from '../messages/fill.ts';
import { messages } from '../messages/messages.ts';
import { IconButton, TextButton } from '../ui/buttons.tsx';
import { onDemand } from '../ui/on-demand.tsx';
import { AttachmentList } from './attachments/attachment-list.tsx';
import type { Turn } from './conversation/conversation.ts';
import { FailureCard } from './failure-card.tsx';
import { JsonTree } from './json-tree.tsx';
import { withFootnotes } from './library/sources.ts';
import { Markdown } from './markdown/markdown.tsx';
import { TurnFooter, type TurnProps } from './turn-footer.tsx';
import { ToolCalls, ToolResults } from './tools/tool-views.tsx';

export const Sources = onDemand(async () => (await import('./library/sources-view.tsx')).Sources);
export const ServerSteps = onDemand(
  async () => (await import('./servers/server-steps.tsx')).ServerSteps,
);
const ToolResultsForm = onDemand(
  async () => (await import('./tools/tool-form.tsx')).ToolResultsForm,
);
const GoneFilesCard = onDemand(
  async () => (await import('./library/gone-files-card.tsx')).GoneFilesCard,
);
const Decisions = onDemand(async () => (await import('./servers/server-steps.tsx')).Decisions);

/** One question or one answer that is complete. */
export function TurnView(props: TurnProps): VNode {
  const { turn, actions } = props;
  const words = messages.value.chat;
  const isEditing = useSignal(false);
  if (isEditing.value) {
    const save = (text: string) => {
      isEditing.value = false;
      if (text.trim() !== '' && text !== turn.text) actions.onEdit(text.trim());
    };
    return <Editor text={turn.text} onSave={save} onCancel={() => (isEditing.value = false)} />;
  }
  const footer = <TurnFooter {...props} onEdit={() => (isEditing.value = true)} />;
  if (turn.role === 'user') {
    return (
      <article class="question" aria-label={words.you}>
        <AttachmentList attachments={turn.attachments ?? []} />
        {turn.text !== '' && <p dir="auto">{turn.text}</p>}
        {footer}
      </article>
    );
  }
  if (turn.role === 'tool') {
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
  const { toolCalls = [] } = turn;
  return (
    <article class="answer" aria-label={words.answer} aria-busy="false">
      <ServedBy name={turn.servedBy ?? ''} />
      <Thoughts text={turn.reasoning ?? ''} />
      {turn.steps && (
        <ServerSteps steps={turn.steps} {...(actions.onDecide && { onDecide: actions.onDecide })} />
      )}
      <AnswerText turn={turn} />
      {turn.sources && <Sources sources={turn.sources} />}
      <ToolCalls calls={toolCalls} />
      {actions.onResults && toolCalls.length > 0 && (
        <ToolResultsForm calls={toolCalls} code={props.code ?? {}} onSend={actions.onResults} />
      )}
      {turn.failure?.gone && actions.onInstead && (
        <GoneFilesCard
          gone={turn.failure.gone}
          library={props.library}
          without={messages.value.attachments.without}
          onInstead={actions.onInstead}
        />
      )}
      {turn.failure && !turn.failure.gone && (
        <FailureCard
          failure={turn.failure}
          {...(actions.onRetry && { onRetry: actions.onRetry })}
          {...(actions.onDropOldest && { onDropOldest: actions.onDropOldest })}
        />
      )}
      {turn.progress === 'looped' && (
        <div class="looped">
          <p class="note">{words.notes.looped}</p>
          <TextButton disabled={props.isBusy} onClick={actions.onRetry}>
            {messages.value.models.actions.tryAgain}
          </TextButton>
        </div>
      )}
      {actions.onGoOn && (
        <TextButton disabled={props.isBusy} onClick={actions.onGoOn}>
          {words.turn.goOn}
        </TextButton>
      )}
      {footer}
    </article>
  );
}

/** An answer that is a JSON object or list is a tree, any other is Markdown. */
function AnswerText({ turn: { text, citations = [], sources = [] } }: { turn: Turn }): VNode {
  const value = useMemo(() => (/^\s*[[{]/.test(text) ? parsed(text) : undefined), [text]);
  const isTree = hasMembers(value) && Object.keys(value).length > 0;
  if (isTree) return <JsonTree value={value} />;
  return <Markdown text={withFootnotes(text, citations, sources)} />;
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

/** Marks an answer for which the conversation has left the device. */
export function ServedBy({ name }: { name: string }): VNode | null {
  if (name === '') return null;
  return <p class="served-by">{fill(messages.value.chat.servedBy, { name })}</p>;
}

/** What a model thought before its answer, folded. */
export function Thoughts({ text }: { text: string }): VNode | null {
  if (text === '') return null;
  return (
    <details class="reasoning">
      <summary>{messages.value.chat.thinking}</summary>
      <div class="reasoning-text" dir="auto">
        {text}
      </div>
    </details>
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
