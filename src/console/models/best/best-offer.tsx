import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import type { Session } from '../../app/session.ts';
import { fill } from '../../messages/fill.ts';
import { messages } from '../../messages/messages.ts';
import { TextButton } from '../../ui/buttons.tsx';
import { messageOf } from '../../../core/text/message-of.ts';
import { isReadyToUse } from '../stages.ts';
import { bestOf, type Recommendation } from './best-models.ts';
import { repositoryOf } from './curated.ts';
import { describeRecommendation } from './recommendation-text.ts';
import { useRunnable } from './use-best-models.ts';

/** Offers the best model for this device beside the starter that answers; nothing if that is installed. */
export function BestOffer({ session }: { session: Session }): VNode | null {
  const found = useRunnable(session);
  const best = found.value && bestOf(found.value);
  if (!best || !navigator.onLine) return null;
  const known = session.shelf.models.value.find(({ id }) => repositoryOf(id) === best.model.id);
  if (known && (isReadyToUse(known) || known.state === 'downloading')) return null;
  const { name, use } = best.model;
  const text = messages.value.models.best;
  return (
    <section class="best-offer" aria-label={text.title}>
      <p class="note">{text.title}</p>
      <p>
        <b>{name}</b> {text.uses[use]}
      </p>
      <p class="note">{describeRecommendation(best, session.shelf.downloadSpeed)}</p>
      <DownloadButton session={session} recommended={best} />
      <p class="note">{fill(text.meanwhile, { name })}</p>
    </section>
  );
}

interface DownloadProps {
  session: Session;
  recommended: Recommendation;
}

/** Adds a recommended model to the catalog, and downloads it. Says why if that fails. */
export function DownloadButton({ session, recommended }: DownloadProps): VNode {
  const { v1, shelf } = session;
  const { actions, add } = messages.value.models;
  const status = useSignal('');
  const isAdding = useSignal(false);
  const { id, file, name } = recommended.model;
  const download = async () => {
    isAdding.value = true;
    status.value = fill(add.adding, { name });
    try {
      const added = file === undefined ? id : await v1.models.add(`${id}:${file}`);
      await shelf.refresh();
      status.value = '';
      void shelf.install(added);
    } catch (error) {
      status.value = messageOf(error);
    } finally {
      isAdding.value = false;
    }
  };
  return (
    <div class="button-row">
      <TextButton
        class="button primary"
        aria-label={`${actions.download}: ${name}`}
        disabled={isAdding.value}
        onClick={() => void download()}
      >
        {actions.download}
      </TextButton>
      <span class="note" role="status">
        {status}
      </span>
    </div>
  );
}
