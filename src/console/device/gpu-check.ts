import { messages } from '../messages/messages.ts';

const COUNT = 256;

const DOUBLING = `
@group(0) @binding(0) var<storage, read_write> values: array<u32>;
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  values[id.x] = values[id.x] * 2u;
}`;

/** Doubles numbers on the graphics processor, and reads them back. */
export async function computeOnGpu(): Promise<() => string> {
  // The types say that `navigator.gpu` always exists, but many browsers lack it.
  const gpu: GPU | undefined = navigator.gpu;
  if (!gpu) throw new Skipped(() => text().noWebgpu);
  const adapter = await gpu.requestAdapter();
  if (!adapter) throw new Skipped(() => text().noAdapter);
  const device = await adapter.requestDevice();
  try {
    const values = await doubled(device);
    if (!values.every((value, index) => value === 2 * index)) {
      throw new CheckError(() => text().wrong);
    }
    return () => text().right;
  } finally {
    device.destroy();
  }
}

function text() {
  return messages.value.device.test;
}

async function doubled(device: GPUDevice): Promise<Uint32Array> {
  const numbers = Uint32Array.from({ length: COUNT }, (_, index) => index);
  const size = numbers.byteLength;
  const { STORAGE, COPY_SRC, COPY_DST, MAP_READ } = GPUBufferUsage;
  const buffer = device.createBuffer({ size, usage: STORAGE | COPY_SRC | COPY_DST });
  const result = device.createBuffer({ size, usage: MAP_READ | COPY_DST });
  device.queue.writeBuffer(buffer, 0, numbers);
  const module = device.createShaderModule({ code: DOUBLING });
  const pipeline = await device.createComputePipelineAsync({
    layout: 'auto',
    compute: { module, entryPoint: 'main' },
  });
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  pass.setBindGroup(
    0,
    device.createBindGroup({
      layout: pipeline.getBindGroupLayout(0),
      entries: [{ binding: 0, resource: { buffer } }],
    }),
  );
  pass.dispatchWorkgroups(COUNT / 64);
  pass.end();
  encoder.copyBufferToBuffer(buffer, 0, result, 0, size);
  device.queue.submit([encoder.finish()]);
  await result.mapAsync(GPUMapMode.READ);
  return new Uint32Array(result.getMappedRange().slice(0));
}

/** Why a check did not pass. The text is made when it is shown, in the language of that moment. */
export class CheckError extends Error {
  readonly describe: () => string;

  constructor(describe: () => string) {
    super(describe());
    this.name = 'CheckError';
    this.describe = describe;
  }
}

/** Why a check cannot run here. This is not a failure. */
export class Skipped extends CheckError {}
