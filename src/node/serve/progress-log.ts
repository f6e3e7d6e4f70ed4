import type { Progress } from '../../core/operations/events/events.ts';

const VERBS: Record<Progress['stage'], string> = {
  download: 'downloading',
  paused: 'paused',
  installed: 'downloaded',
  load: 'loading',
  ready: 'ready',
  unloaded: 'unloaded',
  failed: 'failed',
};

/** Logs when a stage of a model begins, and then every 10 %. Most reports are not logged. */
export function progressLog(log: (text: string) => void): (progress: Progress) => void {
  const last = new Map<string, string>();
  return (progress) => {
    const line = describe(progress);
    if (last.get(progress.model) === line) return;
    last.set(progress.model, line);
    log(line);
  };
}

function describe({ model, stage, loadedBytes, totalBytes, text }: Progress): string {
  const what = `${model}: ${VERBS[stage]}`;
  if (stage === 'failed') return `${what}: ${text}`;
  if ((stage !== 'download' && stage !== 'load') || totalBytes === 0) return what;
  const tenths = Math.floor((10 * loadedBytes) / totalBytes);
  return `${what} ${tenths * 10} % of ${(totalBytes / 1e6).toFixed(1)} MB`;
}
