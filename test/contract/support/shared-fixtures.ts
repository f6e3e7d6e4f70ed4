import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A folder that may exist beside the checkout. Tests that need it are skipped elsewhere. */
const FOLDER = join(import.meta.dirname, '../../../../shared/fixtures');

const FAULTS = join(FOLDER, 'faults');

export const hasSharedFixtures = existsSync(FOLDER);

export interface Recording {
  client: string;
  case: string;
  requests: {
    method: string;
    path: string;
    headers: Record<string, string>;
    body?: Record<string, unknown> & {
      stream?: boolean;
      stream_options?: { include_usage?: boolean };
      response_format?: unknown;
    };
  }[];
}

/** Requests recorded from real clients: `{key}` stands for a key, model names are the clients'. */
export function recordings(): Recording[] {
  if (!hasSharedFixtures) return [];
  const folder = join(FOLDER, 'clients');
  const texts = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'));
  const all: Recording[] = JSON.parse(`[${texts.join()}]`);
  return all;
}

/** OpenAI's published description of its API, as JSON: the parts about our endpoints. */
export function openApiDescription(): string {
  return readFileSync(join(FOLDER, 'openai-openapi.json'), 'utf8');
}

const UNSERVED = /^\/v1\/(batches|containers|moderations|realtime|uploads)\b/;

/** Whether this server has the request's endpoint; otherwise it answers 404 and says what it has. */
export function isServed({ path }: Recording['requests'][number]): boolean {
  return !UNSERVED.test(path);
}

/** A request that some server answered wrongly. */
export interface Fault {
  name: string;
  method: string;
  path: string;
  /** JSON; undefined: none. */
  body: string | undefined;
}

interface RecordedFault {
  endpoint?: string;
  request: { method?: string; path?: string; body?: object | null } | null;
  request_text?: string | null;
}

/** The names of all files with inputs that were answered wrongly. */
export function faultFiles(): string[] {
  return hasSharedFixtures ? readdirSync(FAULTS).filter((file) => file !== 'README.md') : [];
}

export function readFault(file: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(readFileSync(join(FAULTS, file)));
}

/** The request in a file: as written, so that no digit is lost. */
export function faultRequest(name: string): Fault {
  const fault: RecordedFault = JSON.parse(readFileSync(join(FAULTS, name), 'utf8'));
  const { endpoint, request, request_text: text } = fault;
  if (endpoint === undefined) {
    const { method = '', path = '', body } = request ?? {};
    return { name, method, path, body: body ? JSON.stringify(body) : undefined };
  }
  const [method = '', path = ''] = endpoint.split(' ');
  return { name, method, path, body: text ?? JSON.stringify(request) };
}
