import { TRUSTED_POLICY } from '../../core/site/trusted-policy.ts';
import { problem, type Finding } from './finding.ts';

/** Directive → its values, of one policy. */
type Policy = ReadonlyMap<string, string[]>;

/** Something that a policy must allow. */
interface Need {
  isAllowed: (policy: Policy) => boolean;
  /** What is blocked without it, and what helps. */
  blocked: string;
  help: string;
}

const SELF = ["'self'", '*', 'https:'];

/** A need that depends on one list of sources: that of the first of these directives that a policy has. */
function sources(directives: string[], allowed: string[], blocked: string, add: string): Need {
  const isAllowed = (policy: Policy) => {
    const values = directives.map((name) => policy.get(name)).find((each) => each !== undefined);
    return values === undefined || values.some((value) => allowed.includes(value));
  };
  return { isAllowed, blocked, help: `Add ${add}` };
}

const WORKERS = sources(
  ['worker-src', 'child-src', 'script-src', 'default-src'],
  SELF,
  'workers',
  "worker-src 'self'",
);

/** Workers import further scripts of the library. */
const IMPORTS = sources(
  ['script-src', 'default-src'],
  [...SELF, "'strict-dynamic'"],
  'its own scripts',
  "script-src 'self'",
);

const WASM = sources(
  ['script-src', 'default-src'],
  ["'wasm-unsafe-eval'", "'unsafe-eval'"],
  'WebAssembly',
  "script-src 'wasm-unsafe-eval'",
);

const FETCHES = sources(
  ['connect-src', 'default-src'],
  SELF,
  'requests to /v1',
  "connect-src 'self'",
);

const TRUSTED: Need = {
  isAllowed: (policy) => {
    const policies = policy.get('trusted-types');
    const isRequired = policy.get('require-trusted-types-for')?.includes("'script'") ?? false;
    return (
      !isRequired || !policies || [TRUSTED_POLICY, '*'].some((name) => policies.includes(name))
    );
  },
  blocked: 'its Trusted Types',
  help: `Add ${TRUSTED_POLICY} to trusted-types`,
};

const STORAGE: Need = {
  isAllowed: (policy) => policy.get('sandbox')?.includes('allow-same-origin') ?? true,
  blocked: 'storage',
  help: 'Leave out sandbox, or add allow-same-origin to it',
};

/** What the policies of a page must allow. */
export const PAGE_NEEDS = [WORKERS, WASM, FETCHES, TRUSTED, STORAGE];
/** What the policies of an engine's script must allow. A worker's own headers count. */
export const ENGINE_NEEDS = [WORKERS, IMPORTS, WASM, FETCHES, TRUSTED];
/** What the policies of `sw.js` must allow. */
export const SERVICE_WORKER_NEEDS = [IMPORTS, FETCHES, TRUSTED];

/**
 * What content security policies block. Each policy can block on its own.
 *
 * @param where - e.g. `/engine.js`
 * @param origin - of the site: a policy may name it instead of `'self'`
 */
export function blockedByPolicy(
  where: string,
  headers: Headers,
  needs: Need[],
  { html = '', origin }: { html?: string; origin: string },
): Finding[] {
  const policies = [
    ...(headers.get('content-security-policy') ?? '').split(','),
    ...metaPolicies(html),
  ]
    .map((text) => parsePolicy(text, origin))
    .filter(({ size }) => size > 0);
  return policies.flatMap((policy) =>
    needs
      .filter(({ isAllowed }) => !isAllowed(policy))
      .map(({ blocked, help }) =>
        problem(`${where}: its content security policy blocks ${blocked}. ${help}.`),
      ),
  );
}

/** Parses a policy. If it repeats a directive, the first one counts. The site's own origin or host becomes `'self'`. */
function parsePolicy(text: string, origin: string): Policy {
  const { host } = new URL(origin);
  const names = [origin, `${origin}/`, host, `${host}/`];
  const own = (value: string) => (names.includes(value) ? "'self'" : value);
  const directives = text
    .split(';')
    .map((directive) => directive.trim().toLowerCase().split(/\s+/).map(own))
    .filter(([name]) => name !== '');
  return new Map(directives.map(([name = '', ...values]) => [name, values] as const).reverse());
}

/** The policies in `<meta>` elements of a page. */
function metaPolicies(html: string): string[] {
  const elements = [...html.matchAll(/<meta\b[^>]*>/gi)].map(([element]) => element);
  return elements
    .filter((element) => /http-equiv\s*=\s*["']?content-security-policy["'\s>]/i.test(element))
    .map((element) => /\bcontent\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(element))
    .map((match) => match?.[1] ?? match?.[2] ?? '');
}
