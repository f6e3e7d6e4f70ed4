import { useSignal } from '@preact/signals';
import type { ComponentChildren, VNode } from 'preact';
import type { CatalogModel } from '../../index.ts';
import { fill } from '../messages/fill.ts';
import { messages } from '../messages/messages.ts';
import { IconButton } from '../ui/buttons.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Icon } from '../ui/icons.tsx';
import { ModelConfirmation } from './card/model-confirmation.tsx';
import type { ListedModels } from './listed-models.ts';
import type { ModelShelf } from './model-shelf.ts';
import { describeModel, ownerOf, searchModels, shortName } from './model-text.ts';
import { starterName } from './starter.ts';
import { GROUPS, isStored, needsDownload } from './stages.ts';
import { FitModels } from './unfit-models.tsx';

/** The list has a search field from this many models on. */
const SEARCH_FROM = 9;

interface PickerProps {
  shelf: ModelShelf;
  listed: ListedModels;
}

type Question = { model: CatalogModel; action: 'install' | 'remove' };

/** A button with the name of the model that answers. It opens the list to choose another one. */
export function ModelPicker({ shelf, listed }: PickerProps): VNode {
  const { picker: text, stages } = messages.value.models;
  const isOpen = useSignal(false);
  const id = shelf.selected.value;
  const name = id === '' ? text.none : (starterName(shelf.find(id)) ?? shortName(id));
  const server = listed.elsewhere.value.get(id);
  const stage = shelf.progress.value.get(id)?.stage ?? 'unloaded';
  const open = () => {
    isOpen.value = true;
    void shelf.refresh();
    if (listed.elsewhere.value.size > 0) void listed.refresh();
  };
  return (
    <>
      <button
        type="button"
        class="model-button"
        aria-haspopup="dialog"
        aria-label={fill(text.label, {
          name,
          stage: server === undefined ? stages[stage] : fill(text.at, { server }),
        })}
        data-stage={stage}
        title={`${text.choose}\n${id}`.trim()}
        onClick={open}
      >
        <span class="dot" />
        <span class="model-name">{name}</span>
        <Icon name="chevron" />
      </button>
      {isOpen.value && (
        <PickerDialog shelf={shelf} listed={listed} onClose={() => (isOpen.value = false)} />
      )}
    </>
  );
}

function PickerDialog({ shelf, listed, onClose }: PickerProps & { onClose: () => void }): VNode {
  const text = messages.value.models;
  const query = useSignal('');
  const question = useSignal<Question | null>(null);
  const choose = (model: CatalogModel) => {
    if (model.state === 'available') return void (question.value = { model, action: 'install' });
    onClose();
    // A download that the user has already confirmed continues without asking again.
    void (needsDownload(model) ? shelf.install(model.id) : shelf.select(model.id));
  };
  const carryOut = ({ model, action }: Question) => {
    question.value = null;
    if (action === 'remove') return void shelf.remove(model.id);
    onClose();
    void shelf.install(model.id);
  };
  const asked = question.value;
  const models = shelf.models.value;
  return (
    <Dialog title={messages.value.app.pages.models} name="models" onClose={onClose}>
      {asked ? (
        <ModelConfirmation
          shelf={shelf}
          model={shelf.find(asked.model.id) ?? asked.model}
          action={asked.action}
          onCancel={() => (question.value = null)}
          onConfirm={() => carryOut(asked)}
        />
      ) : (
        <>
          {models.length >= SEARCH_FROM && (
            <input
              type="search"
              class="model-search"
              placeholder={text.search}
              aria-label={text.search}
              value={query.value}
              onInput={({ currentTarget }) => (query.value = currentTarget.value)}
            />
          )}
          {!navigator.onLine && <p class="note">{text.picker.offline}</p>}
          <ModelGroups
            models={searchModels(models, query.value)}
            isSearched={query.value !== ''}
            selected={shelf.selected.value}
            onChoose={choose}
            onRemove={(model) => (question.value = { model, action: 'remove' })}
          />
          <ElsewhereGroups
            models={[...listed.elsewhere.value]}
            selected={shelf.selected.value}
            onChoose={(id) => {
              onClose();
              shelf.selectElsewhere(id);
            }}
          />
          <a class="note" href="#/models">
            {text.picker.all}
          </a>
        </>
      )}
    </Dialog>
  );
}

interface GroupsProps {
  models: CatalogModel[];
  selected: string;
  isSearched: boolean;
  onChoose: (model: CatalogModel) => void;
  onRemove: (model: CatalogModel) => void;
}

function ModelGroups({ models, selected, isSearched, onChoose, onRemove }: GroupsProps): VNode {
  const { groups: titles, picker } = messages.value.models;
  const groups = GROUPS.map(({ states, name }) => ({
    title: titles[name],
    members: models.filter(({ state }) => states.includes(state)),
  })).filter(({ members }) => members.length > 0);
  if (groups.length === 0) return <p class="note">{picker.noMatch}</p>;
  return (
    <div class="model-groups">
      {groups.map(({ title, members }) => (
        <section key={title}>
          <h3>{title}</h3>
          <FitModels models={members} isSearched={isSearched}>
            {(model) => (
              <li key={model.id}>
                <ModelChoice
                  model={model}
                  isChosen={model.id === selected}
                  onChoose={() => onChoose(model)}
                />
                {isStored(model) && (
                  <IconButton
                    icon="trash"
                    label={fill(picker.delete, { name: shortName(model.id) })}
                    onClick={() => onRemove(model)}
                  />
                )}
              </li>
            )}
          </FitModels>
        </section>
      ))}
    </div>
  );
}

interface ElsewhereProps {
  /** Id and server of each. */
  models: [id: string, server: string][];
  selected: string;
  onChoose: (id: string) => void;
}

/** Models of other servers, a group for each server. */
function ElsewhereGroups({ models, selected, onChoose }: ElsewhereProps): VNode {
  const servers = [...new Set(models.map(([, server]) => server))];
  return (
    <div class="model-groups">
      {servers.map((name) => (
        <section key={name}>
          <h3>{fill(messages.value.models.picker.elsewhere, { server: name })}</h3>
          <ul>
            {models
              .filter(([, server]) => server === name)
              .map(([id]) => (
                <li key={id}>
                  <ChoiceRow
                    title={shortName(id)}
                    meta={ownerOf(id)}
                    isChosen={id === selected}
                    onChoose={() => onChoose(id)}
                  />
                </li>
              ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

interface ChoiceProps {
  model: CatalogModel;
  isChosen: boolean;
  onChoose: () => void;
}

function ModelChoice({ model, isChosen, onChoose }: ChoiceProps): VNode {
  return (
    <ChoiceRow
      title={shortName(model.id)}
      meta={describeModel(model)}
      isChosen={isChosen}
      onChoose={onChoose}
    >
      {needsDownload(model) && <Icon name="download" />}
    </ChoiceRow>
  );
}

interface RowProps {
  title: string;
  meta: string;
  isChosen: boolean;
  onChoose: () => void;
  /** Shown at the end, unless it is chosen. */
  children?: ComponentChildren;
}

function ChoiceRow({ title, meta, isChosen, onChoose, children }: RowProps): VNode {
  return (
    <button type="button" class="model-row" aria-current={isChosen} onClick={onChoose}>
      <span class="model-id">
        <span class="model-title">{title}</span>
        <span class="model-meta">{meta}</span>
      </span>
      {isChosen ? <Icon name="check" /> : children}
    </button>
  );
}
