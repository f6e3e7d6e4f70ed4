import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Progress } from '../../index.ts';
import { hasMembers, parsed } from '../json.ts';
import { fill } from '../messages/fill.ts';
import { messages } from '../messages/messages.ts';
import { shortName } from '../models/model-text.ts';
import { describeProgress } from '../models/progress-text.ts';
import { TextButton } from '../ui/buttons.tsx';
import { formatPercent } from '../ui/format.ts';
import { onDemand } from '../ui/on-demand.tsx';
import type { RunningAnswer } from './answer/running-answer.ts';
import { useInterrupted } from './answer/written-answers.ts';
import type { Turn } from './conversation/conversation.ts';
import { FailureCard } from './failure-card.tsx';
import { JsonTree } from './json-tree.tsx';
import { withFootnotes } from './library/sources.ts';
import { Markdown } from './markdown/markdown.tsx';
import { ToolCalls } from './tools/tool-views.tsx';
import { TurnFooter, type TurnProps } from './turn-footer.tsx';

const Sources = onDemand(async () => (await import('./library/sources-view.tsx')).Sources);
const ServerSteps = onDemand(async () => (await import('./servers/server-steps.tsx')).ServerSteps);
export const Decisions = onDemand(
  async () => (await import('./servers/server-steps.tsx')).Decisions,
);
const ToolResultsForm = onDemand(
  async () => (await import('./tools/tool-form.tsx')).ToolResultsForm,
);
const GoneFilesCard = onDemand(
  async () => (await import('./library/gone-files-card.tsx')).GoneFilesCard,
);

/** Stages of a model that cannot answer yet. */
const ON_THE_WAY: ReadonlySet<Progress['stage']> = new Set(['download', 'paused', 'load']);

interface Running {
  answer: RunningAnswer;
  /** Progress of the model that answers. */
  progress: Progress | undefined;
}

export interface AnswerProps extends TurnProps {
  /** Set while this tab writes the answer. */
  running: Running | undefined;
  /** Reads the conversation again. */
  onRefresh: () => Promise<void>;
}

interface EditableProps extends AnswerProps {
  onEdit: () => void;
}

/**
 * An answer. The same elements show it while it is written and afterwards: at its end, what is selected stays selected,
 * and a long text is not laid out again.
 */
export function AnswerView(props: EditableProps): VNode {
  const { running, actions, onRefresh } = props;
  const turn = running?.answer.drawnInto(props.turn) ?? props.turn;
  const isSaved = !running && turn.progress === 'writing';
  const isInterrupted = useInterrupted(turn, isSaved, onRefresh);
  const isElsewhere = isSaved && !isInterrupted;
  const isGrowing = running !== undefined || isElsewhere;
  const words = messages.value.chat;
  const onDecide = isGrowing ? undefined : actions.onDecide;
  return (
    <article class="answer" aria-label={words.answer} aria-busy={isGrowing}>
      <ServedBy name={turn.servedBy ?? ''} />
      <Thoughts text={turn.reasoning ?? ''} />
      {turn.steps && <ServerSteps steps={turn.steps} {...(onDecide && { onDecide })} />}
      <AnswerText turn={turn} isGrowing={isGrowing} />
      {turn.sources && <Sources sources={turn.sources} />}
      <ToolCalls calls={turn.toolCalls ?? []} isGrowing={isGrowing} />
      {running && <RunningNotes {...running} />}
      {isElsewhere && <p class="stats">{words.notes.elsewhere}</p>}
      {!isGrowing && (
        <AnswerEnd
          {...props}
          turn={isInterrupted ? { ...turn, notes: [words.notes.interrupted] } : turn}
        />
      )}
    </article>
  );
}

/** What an answer that is being written waits for. */
function RunningNotes({ answer, progress }: Running): VNode {
  const { text, reading, waiting } = answer;
  const fraction = reading.value;
  return (
    <>
      <WaitsForModel answer={answer} progress={progress} />
      {waiting.value !== '' && <p class="stats">{waiting}</p>}
      {fraction !== null && fraction < 1 && text.value === '' && (
        <p class="stats">
          {fill(messages.value.chat.notes.reading, { percent: formatPercent(fraction) })}
        </p>
      )}
    </>
  );
}

/** Says that the model of an answer is being downloaded or loaded. */
function WaitsForModel({ answer, progress }: Running): VNode | null {
  const hasBegun = answer.text.value !== '' || answer.reasoning.value !== '';
  if (hasBegun || !progress || !ON_THE_WAY.has(progress.stage)) return null;
  const { title, percent, detail } = describeProgress(progress);
  const name = shortName(answer.model);
  return (
    <p class="stats">
      <span>{fill(messages.value.chat.notes.waitsFor, { name })}</span>
      {[title, percent, detail]
        .filter((part) => part !== '')
        .map((part) => (
          <span key={part}>{part}</span>
        ))}
    </p>
  );
}

/** What stands below an answer that is no longer written: what can be done with it, and what is known about it. */
function AnswerEnd(props: EditableProps): VNode {
  const { turn, actions, code = {}, library, isBusy } = props;
  const { toolCalls = [], failure } = turn;
  const { chat, models, attachments } = messages.value;
  return (
    <>
      {actions.onResults && toolCalls.length > 0 && (
        <ToolResultsForm calls={toolCalls} code={code} onSend={actions.onResults} />
      )}
      {failure?.gone && actions.onInstead && (
        <GoneFilesCard
          gone={failure.gone}
          library={library}
          without={attachments.without}
          onInstead={actions.onInstead}
        />
      )}
      {failure && !failure.gone && (
        <FailureCard
          failure={failure}
          {...(actions.onRetry && { onRetry: actions.onRetry })}
          {...(actions.onDropOldest && { onDropOldest: actions.onDropOldest })}
        />
      )}
      {turn.progress === 'looped' && (
        <div class="looped">
          <p class="note">{chat.notes.looped}</p>
          <TextButton disabled={isBusy} onClick={actions.onRetry}>
            {models.actions.tryAgain}
          </TextButton>
        </div>
      )}
      {actions.onGoOn && (
        <TextButton disabled={isBusy} onClick={actions.onGoOn}>
          {chat.turn.goOn}
        </TextButton>
      )}
      <TurnFooter {...props} />
    </>
  );
}

interface AnswerTextProps {
  turn: Turn;
  isGrowing: boolean;
}

/** A whole answer that is a JSON object or list is a tree, any other is Markdown. */
function AnswerText({ turn, isGrowing }: AnswerTextProps): VNode {
  const { text, citations = [], sources = [] } = turn;
  const value = useMemo(
    () => (!isGrowing && /^\s*[[{]/.test(text) ? parsed(text) : undefined),
    [text, isGrowing],
  );
  const isTree = hasMembers(value) && Object.keys(value).length > 0;
  if (isTree) return <JsonTree value={value} />;
  // Footnotes would change what has been drawn.
  const shown = isGrowing ? text : withFootnotes(text, citations, sources);
  return <Markdown text={shown} isGrowing={isGrowing} />;
}

/** Marks an answer for which the conversation has left the device. */
function ServedBy({ name }: { name: string }): VNode | null {
  if (name === '') return null;
  return <p class="served-by">{fill(messages.value.chat.servedBy, { name })}</p>;
}

/** What a model thought before its answer, folded. */
function Thoughts({ text }: { text: string }): VNode | null {
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
