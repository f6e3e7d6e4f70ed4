import { signUrl } from '../core/stores/signed-url.ts';
import type { SpeechRequest } from './api.ts';

/** @param base - folder that `v1` is in */
export async function speechUrl(base: URL, key: string, request: SpeechRequest): Promise<string> {
  const url = new URL('v1/audio/speech', base);
  for (const [name, value] of Object.entries(request)) url.searchParams.set(name, String(value));
  return (await signUrl(url, key)).href;
}
