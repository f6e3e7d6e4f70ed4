import type { Upstream } from '../../src/core/realms/upstreams.ts';
import { kept, placeFields, type KeptRequest, type PlaceFields } from '../http/kept-request.ts';
import type { HeadersOf } from '../upstreams/upstream-fetch.ts';

/** What is known of a request when its key is known. None of it has left this device. */
export interface HeadStart {
  given: Promise<KeptRequest>;
  fields: Promise<PlaceFields>;
  headersOf: HeadersOf;
}

/**
 * Reads a request and asks for the headers of an upstream while its key is being checked, if the latest request with the same
 * key and path went on to one. The key may be another's by now: what follows from it is decided when it is checked.
 */
export class HeadStarts {
  readonly #headersOf: HeadersOf;
  #latest: { client: string; upstream: Upstream } | undefined;

  constructor(headersOf: HeadersOf) {
    this.#headersOf = headersOf;
  }

  /** Takes the body of the request. Undefined: it is as it was. */
  begin(request: Request): HeadStart | undefined {
    if (this.#latest?.client !== clientOf(request)) return undefined;
    const { upstream } = this.#latest;
    const given = kept(request);
    const fields = given.then(placeFields);
    const headers = this.#headersOf(upstream);
    // Who needs them gets their errors.
    void Promise.allSettled([given, fields, headers]);
    return {
      given,
      fields,
      headersOf: (wanted) => {
        const isExpected = wanted.name === upstream.name && wanted.baseURL === upstream.baseURL;
        return isExpected ? headers : this.#headersOf(wanted);
      },
    };
  }

  /** The request went on. */
  note(request: Request, upstream: Upstream): void {
    this.#latest = { client: clientOf(request), upstream };
  }
}

function clientOf({ url, headers }: Request): string {
  return [url, headers.get('authorization'), headers.get('x-api-key')].join(' ');
}
