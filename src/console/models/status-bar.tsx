import type { VNode } from 'preact';
import type { CatalogModel, Progress } from '../../index.ts';
import { fill } from '../messages/fill.ts';
import { messages } from '../messages/messages.ts';
import { TextButton } from '../ui/buttons.tsx';
import { formatBytes } from '../ui/format.ts';
import { onDemand } from '../ui/on-demand.tsx';
import type { ModelShelf } from './model-shelf.ts';
import { shortName } from './model-text.ts';
import { describeProgress } from './progress-text.ts';
import { useStalled } from './card/use-stalled.ts';

const FreeRoom = onDemand(async () => (await import('./storage/free-room.tsx')).FreeRoom);

/** Stages that are not shown. */
const QUIET: ReadonlySet<Progress['stage']> = new Set(['ready', 'installed', 'unloaded']);

/**
 * The progress of the model that is being downloaded, else of the one that answers. Nothing while there is
 * nothing to report.
 */
export function StatusBar({ shelf }: { shelf: ModelShelf }): VNode | null {
  const unloaded = shelf.unloaded.value;
  if (unloaded) return <DataSaved shelf={shelf} model={unloaded} />;
  const download = shelf.download.value;
  const isDownload = download !== null;
  const progress = shelf.progress.value.get(download ?? shelf.selected.value);
  if (!progress || QUIET.has(progress.stage)) return null;
  const { stage, model } = progress;
  const { progress: text, actions } = messages.value.models;
  const hasStopped = stage === 'failed' || stage === 'paused';
  return (
    <section class={`status ${stage === 'failed' ? 'failed' : ''}`} aria-label={text.status}>
      <ProgressLines progress={progress} />
      {isDownload && stage === 'download' && (
        <TextButton onClick={() => void shelf.pauseDownload()}>{actions.pause}</TextButton>
      )}
      {isDownload && hasStopped && (
        <TextButton onClick={() => shelf.dismissDownload()}>{text.dismiss}</TextButton>
      )}
      {hasStopped && (
        <TextButton onClick={() => void shelf.retry(model)}>
          {stage === 'paused' ? actions.resume : text.retry}
        </TextButton>
      )}
      <ProgressBar progress={progress} />
      {stage === 'failed' && shelf.lacksRoom(model) && <FreeRoom shelf={shelf} wanted={model} />}
    </section>
  );
}

/** Asks before the first model is downloaded. */
function DataSaved({ shelf, model }: { shelf: ModelShelf; model: CatalogModel }): VNode {
  const { actions, facts, progress, saveData } = messages.value.models;
  const { id, bytes } = model;
  const size = bytes === undefined ? facts.unknown : formatBytes(bytes);
  const download = () => {
    shelf.confirm(id);
    void shelf.select(id);
  };
  return (
    <section class="status" aria-label={progress.status}>
      <span class="status-title" role="status">
        {fill(saveData, { name: shortName(id), size })}
      </span>
      <TextButton onClick={download}>{actions.download}</TextButton>
    </section>
  );
}

function ProgressLines({ progress }: { progress: Progress }): VNode {
  const { title, percent, detail } = describeProgress(progress);
  const isStalled = useStalled(progress);
  return (
    <div class="status-lines">
      <span class="status-title" role="status">
        <b>{shortName(progress.model)}</b> {title}
      </span>
      <span class="status-percent">{percent}</span>
      <span class="status-detail" role={isStalled.value ? 'status' : undefined}>
        {isStalled.value ? messages.value.models.progress.stalled : detail}
      </span>
    </div>
  );
}

export function ProgressBar({ progress }: { progress: Progress }): VNode {
  const { fraction } = describeProgress(progress);
  const { label } = messages.value.models.progress;
  return <progress max="1" aria-label={label} {...(fraction !== null && { value: fraction })} />;
}
