import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { goTo } from '../../app/route.ts';
import type { Session } from '../../app/session.ts';
import type { CatalogModel, Progress } from '../../../index.ts';
import { messages } from '../../messages/messages.ts';
import { TextButton } from '../../ui/buttons.tsx';
import { onDemand } from '../../ui/on-demand.tsx';
import { canBeMeasured, describeMeasurement } from './measurement-text.ts';
import { MeasureButton } from './measure-button.tsx';
import { canBeReloaded, MemoryFields } from './memory-fields.tsx';
import { ModelConfirmation } from './model-confirmation.tsx';
import { ModelFacts } from './model-facts.tsx';
import { describeModel, describeObstacles, describeStop, shortName } from '../model-text.ts';
import { isUnfit } from '../unfit-models.tsx';
import { describeProgress } from '../progress-text.ts';
import { isReadyToUse, isStored } from '../stages.ts';
import { ProgressBar } from '../status-bar.tsx';
import { useStalled } from './use-stalled.ts';

const FreeRoom = onDemand(async () => (await import('../storage/free-room.tsx')).FreeRoom);

interface CardProps {
  session: Session;
  model: CatalogModel;
}

interface AskingProps extends CardProps {
  /** Whether the card begins with the question whether to download the model. */
  isWanted?: boolean;
}

const ACTIVE: ReadonlySet<Progress['stage']> = new Set(['download', 'load', 'failed']);

/** One model with its state and its actions. */
export function ModelCard({ session, model, isWanted = false }: AskingProps): VNode {
  const { shelf } = session;
  const asksAtOnce = isWanted && model.state === 'available' && !isUnfit(model);
  const question = useSignal<'install' | 'remove' | null>(asksAtOnce ? 'install' : null);
  const progress = shelf.progress.value.get(model.id);
  const stage = model.state === 'loaded' ? 'ready' : (progress?.stage ?? 'unloaded');
  const hasFailed = stage === 'failed' || model.stopped?.why === 'failed';
  const asked = question.value;
  const card = useRef<HTMLLIElement>(null);
  const isShown = shelf.shown.value === model.id;
  useEffect(() => {
    if (isShown) card.current?.scrollIntoView({ block: 'center' });
  }, [isShown]);
  const carryOut = () => {
    question.value = null;
    void (asked === 'remove' ? shelf.remove(model.id) : shelf.install(model.id));
  };
  return (
    <li class="card" data-stage={stage} ref={card}>
      {asked ? (
        <ModelConfirmation
          shelf={shelf}
          model={model}
          action={asked}
          onCancel={() => (question.value = null)}
          onConfirm={carryOut}
        />
      ) : (
        <>
          <div class="card-head">
            <span class="dot" />
            <h3>{shortName(model.id)}</h3>
            <span class="note">{stateText(model, stage)}</span>
          </div>
          <p class="note">{describeModel(model)}</p>
          {isUnfit(model) && <p class="note">{describeObstacles(model.obstacles).join(' ')}</p>}
          {progress && ACTIVE.has(progress.stage) && <ProgressOf progress={progress} />}
          {model.stopped && !ACTIVE.has(stage) && <p class="note">{describeStop(model.stopped)}</p>}
          {hasFailed && shelf.lacksRoom(model.id) && <FreeRoom shelf={shelf} wanted={model.id} />}
          {model.measured && <p class="note">{describeMeasurement(model.measured)}</p>}
          <details class="card-details" open={isShown}>
            <summary>{messages.value.models.details}</summary>
            <ModelFacts model={model} memoryBudget={shelf.memoryBudget} />
            {canBeReloaded(model) && <MemoryFields session={session} model={model} />}
          </details>
          <Actions
            session={session}
            model={model}
            stage={stage}
            onAsk={(action) => (question.value = action)}
          />
        </>
      )}
    </li>
  );
}

function stateText({ state }: CatalogModel, stage: Progress['stage']): string {
  return state === 'available' || state === 'embedded' ? '' : messages.value.models.stages[stage];
}

function ProgressOf({ progress }: { progress: Progress }): VNode {
  const { title, percent, detail } = describeProgress(progress);
  const isStalled = useStalled(progress);
  const parts = isStalled.value
    ? [percent, messages.value.models.progress.stalled]
    : [title, percent, detail];
  return (
    <div class={`card-progress ${progress.stage === 'failed' ? 'failed' : ''}`} role="status">
      <p>{parts.filter((part) => part !== '').join(' · ')}</p>
      {progress.stage !== 'failed' && <ProgressBar progress={progress} />}
    </div>
  );
}

interface ActionsProps extends CardProps {
  stage: Progress['stage'];
  onAsk: (action: 'install' | 'remove') => void;
}

function Actions({ session, model, stage, onAsk }: ActionsProps): VNode {
  const { shelf } = session;
  const { id, task } = model;
  const text = messages.value.models.actions;
  // The list follows a moment later, when the first bytes have arrived.
  const state = stage === 'download' ? 'downloading' : model.state;
  const hasFailed = stage === 'failed';
  const mayRead = model.permission === undefined || model.permission === 'granted';
  const isReady = isReadyToUse(model) && mayRead;
  const isChat = task === 'chat' && isReady;
  const use = () => {
    goTo('chat');
    void shelf.select(id);
  };
  const allow = () => {
    void session.v1.models.allow(id).then(() => shelf.refresh());
  };
  return (
    <div class="button-row">
      {isStored({ state }) && (
        <TextButton onClick={() => onAsk('remove')}>{text.delete}</TextButton>
      )}
      {state === 'loaded' && (
        <TextButton onClick={() => void shelf.unload(id)}>{text.unload}</TextButton>
      )}
      {state === 'downloading' && (
        <TextButton onClick={() => void shelf.pause(id)}>{text.pause}</TextButton>
      )}
      {state === 'paused' && (
        <TextButton onClick={() => void shelf.install(id)}>{text.resume}</TextButton>
      )}
      {state === 'available' && hasFailed && (
        <TextButton onClick={() => void shelf.install(id)}>{text.tryAgain}</TextButton>
      )}
      {state === 'available' && !hasFailed && (
        <TextButton onClick={() => onAsk('install')}>{text.download}</TextButton>
      )}
      {!mayRead && <TextButton onClick={allow}>{text.allow}</TextButton>}
      {isReady && state !== 'loaded' && (
        <TextButton onClick={() => void shelf.load(id)}>{text.load}</TextButton>
      )}
      {canBeMeasured(model) && <MeasureButton session={session} model={model} />}
      {isChat && (
        <TextButton class="button primary" onClick={use}>
          {text.chat}
        </TextButton>
      )}
    </div>
  );
}
