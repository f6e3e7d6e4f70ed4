import type { LinkedFile } from '../database/database.ts';
import { hex } from '../text/sha256.ts';
import { serverError } from '../errors/errors.ts';
import { messageOf } from '../text/message-of.ts';

/** Bytes of a sample, and how many of them are taken of a file, at equal distances. */
const SAMPLE_BYTES = 64 * 1024;
const SAMPLES = 16;

declare global {
  // Browsers with a file picker have these. Others have handles only of the site's private folder.
  interface FileSystemHandle {
    queryPermission?(wanted: { mode: 'read' }): Promise<PermissionState>;
    requestPermission?(wanted: { mode: 'read' }): Promise<PermissionState>;
  }
}

/** Remembers where a file of the visitor lies, and how to tell whether it is still the same. */
export async function linkOf(handle: FileSystemFileHandle, file: File): Promise<LinkedFile> {
  const { size, lastModified } = file;
  return { handle, size, lastModified, samples: await samplesOf(file) };
}

/** Whether the page may read all of these files. */
export async function permissionOf(links: readonly LinkedFile[]): Promise<PermissionState> {
  const states = await Promise.all(links.map(({ handle }) => queried(handle)));
  return (
    states.find((state) => state === 'denied') ??
    states.find((state) => state === 'prompt') ??
    'granted'
  );
}

/**
 * Asks the visitor whether the page may read these files. Only a page can ask, and only after a click or a key.
 *
 * @returns whether it may read all of them
 */
export async function askPermission(links: readonly LinkedFile[]): Promise<boolean> {
  for (const { handle } of links) {
    const state = await handle.requestPermission?.({ mode: 'read' });
    if (state !== undefined && state !== 'granted') return false;
  }
  return true;
}

async function queried(handle: FileSystemFileHandle): Promise<PermissionState> {
  return (await handle.queryPermission?.({ mode: 'read' })) ?? 'granted';
}

/**
 * The file where it lies. Its bytes are read when they are used. Its date may be another.
 *
 * @throws ApiError 500 model_unusable if it may not be read, is gone, or has another size or other samples
 */
export async function openLinked(link: LinkedFile): Promise<File> {
  const { name } = link.handle;
  if ((await queried(link.handle)) !== 'granted') throw notAllowed(name);
  const file = await readable(name, () => link.handle.getFile());
  if (file.size !== link.size) throw hasChanged(link);
  if ((await readable(name, () => samplesOf(file))) !== link.samples) throw hasChanged(link);
  return file;
}

export function hasChanged({ handle }: LinkedFile) {
  return unusable(`${handle.name} has changed since it was added. Add the file once more.`);
}

async function samplesOf(file: File): Promise<string> {
  const last = Math.max(0, file.size - SAMPLE_BYTES);
  const starts = new Set(
    Array.from({ length: SAMPLES }, (_, at) => Math.floor((last * at) / (SAMPLES - 1))),
  );
  const samples = [...starts].map((start) => file.slice(start, start + SAMPLE_BYTES));
  return hex(await crypto.subtle.digest('SHA-256', await new Blob(samples).arrayBuffer()));
}

async function readable<T>(name: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const why = messageOf(error);
    throw unusable(`${name} cannot be read where it lay: ${why} Add the file once more.`);
  }
}

function notAllowed(name: string) {
  return unusable(
    `This page may not read ${name} any more: browsers ask again after all pages of a site were closed. ` +
      'Call v1.models.allow() when the visitor clicks.',
  );
}

function unusable(message: string) {
  return serverError('model_unusable', message);
}
