import type { VNode } from 'preact';
import type { Session } from '../../app/session.ts';
import { goTo } from '../../app/route.ts';
import { messages } from '../../messages/messages.ts';
import { TextButton } from '../../ui/buttons.tsx';
import { isReadyToUse } from '../stages.ts';
import { DownloadButton } from './best-offer.tsx';
import { threeOf, type Recommendation } from './best-models.ts';
import { repositoryOf } from './curated.ts';
import { describeRecommendation } from './recommendation-text.ts';
import { useRunnable } from './use-best-models.ts';

/** At most three models that are the best for this device. Its speed is measured first, by the model that answers. */
export function BestCards({ session }: { session: Session }): VNode | null {
  const { shelf } = session;
  const found = useRunnable(session);
  const isMeasuring = !found.value && shelf.find(shelf.selected.value)?.state === 'loaded';
  const three = threeOf(found.value ?? []);
  if (three.length === 0 && !isMeasuring) return null;
  const { best, measurement } = messages.value.models;
  return (
    <section class="model-cards best-models" aria-label={best.three}>
      <h2>{best.three}</h2>
      {isMeasuring && (
        <p class="note" role="status">
          {measurement.running}
        </p>
      )}
      <ul class="best-cards">
        {three.map((each) => (
          <BestCard key={each.model.id} session={session} recommended={each} />
        ))}
      </ul>
    </section>
  );
}

interface CardProps {
  session: Session;
  recommended: Recommendation;
}

function BestCard({ session, recommended }: CardProps): VNode {
  const { shelf } = session;
  const { best, actions, stages } = messages.value.models;
  const { id, name, use } = recommended.model;
  const known = shelf.models.value.find((model) => repositoryOf(model.id) === id);
  const isReady = known !== undefined && isReadyToUse(known);
  const chat = () => {
    goTo('chat');
    if (known) void shelf.select(known.id);
  };
  return (
    <li class="card">
      <h3>{name}</h3>
      <p>{best.uses[use]}</p>
      <p class="note">{describeRecommendation(recommended, shelf.downloadSpeed)}</p>
      {isReady && (
        <div class="button-row">
          <TextButton class="button primary" aria-label={`${actions.chat}: ${name}`} onClick={chat}>
            {actions.chat}
          </TextButton>
        </div>
      )}
      {!isReady && known?.state === 'downloading' && <p class="note">{stages.download}</p>}
      {!isReady && known?.state !== 'downloading' && (
        <DownloadButton session={session} recommended={recommended} />
      )}
    </li>
  );
}
