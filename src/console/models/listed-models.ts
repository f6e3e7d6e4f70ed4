import { computed, effect, signal, type ReadonlySignal } from '@preact/signals';
import type { ApiAccess } from '../chat/answer/api-request.ts';
import { member } from '../json.ts';
import type { ModelShelf } from './model-shelf.ts';

/** Facts about models of upstreams, which the page's own catalog lacks, and what both lists say. */
export class ListedModels {
  readonly #api: ApiAccess;
  readonly #shelf: Pick<ModelShelf, 'models'>;
  readonly #elsewhere = signal<readonly Listed[]>([]);
  /** Ids of the models that see pictures. */
  readonly seeing: ReadonlySignal<ReadonlySet<string>>;
  /** Models that do not run on this device: id → name of the upstream that has it. */
  readonly elsewhere: ReadonlySignal<ReadonlyMap<string, string>> = computed(
    () => new Map(this.#elsewhere.value.map(({ id, servedBy }) => [id, servedBy])),
  );

  /** @param hasUpstreams - whether there may be models elsewhere */
  constructor(api: ApiAccess, shelf: Pick<ModelShelf, 'models'>, hasUpstreams: boolean) {
    this.#api = api;
    this.#shelf = shelf;
    this.seeing = computed(() => {
      const all = [...shelf.models.value, ...this.#elsewhere.value];
      return new Set(all.filter(({ sees }) => sees).map(({ id }) => id));
    });
    if (!hasUpstreams) return;
    effect(() => {
      // The list is read again whenever it may have other models.
      void shelf.models.value;
      void this.refresh();
    });
  }

  /** Tokens that a model of this device holds; undefined: unknown. */
  contextOf(model: string): number | undefined {
    // An upstream's context may have another length than this device's.
    if (this.elsewhere.value.has(model)) return undefined;
    return this.#shelf.models.value.find(({ id }) => id === model)?.contextLength;
  }

  /** Reads the list. If that fails, the known facts stay. */
  async refresh(): Promise<void> {
    const { baseURL, apiKey, fetch: ask } = this.#api;
    try {
      const response = await ask(`${baseURL}/models`, {
        headers: { authorization: `Bearer ${apiKey}` },
      });
      this.#elsewhere.value = servedElsewhere(await response.json());
    } catch {
      // Without the service worker, questions fail too, and their error says why.
    }
  }
}

interface Listed {
  id: string;
  sees: boolean;
  servedBy: string;
}

function servedElsewhere(list: unknown): Listed[] {
  const data = member(list, 'data');
  return (Array.isArray(data) ? data : []).flatMap((model: unknown) => {
    const [id, servedBy] = [member(model, 'id'), member(model, 'served_by')];
    if (typeof id !== 'string' || typeof servedBy !== 'string') return [];
    const inputs = member(model, 'input_modalities');
    return [{ id, sees: Array.isArray(inputs) && inputs.includes('image'), servedBy }];
  });
}
