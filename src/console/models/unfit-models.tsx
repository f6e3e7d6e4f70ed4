import { useSignal } from '@preact/signals';
import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { CatalogModel } from '../../index.ts';
import { fill } from '../messages/fill.ts';
import { messages } from '../messages/messages.ts';
import { TextButton } from '../ui/buttons.tsx';
import { Folded } from '../ui/folded.tsx';

/** Whether a model that could be downloaded would not run here. Missing storage can be freed. */
export function isUnfit({ state, obstacles }: CatalogModel): boolean {
  return state === 'available' && obstacles.some((obstacle) => obstacle !== 'storage');
}

interface FitProps {
  models: readonly CatalogModel[];
  /** Whether the user searches: then what does not run here is not folded away. */
  isSearched: boolean;
  /** Id of a model that the user has to see; undefined: none. */
  wanted?: string;
  /** Draws a model, an element of a list. */
  children: (model: CatalogModel) => ComponentChildren;
}

/** A list of models. Those that do not run here are folded away behind the others. */
export function FitModels({ models, isSearched, wanted, children: draw }: FitProps): VNode {
  const isWanted = ({ id }: CatalogModel) => id === wanted;
  const ordered = [...models.filter(isWanted), ...models.filter((model) => !isWanted(model))];
  const unfit = ordered.filter(isUnfit);
  return (
    <>
      <SomeModels models={ordered.filter((model) => !isUnfit(model))}>{draw}</SomeModels>
      {unfit.length > 0 && (
        <Folded
          class="unfit"
          summary={fill(messages.value.models.unfit, { count: unfit.length })}
          isOpen={isSearched || unfit.some(isWanted)}
        >
          {() => <SomeModels models={unfit}>{draw}</SomeModels>}
        </Folded>
      )}
    </>
  );
}

/** How many models a list shows at first, and how many more with each press. */
const STEP = 12;

/** The first models of a list, and a button that shows more. */
function SomeModels({
  models,
  children: draw,
}: Pick<FitProps, 'models' | 'children'>): VNode | null {
  const most = useSignal(STEP);
  const list = useRef<HTMLUListElement>(null);
  const begins = useRef(0);
  useEffect(() => {
    // The button may be gone, so the first of the new models gets the focus.
    if (begins.current === 0) return;
    list.current?.children[begins.current]
      ?.querySelector<HTMLElement>('button, summary')
      ?.focus({ preventScroll: true });
  }, [most.value]);
  if (models.length === 0) return null;
  const left = models.length - most.value;
  const showMore = () => {
    begins.current = most.value;
    most.value += STEP;
  };
  return (
    <>
      <ul ref={list}>{models.slice(0, most.value).map(draw)}</ul>
      {left > 0 && (
        <div class="button-row">
          <TextButton onClick={showMore}>
            {fill(messages.value.models.showMore, { count: left })}
          </TextButton>
        </div>
      )}
    </>
  );
}
