import type { Session } from '../../app/session.ts';
import type { GivenFile } from '../../../index.ts';
import { isUnfit } from '../unfit-models.tsx';

/** Whether a text names one model, by its URL or as `owner/name`, and not only words that are in its name. */
export function isAddress(text: string): boolean {
  return isUrl(text) || /^[\w.-]+\/[\w.-]+(?::\S+)?$/.test(text);
}

export function isUrl(text: string): boolean {
  return /^https?:\/\/\S+$/i.test(text);
}

/**
 * Adds a model to the list, opens its card, and downloads the model unless it does not run here. Returns its id.
 *
 * @param source - its id on the hub, a URL, or GGUF files
 * @throws ApiError if it cannot be added
 */
export async function addModel(
  { v1, shelf }: Session,
  source: string | GivenFile[],
): Promise<string> {
  const id = await v1.models.add(source);
  await shelf.refresh();
  shelf.shown.value = id;
  const model = shelf.find(id);
  if (model?.state === 'available' && !isUnfit(model)) void shelf.install(id);
  return id;
}
