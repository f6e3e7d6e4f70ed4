import { RECOGNISER, type TestApi } from '../support/api.ts';

export const PATH = '/audio/transcriptions';
export const SOUND = new File(['RIFF …'], 'a.wav', { type: 'audio/wav' });

/** Posts a form, as browsers do; a list is sent as several fields of the same name. */
export function send(
  api: TestApi,
  fields: Record<string, string | File | string[] | undefined>,
  path = PATH,
): Promise<Response> {
  const form = new FormData();
  for (const [name, value] of Object.entries({ file: SOUND, model: RECOGNISER, ...fields })) {
    for (const each of [value].flat()) if (each !== undefined) form.append(name, each);
  }
  return api.fetch(path, {
    method: 'POST',
    headers: { authorization: `Bearer ${api.key}` },
    body: form,
  });
}
