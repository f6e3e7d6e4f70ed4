import { problem, type Finding } from './finding.ts';

/** Directive → its values, of one policy. */
type Policy = ReadonlyMap<string, string[]>;

/** Something that a policy must allow. If the policy has several of `directives`, the first one decides. */
interface Need {
  directives: string[];
  allows: (values: string[]) => boolean;
  /** What is blocked without it, and what to add. */
  blocked: string;
  add: string;
}

const SELF = ["'self'", '*', 'https:'];

const WORKERS: Need = {
  directives: ['worker-src', 'child-src', 'script-src', 'default-src'],
  allows: (values) => values.some((value) => SELF.includes(value)),
  blocked: 'workers',
  add: "worker-src 'self'",
};

/** Workers import further scripts of the library. */
const IMPORTS: Need = {
  directives: ['script-src', 'default-src'],
  allows: (values) => values.some((value) => SELF.includes(value) || value === "'strict-dynamic'"),
  blocked: 'its own scripts',
  add: "script-src 'self'",
};

const WASM: Need = {
  directives: ['script-src', 'default-src'],
  allows: (values) =>
    values.some((value) => value === "'wasm-unsafe-eval'" || value === "'unsafe-eval'"),
  blocked: 'WebAssembly',
  add: "script-src 'wasm-unsafe-eval'",
};

const FETCHES: Need = {
  directives: ['connect-src', 'default-src'],
  allows: (values) => values.some((value) => SELF.includes(value)),
  blocked: 'requests to /v1',
  add: "connect-src 'self'",
};

/** What the policies of a page must allow. */
export const PAGE_NEEDS = [WORKERS, WASM, FETCHES];
/** What the policies of an engine's script must allow. A worker's own headers count. */
export const ENGINE_NEEDS = [WORKERS, IMPORTS, WASM, FETCHES];
/** What the policies of `sw.js` must allow. */
export const SERVICE_WORKER_NEEDS = [FETCHES];

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
      .filter((need) => !isAllowed(policy, need))
      .map(({ blocked, add }) =>
        problem(`${where}: its content security policy blocks ${blocked}. Add ${add}.`),
      ),
  );
}

function isAllowed(policy: Policy, { directives, allows }: Need): boolean {
  const values = directives.map((name) => policy.get(name)).find((each) => each !== undefined);
  return values === undefined || allows(values);
}

/** Parses a policy. If it repeats a directive, the first one counts. The site's own origin becomes `'self'`. */
function parsePolicy(text: string, origin: string): Policy {
  const own = (value: string) => (value === origin || value === `${origin}/` ? "'self'" : value);
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
