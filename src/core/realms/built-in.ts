/** The model that comes with the browser, where it has one: the catalog's name for it. */
export const BUILT_IN_MODEL = 'chrome/built-in';

/** What runs it, in `dist/lib` and beside `sw.js`. Only pages in a browser with such a model import it. */
export const BUILT_IN = 'built-in.js';

/** What `built-in.js` exports. */
export interface BuiltInScript {
  /** Answers the engine's jobs over the port that is this port's first message. */
  serve(port: MessagePort): void;
  /**
   * Downloads the model. The browser allows it only shortly after a click in this page.
   * The engine is told how far it is.
   *
   * @throws ApiError
   */
  download(signal?: AbortSignal): Promise<void>;
}

/** How sessions may be asked to sample. */
export interface BuiltInSampling {
  defaultTemperature: number;
  maxTemperature: number;
  defaultTopK: number;
  maxTopK: number;
}

/** What the browser says of its model. */
export interface BuiltInFacts {
  availability: 'unavailable' | 'downloadable' | 'downloading' | 'available';
  /** Undefined: it lets pages choose nothing. */
  sampling?: BuiltInSampling;
  /** Tokens; undefined: this page has had no session yet. */
  contextLength?: number;
}

/** From the tab that downloads the model to the engine: how far it is, 0 to 1. */
export function builtInChannel(base: string): BroadcastChannel {
  return new BroadcastChannel(`slashv1:built-in:${base}`);
}
