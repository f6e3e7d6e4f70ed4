import { isServable } from '../../src/core/catalog/catalog-entry.ts';
import type { Context } from '../context.ts';
import { jsonResponse } from '../http/json-response.ts';
import { isAllowed } from '../model-access.ts';

/** `GET v1/audio/voices`: the voices of all speech models, or of the one that the query names. */
export async function listVoices({ catalog, key, request }: Context): Promise<Response> {
  const only = new URL(request.url).searchParams.get('model');
  const voices = (await catalog.list()).flatMap((entry) => {
    const isMeant = only === null || only === entry.id;
    if (entry.task !== 'speech' || !isMeant) return [];
    if (!isServable(entry) || !isAllowed(key, entry.id)) return [];
    return entry.speech.voices.map((voice) => ({ ...voice, model: entry.id }));
  });
  return jsonResponse({ object: 'list', data: voices });
}
