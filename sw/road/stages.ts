import type { StoredKey } from '../../src/core/database/database.ts';
import { Budgets, type Spend } from '../metering/key-budget.ts';
import type { RequestLog } from '../metering/request-log.ts';
import { requireEndpoint } from '../model-access.ts';
import type { Stage } from './road.ts';

/** Finds keys and counts what they use. */
export interface Authentication {
  /** The stored key of an Authorization header; throws ApiError 401. */
  authenticate: (authorization: string | null) => Promise<StoredKey>;
  /** The stored key that a URL is signed with; throws ApiError 401. */
  authenticateUrl: (url: URL) => Promise<StoredKey>;
  /** Notes that keys have used tokens of their budgets; undefined: no key has a budget. */
  spend?: Spend;
}

/**
 * Report: lets watching pages follow the request. It is the first stage, so that they also see requests that later
 * stages refuse.
 */
export function reported(log: RequestLog | undefined): Stage {
  return async (context, next) => {
    const report = log?.begin(context);
    if (!report) return next(context);
    try {
      return report.answered(await next({ ...context, report }));
    } catch (error) {
      report.refused(error);
      throw error;
    }
  };
}

/**
 * Key: finds the key of the request, which must be for its endpoint, and the budget of the key. Everybody may use
 * endpoints without keys.
 */
export function keyed({ authenticate, authenticateUrl, spend }: Authentication): Stage {
  const budgets = spend && new Budgets(spend);
  return async (context, next) => {
    const { endpoint, request, body, report } = context;
    if (endpoint.keyless) return next(context);
    const checking = endpoint.signed
      ? authenticateUrl(new URL(request.url))
      : authenticate(authorization(request));
    // The body is read meanwhile. Checking the key does not depend on it.
    body.begin();
    const key = await checking;
    report?.keyed(key);
    requireEndpoint(key, endpoint);
    return next({ ...context, key, budget: budgets?.of(key) });
  };
}

/** The key, in either of the headers in which clients send it. */
function authorization({ headers }: Request): string | null {
  const key = headers.get('x-api-key');
  return headers.get('authorization') ?? (key === null ? null : `Bearer ${key}`);
}
