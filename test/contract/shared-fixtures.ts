import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A folder that may exist beside the checkout. Tests that need it are skipped elsewhere. */
const FOLDER = join(import.meta.dirname, '../../../shared/fixtures');

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

const UNSERVED =
  /^\/v1\/(batches|containers|conversations|decisions|files|moderations|realtime|systemone|uploads|vector_stores)\b/;

/** Whether this server has the request's endpoint; otherwise it answers 404 and says what it has. */
export function isServed({ path }: Recording['requests'][number]): boolean {
  return !UNSERVED.test(path);
}
