import { effect, signal, type ReadonlySignal } from '@preact/signals';
import { member } from '../member.ts';
import type { ModelShelf } from '../models/model-shelf.ts';
import type { ApiAccess } from './api-request.ts';

/** Which models see pictures, as the API's list says. */
export class SeeingModels {
  readonly #api: ApiAccess;
  readonly #ids = signal<ReadonlySet<string>>(new Set());
  readonly ids: ReadonlySignal<ReadonlySet<string>> = this.#ids;

  constructor(api: ApiAccess, shelf: ModelShelf) {
    this.#api = api;
    effect(() => {
      // The list is read again whenever it may have other models.
      if (shelf.models.value.length > 0) void this.#read();
    });
  }

  /** If the list cannot be read, what was known stays. */
  async #read(): Promise<void> {
    const { baseURL, apiKey, fetch: ask } = this.#api;
    try {
      const response = await ask(`${baseURL}/models`, {
        headers: { authorization: `Bearer ${apiKey}` },
      });
      this.#ids.value = seeing(await response.json());
    } catch {
      // Without the service worker, nothing can be asked either, and that says why.
    }
  }
}

function seeing(list: unknown): ReadonlySet<string> {
  const data = member(list, 'data');
  const ids = (Array.isArray(data) ? data : []).flatMap((model: unknown) => {
    const [id, inputs] = [member(model, 'id'), member(model, 'input_modalities')];
    return typeof id === 'string' && Array.isArray(inputs) && inputs.includes('image') ? [id] : [];
  });
  return new Set(ids);
}
