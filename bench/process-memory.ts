import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import * as v from 'valibot';
import type { RawBrowser } from './raw-browser.ts';

const processesSchema = v.object({
  processInfo: v.array(v.object({ type: v.string(), id: v.number() })),
});

/** Physical memory of a process, bytes. */
export interface ProcessMemory {
  now: number;
  /** Peak since the process began, or since `forgetPeaks`. */
  peak: number;
}

/**
 * Memory of the browser's page processes, by process id.
 *
 * @returns empty on systems other than Linux, which do not report it
 */
export async function pageMemory(browser: RawBrowser): Promise<Map<number, ProcessMemory>> {
  const ids = await pageProcesses(browser);
  return new Map(ids.filter((id) => existsSync(file(id, 'status'))).map((id) => [id, memory(id)]));
}

/** Resets the peaks. Needs Linux. */
export async function forgetPeaks(browser: RawBrowser): Promise<void> {
  for (const id of await pageProcesses(browser)) writeFileSync(file(id, 'clear_refs'), '5');
}

async function pageProcesses(browser: RawBrowser): Promise<number[]> {
  const { processInfo } = v.parse(processesSchema, await browser.send('SystemInfo.getProcessInfo'));
  return processInfo.flatMap(({ type, id }) => (type === 'renderer' ? id : []));
}

function memory(id: number): ProcessMemory {
  const status = readFileSync(file(id, 'status'), 'utf8');
  return { now: statusBytes(status, 'VmRSS'), peak: statusBytes(status, 'VmHWM') };
}

/** A field of Linux's `/proc/ID/status`; 0 if it has none. */
export function statusBytes(status: string, field: 'VmRSS' | 'VmHWM'): number {
  const [, kilobytes = '0'] = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status) ?? [];
  return Number(kilobytes) * 1024;
}

function file(id: number, name: string): string {
  return `/proc/${id}/${name}`;
}
