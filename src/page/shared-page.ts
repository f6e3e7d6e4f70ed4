import type { PageSettings } from './options.ts';
import { runPage, type RunningPage } from './running-page.ts';

/** A page that runs once for all calls of `start` with the same settings. */
interface SharedPage {
  running: Promise<RunningPage>;
  stopping: AbortController;
  /** How many calls have joined and not left. */
  users: number;
}

const pages = new Map<string, SharedPage>();

/**
 * Runs the page, unless it runs with the same settings already.
 *
 * @returns `leave` stops the page when all callers that joined have left; repeated calls change nothing
 */
export function joinPage(settings: PageSettings): {
  running: Promise<RunningPage>;
  leave: () => Promise<void>;
} {
  const id = JSON.stringify(settings);
  const page = pages.get(id) ?? run(id, settings);
  page.users++;
  let left: Promise<void> | undefined;
  return { running: page.running, leave: () => (left ??= leave(id, page)) };
}

function run(id: string, settings: PageSettings): SharedPage {
  const stopping = new AbortController();
  const page = { running: runPage(settings, stopping), stopping, users: 0 };
  pages.set(id, page);
  page.running.then(({ api }) => api).catch(() => forget(id, page));
  return page;
}

async function leave(id: string, page: SharedPage): Promise<void> {
  page.users--;
  if (page.users > 0) return;
  forget(id, page);
  page.stopping.abort(new DOMException('stop() was called.', 'AbortError'));
  const running = await page.running.catch(() => undefined);
  await running?.stop();
}

/** The next call runs the page again. */
function forget(id: string, page: SharedPage): void {
  if (pages.get(id) === page) pages.delete(id);
}
