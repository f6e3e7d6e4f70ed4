import { expect, test } from 'vitest';
import type { GenerateJob, RequestedImage } from '../../../../src/core/operations/jobs/jobs.ts';
import type { ToHost } from '../../../../src/core/port/port-messages.ts';
import { sendingImages, withFiles } from '../../../../sw/worker/sending-images.ts';

const FILE = Uint8Array.from({ length: 90_000 }, (_, place) => place % 251);
const BASE64 = Buffer.from(FILE).toString('base64');
const URL = `data:image/jpeg;base64,${BASE64}`;
const hasBase64 = 'fromBase64' in Uint8Array;

function running(...urls: string[]): ToHost {
  const images = urls.map((url): RequestedImage => ({ url, field: 'f', detail: 'auto' }));
  const prompt = { kind: 'chat' as const, messages: [], images, templateOptions: {} };
  const job: GenerateJob = { op: 'generate', model: 'm', prompt, sampling: {}, stop: [] };
  return { type: 'run', id: 1, job };
}

function imagesOf(message: ToHost | undefined): RequestedImage[] {
  if (message?.type !== 'run' || message.job.op !== 'generate') return [];
  const { prompt } = message.job;
  return prompt.kind === 'chat' ? (prompt.images ?? []) : [];
}

test('addresses and what is not base64 stay as they are', () => {
  const urls = ['/cat.png', `data:,${BASE64}`, `${URL}?`, URL.replace('data', 'DATA')];
  const message = running(...urls);
  expect(withFiles(message, [])).toEqual(message);
});

test.skipIf(!hasBase64)('a large image is a file', () => {
  expect(imagesOf(withFiles(running(URL), []))).toEqual([
    { url: '', file: FILE, field: 'f', detail: 'auto' },
  ]);
});

test('each engine that a job is sent to gets the same files', async () => {
  const message = running('/cat.png', URL);
  for (let engine = 0; engine < 2; engine++) {
    const { port1, port2 } = new MessageChannel();
    const received = new Promise<ToHost>((resolve) => {
      port2.onmessage = ({ data }: MessageEvent<ToHost>) => resolve(data);
    });
    sendingImages(port1).postMessage(message);
    const [address, image] = imagesOf(await received);
    expect(address?.url).toBe('/cat.png');
    const file = image?.file ?? Buffer.from((image?.url ?? '').split(',')[1] ?? '', 'base64');
    expect(Buffer.from(file).equals(Buffer.from(FILE))).toBe(true);
    port1.close();
  }
});

test('other messages pass', () => {
  const message: ToHost = { type: 'cancel', id: 1 };
  expect(withFiles(message, [])).toBe(message);
});
