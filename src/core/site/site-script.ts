import { TRUSTED_POLICY } from './trusted-policy.ts';

/** The part of the Trusted Types API that is used here. Not every browser has it. */
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL: (url: string) => string }): ScriptPolicy;
}

interface ScriptPolicy {
  createScriptURL(url: string): string;
}

let policy: ScriptPolicy | undefined;

/**
 * The address of a script, as pages and workers with Trusted Types take it. Where the policy is forbidden, the address
 * stays a string, which is right for all sites that do not require Trusted Types.
 *
 * @param url - of a script of slashv1: no other address may be passed
 */
export function trustedScript(url: string): string {
  policy ??= createPolicy();
  return policy.createScriptURL(url);
}

function createPolicy(): ScriptPolicy {
  const rules = { createScriptURL: (url: string) => url };
  try {
    const { trustedTypes }: { trustedTypes?: TrustedTypes; origin: string } = globalThis;
    return trustedTypes?.createPolicy(TRUSTED_POLICY, rules) ?? rules;
  } catch {
    return rules;
  }
}

/** URL of a script of another origin → the script that imports it. */
const importers = new Map<string, string>();

/**
 * What to pass to `new Worker` for a module of slashv1. Browsers start no worker from another origin, but a worker of
 * this origin may import such a script.
 */
export function workerScript({ href, origin }: URL): string {
  if (origin === globalThis.origin) return trustedScript(href);
  const importer = importers.get(href) ?? importerOf(href);
  importers.set(href, importer);
  return trustedScript(importer);
}

/**
 * The class of workers for libraries that start workers themselves, with their own modules beside the site's.
 *
 * @param Plain - the browser's own class
 */
export function siteWorkers(Plain: typeof Worker): typeof Worker {
  return class extends Plain {
    constructor(script: string | URL, options?: WorkerOptions) {
      super(workerScript(new URL(script)), options);
    }
  };
}

function importerOf(href: string): string {
  const type = 'text/javascript';
  return URL.createObjectURL(new Blob([`import ${JSON.stringify(href)};`], { type }));
}
