import { vi } from 'vitest';
import type { Installation } from '../../../../../src/core/catalog/variant.ts';
import { WeightStore } from '../../../../../src/core/weights/weight-store.ts';
import { download } from '../../../../../src/engine/download/transfer/download.ts';
import { emptyDatabase } from '../../../support/database.ts';
import { sends, startServer, type Answer } from '../../../support/servers/http-server.ts';
import { sha256 } from '../../../support/servers/hub-server.ts';
import { NEVER } from '../../../support/never.ts';

export const CONTENTS: Record<string, string> = {
  'a.json': '{}',
  'b/0.bin': 'weights',
  'c.wasm': '\0asm',
};
export let store: WeightStore;

/** Before each test: nothing is stored. */
export function freshStore(): void {
  store = new WeightStore(emptyDatabase());
}

/** A server with the three files, some with changed answers, and the installation that names them. */
export async function serve(changes: Record<string, Answer> = {}) {
  const answers = Object.entries(CONTENTS).map(([path, content]) => [`/${path}`, sends(content)]);
  const server = await startServer({ ...Object.fromEntries(answers), ...changes });
  const files = Object.entries(CONTENTS).map(([path, content]) => ({
    path,
    size: content.length,
    sha256: sha256(content),
    url: server.url + path,
  }));
  const installation: Installation = { revision: 'r1', files };
  return { server, installation };
}

export function run(installation: Installation, onBytes = vi.fn(), signal = NEVER): Promise<void> {
  return download('m', installation, store, onBytes, signal, {
    retry: { firstDelayMs: 1, attempts: 2 },
  });
}

/** Paths of the files that are stored. */
export const stored = async () => [...(await store.paths('m', 'r1'))].sort();
