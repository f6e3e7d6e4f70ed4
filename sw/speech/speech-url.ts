import { signUrl } from '../../src/core/keys/signed-url.ts';
import type { SpeechUrlPage } from '../../src/core/realms/page-api.ts';

/** See PageApi. */
export async function speechUrl(
  { base, key, hasServiceWorker }: SpeechUrlPage,
  request: object,
): Promise<string> {
  if (!hasServiceWorker) {
    throw new Error(
      'Only a service worker answers the URLs of speechUrl(), but start() had serviceWorker: false. ' +
        'Fetch audio/speech with v1.fetch.',
    );
  }
  const url = new URL('v1/audio/speech', base);
  for (const [name, value] of Object.entries(request)) url.searchParams.set(name, String(value));
  return (await signUrl(url, key)).href;
}
