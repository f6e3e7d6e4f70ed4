import { fastestAdapter, openGpuDevice } from '../../../models/llamacpp/gpu-device.ts';
import type { LlamaGpu } from '../../../models/llamacpp/module.ts';
import { messageOf } from '../../../src/core/text/message-of.ts';
import { lavapipeVariables } from './lavapipe.ts';

/** A device, or why there is none. */
export type SoftwareGpu = LlamaGpu | { missing: string };

/** Dawn's GPUs end the process when they are collected. */
const kept: unknown[] = [];

/**
 * Opens a GPU that computes in 16 bits on the CPU: Mesa's lavapipe, by Dawn in the package `webgpu`. Each call opens
 * another device.
 */
export async function openSoftwareGpu(): Promise<SoftwareGpu> {
  try {
    // Vulkan's loader reads them when the first GPU is opened.
    Object.assign(process.env, lavapipeVariables());
    const { create, globals } = await import('webgpu');
    Object.assign(globalThis, globals);
    const gpu = create(['backend=vulkan']);
    kept.push(gpu);
    const adapter = await fastestAdapter(gpu);
    const opened = adapter && (await openGpuDevice(adapter));
    return opened ?? { missing: 'The Vulkan driver does not compute in 16 bits.' };
  } catch (error) {
    return { missing: messageOf(error) };
  }
}

/**
 * The device of a test file, for tests that skip themselves if it is `missing`.
 *
 * @returns `gpu` throws without it
 */
export async function softwareGpu(): Promise<{ gpu: () => LlamaGpu; missing: string | undefined }> {
  const opened = await openSoftwareGpu();
  const missing = 'missing' in opened ? opened.missing : undefined;
  if (missing) process.stdout.write(`Nothing is tested on a GPU: ${missing}\n`);
  const gpu = () => {
    if ('missing' in opened) throw new Error(opened.missing);
    return opened;
  };
  return { gpu, missing };
}
