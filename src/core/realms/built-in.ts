/** Id in the catalog of the model that comes with some browsers. */
export const BUILT_IN_MODEL = 'chrome/built-in';

/** The script that runs it, in `dist/lib` and beside `sw.js`. Only pages in a browser with such a model import it. */
export const BUILT_IN = 'built-in.js';

/** What `built-in.js` exports. */
export interface BuiltInScript {
  /** Sends `SCRIPT_HAS_RUN`, and answers the engine's jobs over the port that arrives in this port's first message. */
  serve(port: MessagePort): void;
  /**
   * Downloads the model. The browser allows it only shortly after a click in this page.
   * The engine gets the progress.
   *
   * @throws ApiError
   */
  download(signal?: AbortSignal): Promise<void>;
}

/** The sampling that sessions can be asked for. */
export interface BuiltInSampling {
  defaultTemperature: number;
  maxTemperature: number;
  defaultTopK: number;
  maxTopK: number;
}

/** The browser's facts about its model. */
export interface BuiltInFacts {
  availability: 'unavailable' | 'downloadable' | 'downloading' | 'available';
  /** Undefined: pages cannot choose how it samples. */
  sampling?: BuiltInSampling;
  /** Tokens; undefined: this page has had no session yet. */
  contextLength?: number;
}

/** Channel on which the tab that downloads the model tells the engine its progress, 0 to 1. */
export function builtInChannel(base: string): BroadcastChannel {
  return new BroadcastChannel(`slashv1:built-in:${base}`);
}
