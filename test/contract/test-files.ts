import type { EventOf } from '../../src/core/operations/events.ts';
import type { JobOf } from '../../src/core/operations/jobs.ts';
import { FileStore } from '../../src/engine/files/file-store.ts';
import { filesDatabase } from '../../src/engine/files/files-database.ts';

/** The real store of files, over an IndexedDB in memory. */
export class TestFiles {
  /** Bytes that the browser gives the site. */
  quota: number | undefined;
  /** Moves the time on, milliseconds. */
  later = 0;
  readonly store = new FileStore({
    open: filesDatabase(`/${crypto.randomUUID()}/`),
    quota: async () => this.quota,
    now: () => Date.now() + this.later,
  });

  async *run(job: JobOf<'files'>): AsyncGenerator<EventOf<'files'>> {
    yield await this.store.answer(job);
  }
}
