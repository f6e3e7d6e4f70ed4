import type { ComponentChildren, VNode } from 'preact';
import type { CatalogModel } from '../../index.ts';
import { fill } from '../messages/fill.ts';
import { messages } from '../messages/messages.ts';

/** Whether a model that could be downloaded would not run here. Missing storage can be freed. */
export function isUnfit({ state, obstacles }: CatalogModel): boolean {
  return state === 'available' && obstacles.some((obstacle) => obstacle !== 'storage');
}

interface FitProps {
  models: readonly CatalogModel[];
  /** Whether the user searches: then nothing that is found is hidden. */
  isSearched: boolean;
  /** Draws a model, an element of a list. */
  children: (model: CatalogModel) => ComponentChildren;
}

/** A list of models. Those that do not run here are folded away behind the others. */
export function FitModels({ models, isSearched, children: draw }: FitProps): VNode {
  const unfit = models.filter(isUnfit);
  const others = models.filter((model) => !isUnfit(model));
  return (
    <>
      {others.length > 0 && <ul>{others.map(draw)}</ul>}
      {unfit.length > 0 && (
        <details class="unfit" open={isSearched}>
          <summary>{fill(messages.value.models.unfit, { count: unfit.length })}</summary>
          <ul>{unfit.map(draw)}</ul>
        </details>
      )}
    </>
  );
}
