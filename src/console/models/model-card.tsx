import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { goTo } from '../app/route.ts';
import type { Session } from '../app/session.ts';
import type { CatalogModel, Progress } from '../../index.ts';
import { TextButton } from '../ui/buttons.tsx';
import { formatBytes } from '../ui/format.ts';
import { ModelConfirmation } from './model-confirmation.tsx';
import { describeModel, describeObstacles, shortName } from './model-text.ts';
import { describeProgress } from './progress-text.ts';
import { isReadyToUse } from './ready-to-use.ts';
import { isStored, STAGE_NAMES } from './stages.ts';
import { ProgressBar } from './status-bar.tsx';

interface CardProps {
  session: Session;
  model: CatalogModel;
}

const ACTIVE: ReadonlySet<Progress['stage']> = new Set(['download', 'load', 'failed']);

/** One model with its state and what can be done with it. */
export function ModelCard({ session, model }: CardProps): VNode {
  const { shelf } = session;
  const question = useSignal<'install' | 'remove' | null>(null);
  const progress = shelf.progress.value.get(model.id);
  const stage = model.state === 'loaded' ? 'ready' : (progress?.stage ?? 'unloaded');
  const asked = question.value;
  const carryOut = () => {
    question.value = null;
    void (asked === 'remove' ? shelf.remove(model.id) : shelf.install(model.id));
  };
  return (
    <li class="card" data-stage={stage}>
      {asked ? (
        <ModelConfirmation
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
          {progress && ACTIVE.has(progress.stage) && <ProgressOf progress={progress} />}
          <Details model={model} />
          <Actions session={session} model={model} onAsk={(action) => (question.value = action)} />
        </>
      )}
    </li>
  );
}

function stateText({ state }: CatalogModel, stage: Progress['stage']): string {
  return state === 'available' || state === 'embedded' ? '' : STAGE_NAMES[stage];
}

function ProgressOf({ progress }: { progress: Progress }): VNode {
  const { title, percent, detail } = describeProgress(progress);
  const text = [title, percent, detail].filter((part) => part !== '').join(' · ');
  return (
    <div class={`card-progress ${progress.stage === 'failed' ? 'failed' : ''}`} role="status">
      <p>{text}</p>
      {progress.stage !== 'failed' && <ProgressBar progress={progress} />}
    </div>
  );
}

/** The facts that decide whether to download it, and the ways to run it. */
function Details({ model }: { model: CatalogModel }): VNode {
  const { id, task, license, variants, variant } = model;
  const facts: [string, string | undefined][] = [
    ['Id', id],
    ['Task', task],
    ['Licence', license],
    ['Memory when loaded', model.gpuBytes && formatBytes(model.gpuBytes)],
    ['Context', model.contextLength && `${model.contextLength.toLocaleString('en')} tokens`],
  ].map(([name, value]) => [String(name), value === undefined ? undefined : String(value)]);
  return (
    <details class="card-details">
      <summary>Details</summary>
      <dl>
        {facts.map(
          ([name, value]) =>
            value !== undefined && (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
        {variants.map((offer) => {
          const { engine, quantization, bytes, obstacles } = offer;
          const isUsed = engine === variant.engine && quantization === variant.quantization;
          const size = bytes === undefined ? '' : ` · ${formatBytes(bytes)}`;
          const reasons = describeObstacles(obstacles);
          return (
            <div key={engine + quantization}>
              <dt>
                {engine} {quantization}
              </dt>
              <dd>
                {isUsed
                  ? 'Used here'
                  : reasons.length === 0
                    ? 'Not used: the other is faster here'
                    : 'Not used'}
                {size}
                {reasons.map((reason) => (
                  <p key={reason}>{reason}</p>
                ))}
              </dd>
            </div>
          );
        })}
      </dl>
    </details>
  );
}

interface ActionsProps extends CardProps {
  onAsk: (action: 'install' | 'remove') => void;
}

function Actions({ session: { shelf }, model, onAsk }: ActionsProps): VNode {
  const { id, state, task } = model;
  const isChat = task === 'chat' && isReadyToUse(model);
  const use = () => {
    goTo('chat');
    void shelf.select(id);
  };
  return (
    <div class="button-row">
      {isStored(model) && <TextButton onClick={() => onAsk('remove')}>Delete</TextButton>}
      {state === 'loaded' && <TextButton onClick={() => void shelf.unload(id)}>Unload</TextButton>}
      {state === 'downloading' && (
        <TextButton onClick={() => void shelf.pause(id)}>Pause</TextButton>
      )}
      {state === 'paused' && <TextButton onClick={() => void shelf.install(id)}>Resume</TextButton>}
      {state === 'available' && <TextButton onClick={() => onAsk('install')}>Download</TextButton>}
      {isReadyToUse(model) && state !== 'loaded' && (
        <TextButton onClick={() => void shelf.load(id)}>Load</TextButton>
      )}
      {isChat && (
        <TextButton class="button primary" onClick={use}>
          Chat
        </TextButton>
      )}
    </div>
  );
}
