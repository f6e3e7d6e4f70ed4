import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openGpuDevice } from '../../../models/llamacpp/gpu-device.ts';
import type { LlamaGpu } from '../../../models/llamacpp/module.ts';
import { messageOf } from '../../../src/core/text/message-of.ts';

/** Descriptions of Vulkan's drivers on Linux. */
const DRIVERS = '/usr/share/vulkan/icd.d';
const SOURCE = join(import.meta.dirname, 'layer.c');
const FOLDER = join(import.meta.dirname, '../../../.cache/software-gpu');
const LAYER = 'VK_LAYER_slashv1_image_indexing';

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
    useLavapipe();
    const { create, globals } = await import('webgpu');
    Object.assign(globalThis, globals);
    const gpu = create(['backend=vulkan']);
    kept.push(gpu);
    return (
      (await openGpuDevice(gpu)) ?? { missing: 'The Vulkan driver does not compute in 16 bits.' }
    );
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

/** Vulkan's loader reads these variables when the first GPU is opened. */
function useLavapipe(): void {
  const drivers = existsSync(DRIVERS) ? readdirSync(DRIVERS) : [];
  const driver = drivers.find((name) => name.startsWith('lvp_icd'));
  if (!driver)
    throw new Error('Mesa is missing (Debian: sudo apt-get install mesa-vulkan-drivers).');
  process.env['VK_ICD_FILENAMES'] = join(DRIVERS, driver);
  process.env['VK_LAYER_PATH'] = compiledLayer();
  process.env['VK_INSTANCE_LAYERS'] = LAYER;
  process.env['XDG_RUNTIME_DIR'] ??= FOLDER;
}

/** @returns the folder with the layer and its description */
function compiledLayer(): string {
  const library = join(FOLDER, 'layer.so');
  mkdirSync(FOLDER, { recursive: true });
  if (!existsSync(library) || statSync(library).mtimeMs < statSync(SOURCE).mtimeMs)
    execFileSync('cc', ['-O1', '-shared', '-fPIC', '-o', library, SOURCE]);
  const layer = {
    name: LAYER,
    type: 'INSTANCE',
    library_path: library,
    api_version: '1.3.0',
    implementation_version: '1',
    description: 'lets Dawn use lavapipe of Mesa before 23.1',
  };
  const description = { file_format_version: '1.2.0', layer };
  writeFileSync(join(FOLDER, 'layer.json'), JSON.stringify(description));
  return FOLDER;
}
