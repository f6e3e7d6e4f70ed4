import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import type { Session } from '../../app/session.ts';
import type { FoundModel } from '../../../index.ts';
import { messages } from '../../messages/messages.ts';
import { TextButton } from '../../ui/buttons.tsx';
import { formatNumber } from '../../ui/format.ts';
import { ModelCard } from '../card/model-card.tsx';
import { ownerOf, shortName } from '../model-text.ts';
import { messageOf } from '../../../core/text/message-of.ts';

interface FoundProps {
  session: Session;
  found: readonly FoundModel[];
}

/** The models that a search of the hub has found. */
export function FoundModels({ session, found }: FoundProps): VNode {
  const { title } = messages.value.models.hub;
  return (
    <section class="model-cards" aria-label={title}>
      <h2>{title}</h2>
      <ul>
        {found.map((model) => (
          <FoundCard key={model.id} session={session} found={model} />
        ))}
      </ul>
    </section>
  );
}

/** A model of the hub. Once the catalog has it, asks whether to download it, on its card. */
function FoundCard({ session, found }: { session: Session; found: FoundModel }): VNode {
  const { v1, shelf } = session;
  const { hub, actions } = messages.value.models;
  const id = useSignal(found.id);
  const status = useSignal('');
  const isWanted = useSignal(false);
  const known = shelf.find(id.value);
  if (known) return <ModelCard session={session} model={known} isWanted={isWanted.value} />;
  const add = async () => {
    status.value = hub.reading;
    isWanted.value = true;
    try {
      id.value = await v1.models.add(found.id);
      await shelf.refresh();
    } catch (error) {
      status.value = messageOf(error);
    }
  };
  return (
    <li class="card">
      <div class="card-head">
        <h3>{shortName(found.id)}</h3>
        <span class="note">{ownerOf(found.id)}</span>
      </div>
      <FoundFacts found={found} />
      <div class="button-row">
        <TextButton disabled={found.gated} onClick={() => void add()}>
          {actions.download}
        </TextButton>
      </div>
      {status.value !== '' && (
        <p class="note" role="status">
          {status}
        </p>
      )}
    </li>
  );
}

function FoundFacts({ found }: { found: FoundModel }): VNode {
  const { formats, downloads, likes, license, gated } = found;
  const { hub: text, facts: names } = messages.value.models;
  const facts = [
    { name: text.files, value: formats.map((format) => text.formats[format]).join(', ') },
    { name: text.downloads, value: formatNumber(downloads) },
    { name: text.likes, value: formatNumber(likes) },
    { name: names.licence, value: license ?? names.unknown },
  ];
  return (
    <>
      <dl>
        {facts.map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {gated && <p class="note">{text.gated}</p>}
    </>
  );
}
