import type { VNode } from 'preact';
import { fill } from '../messages/fill.ts';
import { messages } from '../messages/messages.ts';
import { shortName } from '../models/model-text.ts';
import { CopyButton, IconButton } from '../ui/buttons.tsx';
import { formatNumber } from '../ui/format.ts';
import { describeFigures, type Figures } from './answer/answer-stats.ts';
import type { StoredAttachment } from './attachments/attachment.ts';
import type { Turn } from './conversation/conversation.ts';
import type { Library } from './library/library.ts';
import type { Decision } from './servers/server-step.ts';
import type { ToolCode } from './tools/run-calls.ts';
import type { ToolResult } from './tools/tool-call.ts';

/** Actions on a turn. */
export interface TurnActions {
  /** Changes the turn's text. A question is then asked again. */
  onEdit: (text: string) => void;
  onDelete: () => void;
  /** Answers the question again. Undefined for questions. */
  onRetry?: () => void;
  /** Writes on. Undefined unless it is the last answer and lacks its end. */
  onGoOn?: () => void;
  /** Asks again without the oldest turns. Undefined if there are none to leave out. */
  onDropOldest?: () => void;
  /** Asks again with other stored files in the place of those that are gone, or with none. Undefined for questions. */
  onInstead?: (instead: StoredAttachment | undefined) => void;
  /** Gives the results of the functions that the answer calls. Undefined if it is not the last answer. */
  onResults?: (results: ToolResult[]) => void;
  /** Gives the user's word on the calls that the answer asks for. Undefined if it is not the last answer. */
  onDecide?: (decisions: Decision[]) => void;
  /** Continues from here in a new chat. */
  onBranch: () => void;
  onReadAloud: () => void;
}

export interface TurnProps {
  turn: Turn;
  /** The turns with the same parent, including this one. */
  alternatives: Turn[];
  onShow: (turn: Turn) => void;
  actions: TurnActions;
  /** The code of the chat's functions, by their names; undefined: none has code. */
  code: ToolCode | undefined;
  library: Library;
  /** Whether nothing can be changed now, because an answer is being generated. */
  isBusy: boolean;
}

/** What is known about a turn, and its controls: seen at the last turn, and where the pointer or the focus is. */
export function TurnFooter(props: TurnProps & { onEdit: () => void }): VNode {
  const { turn, alternatives, onShow, actions, isBusy, onEdit } = props;
  const isAnswer = turn.role === 'assistant';
  const text = messages.value.chat.turn;
  return (
    <footer class="turn-footer">
      {isAnswer && (
        <div class="stats">
          {turn.model !== undefined && <span title={turn.model}>{shortName(turn.model)}</span>}
          {turn.notes?.map((note) => (
            <span key={note}>{note}</span>
          ))}
          {turn.figures && <FiguresView figures={turn.figures} />}
        </div>
      )}
      <Alternatives turn={turn} all={alternatives} onShow={onShow} isBusy={isBusy} />
      <span class="turn-actions">
        <CopyButton label={isAnswer ? text.copyAnswer : text.copyQuestion} text={() => turn.text} />
        {isAnswer && turn.text !== '' && (
          <IconButton icon="sound" label={text.readAloud} onClick={actions.onReadAloud} />
        )}
        {actions.onRetry && !turn.failure && (
          <IconButton icon="retry" label={text.again} disabled={isBusy} onClick={actions.onRetry} />
        )}
        <IconButton
          icon="pencil"
          label={isAnswer ? text.editAnswer : text.editQuestion}
          disabled={isBusy}
          onClick={onEdit}
        />
        <IconButton
          icon="branch"
          label={text.branch}
          disabled={isBusy}
          onClick={actions.onBranch}
        />
        <IconButton
          icon="trash"
          label={isAnswer ? text.deleteAnswer : text.deleteQuestion}
          disabled={isBusy}
          onClick={actions.onDelete}
        />
      </span>
    </footer>
  );
}

/** One figure; the others are behind it. */
function FiguresView({ figures }: { figures: Figures }): VNode {
  const [first, ...others] = describeFigures(figures);
  return (
    <details class="figures">
      <summary title={messages.value.chat.notes.figures}>{first}</summary>
      {others.map((text) => (
        <span key={text}>{text}</span>
      ))}
    </details>
  );
}

interface AlternativesProps {
  turn: Turn;
  all: Turn[];
  onShow: (turn: Turn) => void;
  isBusy: boolean;
}

/** `2 of 3`, with buttons to the one before and after. Nothing if there is only one. */
function Alternatives({ turn, all, onShow, isBusy }: AlternativesProps): VNode | null {
  if (all.length < 2) return null;
  const text = messages.value.chat.turn;
  const at = all.findIndex(({ id }) => id === turn.id);
  const [before, after] = [all[at - 1], all[at + 1]];
  return (
    <span class="alternatives" role="group" aria-label={text.alternatives}>
      <IconButton
        icon="back"
        label={text.before}
        disabled={!before || isBusy}
        onClick={() => before && onShow(before)}
      />
      {fill(text.position, { at: formatNumber(at + 1), all: formatNumber(all.length) })}
      <IconButton
        icon="forward"
        label={text.next}
        disabled={!after || isBusy}
        onClick={() => after && onShow(after)}
      />
    </span>
  );
}
