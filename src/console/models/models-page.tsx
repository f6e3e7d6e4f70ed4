import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Session } from '../app/session.ts';
import { TopBar } from '../app/top-bar.tsx';
import type { CatalogModel, Task } from '../../index.ts';
import { messages } from '../messages/messages.ts';
import { ScrolledColumn } from '../ui/follow-end.tsx';
import { BestCards } from './best/best-cards.tsx';
import { isAddress } from './hub/add-model.ts';
import { ModelFinder } from './hub/model-finder.tsx';
import { ModelCard } from './card/model-card.tsx';
import { searchModels } from './model-text.ts';
import { GROUPS } from './stages.ts';
import { StorageBar } from './storage/storage-bar.tsx';
import { FitModels } from './unfit-models.tsx';

/** All models, grouped by their state. */
export function ModelsPage({ session }: { session: Session }): VNode {
  const { shelf } = session;
  const { app, models: text } = messages.value;
  const query = useSignal('');
  const task = useSignal<Task | ''>('');
  useEffect(() => void shelf.refresh(), []);
  const isWanted = (model: CatalogModel) => task.value === '' || model.task === task.value;
  const found = searchModels(shelf.all.value, query.value).filter(isWanted);
  const groups = GROUPS.map(({ states, name }) => ({
    title: text.groups[name],
    members: found.filter(({ state }) => states.includes(state)),
  })).filter(({ members }) => members.length > 0);
  return (
    <div class="page">
      <TopBar />
      <ScrolledColumn>
        <h1 class="page-title">{app.pages.models}</h1>
        <ModelFinder session={session} query={query} task={task} />
        {query.value === '' && <BestCards session={session} />}
        <StorageBar session={session} />
        {groups.map(({ title, members }) => (
          <section key={title} class="model-cards" aria-label={title}>
            <h2>{title}</h2>
            <FitModels models={members} isSearched={query.value !== ''} wanted={shelf.shown.value}>
              {(model) => <ModelCard key={model.id} session={session} model={model} />}
            </FitModels>
          </section>
        ))}
        {groups.length === 0 && !isAddress(query.value.trim()) && (
          <p class="note">{text.noMatch}</p>
        )}
      </ScrolledColumn>
    </div>
  );
}
