import { effect, signal, type ReadonlySignal } from '@preact/signals';
import type { ApiAccess } from '../chat/answer/api-request.ts';
import { member } from '../json.ts';
import type { ModelShelf } from './model-shelf.ts';

/** Facts about models that the API's list has, but the page's own catalog lacks. */
export class ListedModels {
  readonly #api: ApiAccess;
  readonly #seeing = signal<ReadonlySet<string>>(new Set());
  readonly #elsewhere = signal<ReadonlyMap<string, string>>(new Map());
  /** Ids of the models that see pictures. */
  readonly seeing: ReadonlySignal<ReadonlySet<string>> = this.#seeing;
  /** Models that do not run on this device: id → name of the upstream that has it. */
  readonly elsewhere: ReadonlySignal<ReadonlyMap<string, string>> = this.#elsewhere;

  /** @param hasUpstreams - whether there may be models elsewhere */
  constructor(api: ApiAccess, shelf: ModelShelf, hasUpstreams: boolean) {
    this.#api = api;
    effect(() => {
      // The list is read again whenever it may have other models.
      if (shelf.models.value.length > 0 || hasUpstreams) void this.refresh();
    });
  }

  /** Reads the list. If that fails, the known facts stay. */
  async refresh(): Promise<void> {
    const { baseURL, apiKey, fetch: ask } = this.#api;
    try {
      const response = await ask(`${baseURL}/models`, {
        headers: { authorization: `Bearer ${apiKey}` },
      });
      const models = listed(await response.json());
      this.#seeing.value = new Set(models.filter(({ sees }) => sees).map(({ id }) => id));
      this.#elsewhere.value = new Map(
        models.flatMap(({ id, servedBy }) => (servedBy === undefined ? [] : [[id, servedBy]])),
      );
    } catch {
      // Without the service worker, questions fail too, and their error says why.
    }
  }
}

interface Listed {
  id: string;
  sees: boolean;
  servedBy: string | undefined;
}

function listed(list: unknown): Listed[] {
  const data = member(list, 'data');
  return (Array.isArray(data) ? data : []).flatMap((model: unknown) => {
    const [id, inputs] = [member(model, 'id'), member(model, 'input_modalities')];
    const servedBy = member(model, 'served_by');
    if (typeof id !== 'string') return [];
    const sees = Array.isArray(inputs) && inputs.includes('image');
    return [{ id, sees, servedBy: typeof servedBy === 'string' ? servedBy : undefined }];
  });
}
