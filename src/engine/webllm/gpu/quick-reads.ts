/** The longest time between two lists of work, milliseconds. */
const MOST_MS = 50;

/** The part of a buffer that is used here. */
interface Buffer {
  mapAsync(...range: Parameters<GPUBuffer['mapAsync']>): Promise<unknown>;
}

/** The part of a device that is used here. */
interface Device {
  queue: Pick<GPUQueue, 'submit' | 'onSubmittedWorkDone'>;
  createBuffer(descriptor: GPUBufferDescriptor): Buffer;
}

/** The part of `GPUAdapter.prototype` that is used here. */
export interface Adapter {
  requestDevice(descriptor?: object): Promise<Device>;
}

/**
 * Makes reads quick on all devices that these adapters give from now on, in browsers that are slow to tell that the GPU
 * is done. WebLLM reads each token from the GPU.
 */
export function quickenReads(adapters: Adapter): void {
  // oxlint-disable-next-line unbound-method -- each adapter calls it on itself
  const { requestDevice } = adapters;
  adapters.requestDevice = async function (descriptor) {
    const device = await requestDevice.call(this, descriptor);
    quicken(device);
    return device;
  };
}

function quicken(device: Device): void {
  const { queue } = device;
  const createBuffer = device.createBuffer.bind(device);
  const onSubmittedWorkDone = queue.onSubmittedWorkDone.bind(queue);
  queue.onSubmittedWorkDone = () => soon(queue, onSubmittedWorkDone());
  device.createBuffer = (descriptor) => {
    const buffer = createBuffer(descriptor);
    const mapAsync = buffer.mapAsync.bind(buffer);
    buffer.mapAsync = (...range) => soon(queue, mapAsync(...range));
    return buffer;
  };
}

/** Gives the GPU empty lists of work until the promise is settled, ever less often: then the browser looks. */
function soon<T>(queue: Pick<GPUQueue, 'submit'>, promise: Promise<T>): Promise<T> {
  let isDone = false;
  const done = () => void (isDone = true);
  promise.then(done, done);
  const begun = performance.now();
  const ask = () => {
    if (isDone) return;
    queue.submit([]);
    // A quarter of the time that has passed.
    setTimeout(ask, Math.min(Math.max((performance.now() - begun) / 4, 1), MOST_MS));
  };
  setTimeout(ask, 1);
  return promise;
}
