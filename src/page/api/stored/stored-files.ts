import { onlyEvent, type Engine } from '../../../core/port/engine.ts';
import type { StoredFiles } from './files-api.ts';

/** Deletes all that requests with a key have stored for it. @param owner - id of the key */
export async function endFiles(engine: Engine, owner: string): Promise<void> {
  const job = { op: 'files', owner, action: { do: 'end' } } as const;
  await onlyEvent(engine, job, new AbortController().signal);
}

/** What a page may do with all that `start({ files })` lets requests store. */
export function storedFiles(engine: Engine): StoredFiles {
  return {
    clear: async () => {
      const job = { op: 'files', owner: 'site', action: { do: 'clear' } } as const;
      await onlyEvent(engine, job, new AbortController().signal);
    },
  };
}
