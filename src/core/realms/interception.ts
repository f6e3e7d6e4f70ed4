import * as v from 'valibot';

/** The parameter in the URL of `sw.js` that holds an Interception as JSON: it is known when the script starts. */
export const INTERCEPT = 'intercept';

/** Header of the service worker's health answer: the bases that it answers for, separated by spaces. */
export const INTERCEPTS_HEADER = 'x-slashv1-intercepts';

const interceptionSchema = v.object({
  bases: v.array(v.string()),
  names: v.array(v.array(v.string())),
  model: v.optional(v.string()),
  autoInstall: v.optional(v.boolean()),
});

/** Requests to other services that models on this device answer. */
export interface Interception {
  /** Absolute URLs of the services, without a slash at their ends. */
  bases: string[];
  /** Pairs: a model's name at the service, and the id of the model that answers. */
  names: string[][];
  /** Id of the model for all other names; undefined: the site's first text model. */
  model?: string | undefined;
  /** Download a model of the catalog that is not installed. */
  autoInstall?: boolean | undefined;
}

/** A site's options for the services. */
export interface InterceptOptions {
  /** Id of the model that answers requests for models that neither `modelMap` nor the catalog knows. */
  model?: string | undefined;
  /** A model's name at the service → id of the model that answers. */
  modelMap?: Record<string, string> | undefined;
  autoInstall?: boolean | undefined;
}

/**
 * The interception in a script's URL.
 *
 * @throws if it cannot be read: a service worker must not run without it
 */
export function interceptionOf(script: string): Interception | undefined {
  const json = new URL(script).searchParams.get(INTERCEPT);
  return json === null ? undefined : v.parse(interceptionSchema, JSON.parse(json));
}

/**
 * Reads the options. Plain JavaScript can pass them, so their types are checked.
 *
 * @param site - folder that the site's own `v1` is in
 * @throws TypeError with a message for the developer
 */
export function readInterception(
  services: readonly string[],
  { model, modelMap = {}, autoInstall }: InterceptOptions,
  site: URL,
): Interception {
  if (!Array.isArray(services)) throw new TypeError('intercept must be a list of URLs.');
  const names = Object.entries(modelMap);
  if (names.some(([, id]) => typeof id !== 'string')) {
    throw new TypeError('modelMap must be an object of model ids.');
  }
  return {
    bases: services.map((service) => baseOf(String(service), site)),
    names,
    ...(model !== undefined && { model }),
    ...(autoInstall && { autoInstall }),
  };
}

function baseOf(service: string, site: URL): string {
  const url = URL.canParse(service) ? new URL(service) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username + url.password + url.search !== '') {
    throw new TypeError(`intercept must be a list of http or https URLs, but has '${service}'.`);
  }
  url.hash = '';
  const base = url.href.replace(/\/+$/, '');
  const own = new URL('v1', site).href;
  if (`${own}/`.startsWith(`${base}/`) || `${base}/`.startsWith(`${own}/`)) {
    throw new TypeError(`intercept has '${service}', but slashv1 is there itself.`);
  }
  return base;
}
