import type { BrowserContext } from 'playwright/test';
import type * as promptApi from '../../../../src/prompt-api/index.ts';
import { alsoServe, serveTestSite, TINY, type TestSite } from '../site.ts';

declare global {
  interface Window {
    /** What the browser's model was prompted with last. */
    prompted: unknown;
  }
}

export const BUILT_IN = 'chrome/built-in';

/** Folder of the files of the browser's model. The site itself uses none of them. */
const NATIVE = '/native/';

export interface NativeOptions {
  /** Pages may choose how the model samples, as in Chrome's extensions. */
  hasParams?: boolean;
}

/** A site without models of its own. Pages of `pretendNative` find the browser's model beside it. */
export async function serveNativeSite(): Promise<TestSite> {
  const site = await serveTestSite('/site/', []);
  site.intercept = alsoServe(NATIVE, ['tiny-chat'], site.preludes);
  return site;
}

/**
 * Gives all pages a `LanguageModel` that looks like a browser's own. It is `slashv1/prompt-api` of another deployment,
 * with tiny-chat. Like Chrome, it downloads only after a click.
 */
export async function pretendNative(
  profile: BrowserContext,
  { hasParams = false }: NativeOptions = {},
): Promise<void> {
  await profile.addInitScript(nativeInPage, [NATIVE, TINY, hasParams] as const);
}

/** Runs in each page: it can use nothing from this file. */
function nativeInPage([folder, model, hasParams]: readonly [string, string, boolean]): void {
  // Not `navigator.userActivation`: the browser treats all that Playwright does as if it followed a click.
  let isClicked = false;
  addEventListener('click', () => (isClicked = true), { capture: true });
  let loading: Promise<typeof promptApi.LanguageModel> | undefined;
  const show = () =>
    Object.defineProperty(globalThis, 'LanguageModel', { value: native, configurable: true });
  const load = async () => {
    const base = new URL(folder, location.href).href;
    const { configure, LanguageModel } = (await import(`${base}prompt-api.js`)) as typeof promptApi;
    configure({ model, base, serviceWorker: false, engines: ['llamacpp'] });
    // Otherwise, the imported deployment would use this `LanguageModel` itself.
    Reflect.deleteProperty(globalThis, 'LanguageModel');
    await LanguageModel.availability();
    show();
    return LanguageModel;
  };
  const own = () => (loading ??= load());
  const availability = async () => (await own()).availability();
  const params = async () => (await own()).params();
  const create = async (options: object) => {
    if ((await availability()) !== 'available' && !isClicked) {
      throw new DOMException('It needs a click.', 'NotAllowedError');
    }
    const session = await (await own()).create({ temperature: 0, topK: 1, ...options });
    const answer = session.promptStreaming.bind(session);
    session.promptStreaming = (input, given) => {
      window.prompted = input;
      return answer(input, given);
    };
    return session;
  };
  const native: object = Object.assign(Reflect.apply(Function.prototype.bind, Object, []), {
    availability,
    create,
    ...(hasParams && { params }),
  });
  show();
}
