import type { EnginePort } from '../../src/core/port/engine-port.ts';
import type { RequestedImage } from '../../src/core/operations/jobs/jobs.ts';
import type { ToHost } from '../../src/core/port/port-messages.ts';

const BASE64 = /^data:[^,]*;base64,/;

/**
 * Makes a port send images as files instead of base64, and transfer their memory: the text of a photo would be copied
 * twice on its way. The job itself keeps the text, in case it must be sent to another engine.
 */
export function sendingImages<Port extends EnginePort>(port: Port): Port {
  // A channel between tabs can only copy.
  if (!(port instanceof MessagePort)) return port;
  const post = port.postMessage.bind(port);
  port.postMessage = (message: ToHost) => {
    const files: ArrayBuffer[] = [];
    post(withFiles(message, files), files);
  };
  return port;
}

/**
 * The message, with its base64 images as files. An image that is not base64 is left to the engine, which reports it.
 *
 * @param files - the memory of these files is added to it
 */
export function withFiles(message: ToHost, files: ArrayBuffer[]): ToHost {
  if (message.type !== 'run' || message.job.op !== 'generate') return message;
  const { job } = message;
  if (job.prompt.kind !== 'chat' || !job.prompt.images) return message;
  const images = job.prompt.images.map((image) => withFile(image, files));
  return { ...message, job: { ...job, prompt: { ...job.prompt, images } } };
}

function withFile(image: RequestedImage, files: ArrayBuffer[]): RequestedImage {
  const { url } = image;
  const [beginning] = BASE64.exec(url) ?? [];
  if (beginning === undefined || !hasBase64(Uint8Array)) return image;
  try {
    const file = Uint8Array.fromBase64(url.slice(beginning.length));
    files.push(file.buffer);
    return { ...image, url: '', file };
  } catch {
    return image;
  }
}

/** Browsers of 2025 and later. */
function hasBase64(bytes: object): bytes is { fromBase64(text: string): Uint8Array<ArrayBuffer> } {
  return 'fromBase64' in bytes;
}
