import type { VNode } from 'preact';
import type { Progress } from '../../index.ts';
import { fill } from '../messages/fill.ts';
import { messages } from '../messages/messages.ts';
import { shortName } from '../models/model-text.ts';
import { describeProgress } from '../models/progress-text.ts';
import { formatPercent } from '../ui/format.ts';
import type { RunningAnswer } from './answer/running-answer.ts';
import { useInterrupted } from './answer/written-answers.ts';
import { Markdown } from './markdown/markdown.tsx';
import { ToolCalls } from './tools/tool-views.tsx';
import type { TurnProps } from './turn-footer.tsx';
import { ServedBy, ServerSteps, Sources, Thoughts, TurnView } from './turn-view.tsx';

/** Stages of a model that cannot answer yet. */
const ON_THE_WAY: ReadonlySet<Progress['stage']> = new Set(['download', 'paused', 'load']);

interface RunningProps {
  answer: RunningAnswer;
  /** Progress of the model that answers. */
  progress: Progress | undefined;
}

/** An answer that is still being generated. */
export function RunningTurn({ answer, progress }: RunningProps): VNode {
  const { text, reasoning, toolCalls, reading, waiting } = answer;
  const words = messages.value.chat;
  const fraction = reading.value;
  const isReading = fraction !== null && fraction < 1 && text.value === '';
  return (
    <article class="answer" aria-label={words.answer} aria-busy="true">
      <ServedBy name={answer.servedBy.value} />
      <Thoughts text={reasoning.value} />
      {answer.steps.value.length > 0 && <ServerSteps steps={answer.steps.value} />}
      <Markdown text={text.value} isGrowing />
      {answer.sources.value.length > 0 && <Sources sources={answer.sources.value} />}
      <ToolCalls calls={toolCalls.value} isGrowing />
      <WaitsForModel answer={answer} progress={progress} />
      {waiting.value !== '' && <p class="stats">{waiting}</p>}
      {isReading && (
        <p class="stats">{fill(words.notes.reading, { percent: formatPercent(fraction) })}</p>
      )}
    </article>
  );
}

/** Says that the model of an answer is being downloaded or loaded. */
function WaitsForModel({ answer, progress }: RunningProps): VNode | null {
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

interface SavedTurnProps extends TurnProps {
  /** Reads the conversation again. */
  onRefresh: () => Promise<void>;
}

/** An answer that was saved while it was written: another tab still writes it, or it was interrupted. */
export function SavedTurn({ onRefresh, ...props }: SavedTurnProps): VNode {
  const { turn } = props;
  const words = messages.value.chat;
  const isInterrupted = useInterrupted(turn, onRefresh);
  if (isInterrupted.value) {
    return <TurnView {...props} turn={{ ...turn, notes: [words.notes.interrupted] }} />;
  }
  return (
    <article class="answer" aria-label={words.answer} aria-busy="true">
      <ServedBy name={turn.servedBy ?? ''} />
      <Thoughts text={turn.reasoning ?? ''} />
      <Markdown text={turn.text} isGrowing />
      <p class="stats">{words.notes.elsewhere}</p>
    </article>
  );
}
