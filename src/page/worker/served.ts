import { fetchServed, type ServedFile } from '../../core/site/fetch-served.ts';
import { INIT_AGAIN, NOT_FETCHED, notServed } from '../../core/site/served-file.ts';
import { isCutOff } from '../../core/version.ts';
import { StartError } from '../api/api.ts';

/** If a worker has said nothing for so long, milliseconds, its script is looked at. */
export const SILENT_MS = 3_000;

/**
 * What is wrong with a script of the site, as its server sends it to this page; undefined: nothing that a page can see.
 *
 * @param code - of the error, unless a content security policy is to blame
 * @param isOwn - false for a service worker of the site, which slashv1 does not bring
 */
export async function faultOf(
  script: URL,
  code: StartError['code'],
  isOwn = true,
): Promise<StartError | undefined> {
  const fault = (problem: string, as = code) => new StartError(as, `${script.href} ${problem}`);
  const help = isOwn ? INIT_AGAIN : '';
  const how = help && ` ${help}`;
  const page = await served(script);
  if (page === 'blocked') {
    const problem = "is blocked by this page's content security policy: add connect-src 'self'.";
    return fault(problem, 'blocked_by_policy');
  }
  if (!page) return fault(NOT_FETCHED);
  const unserved = notServed(page, help);
  if (unserved !== undefined) return fault(unserved);
  const { headers, bytes } = page;
  const text = new TextDecoder().decode(bytes);
  if (text.trim() === '') return fault(`is empty.${how}`);
  if (isOwn && !text.includes('slashv1')) {
    if (code !== 'service_worker_failed') return fault(`is not of slashv1.${how}`);
    // The site has a service worker of the same name.
    const problem = 'is not of slashv1. Call handle() of slashv1/sw in it, or choose another base.';
    return fault(problem, 'foreign_service_worker');
  }
  if (isOwn && isCutOff(text)) return fault(`is cut off.${how}`);
  if (forbidsRequests(headers.get('content-security-policy') ?? '')) {
    const problem = "has a content security policy that forbids requests: add connect-src 'self'.";
    return fault(problem, 'blocked_by_policy');
  }
  return undefined;
}

/**
 * Why a worker of the page did not start.
 *
 * @param message - of the error; empty: the browser could not load the script
 */
export async function whyNotStarted(script: URL, message: string): Promise<StartError> {
  const fault = await faultOf(script, 'engine_failed');
  if (fault) return fault;
  const problem = message
    ? `does not run: ${message}. Copy it again with \`npx slashv1 init\`.`
    : 'does not run as a worker: it is damaged, which `npx slashv1 init` mends, or headers forbid it. Content security ' +
      "policies must allow worker-src 'self'; `npx slashv1 doctor` knows the others.";
  return new StartError('engine_failed', `${script.href} ${problem}`);
}

/** The script as this page gets it; undefined: it cannot be fetched; `blocked`: this page may not fetch it. */
async function served(script: URL): Promise<ServedFile | 'blocked' | undefined> {
  let isBlocked = false;
  const done = new AbortController();
  const note = ({ effectiveDirective }: SecurityPolicyViolationEvent) =>
    (isBlocked ||= effectiveDirective === 'connect-src');
  document.addEventListener('securitypolicyviolation', note, { signal: done.signal });
  try {
    return await fetchServed(script, 'no-cache');
  } catch {
    // The browser reports the violation in a task of its own.
    await new Promise((resolve) => setTimeout(resolve));
    return isBlocked ? 'blocked' : undefined;
  } finally {
    done.abort();
  }
}

/**
 * Whether a script with these policies surely may not send requests to its own site. What this does not see, a service
 * worker finds out when it is installed.
 */
function forbidsRequests(policies: string): boolean {
  return policies.split(',').some((policy) => {
    const [, sources] =
      /(?:^|;)\s*connect-src\b([^;]*)/i.exec(policy) ??
      /(?:^|;)\s*default-src\b([^;]*)/i.exec(policy) ??
      [];
    if (sources === undefined) return false;
    return !/'self'|\*|https?:(?!\/)/i.test(sources) && !sources.includes(location.hostname);
  });
}
