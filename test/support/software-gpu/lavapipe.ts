import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Descriptions of Vulkan's drivers on Linux. */
const DRIVERS = '/usr/share/vulkan/icd.d';
const SOURCE = join(import.meta.dirname, 'layer.c');
/** Folder of the layer, compiled. */
export const FOLDER = join(import.meta.dirname, '../../../.cache/software-gpu');
const LAYER = 'VK_LAYER_slashv1_image_indexing';

/**
 * Environment variables with which Dawn finds Mesa's lavapipe: a GPU that computes in 16 bits, on the CPU.
 *
 * @throws Error that says what is missing
 */
export function lavapipeVariables(): Record<string, string> {
  const drivers = existsSync(DRIVERS) ? readdirSync(DRIVERS) : [];
  const driver = drivers.find((name) => name.startsWith('lvp_icd'));
  if (!driver)
    throw new Error('Mesa is missing (Debian: sudo apt-get install mesa-vulkan-drivers).');
  return {
    VK_ICD_FILENAMES: join(DRIVERS, driver),
    VK_LAYER_PATH: compiledLayer(),
    VK_INSTANCE_LAYERS: LAYER,
    XDG_RUNTIME_DIR: process.env['XDG_RUNTIME_DIR'] ?? FOLDER,
  };
}

/** Makes the layer unless it is there. @returns the folder with the layer and its description */
function compiledLayer(): string {
  const library = join(FOLDER, 'layer.so');
  mkdirSync(FOLDER, { recursive: true });
  if (existsSync(library) && statSync(library).mtimeMs >= statSync(SOURCE).mtimeMs) return FOLDER;
  const layer = {
    name: LAYER,
    type: 'INSTANCE',
    library_path: library,
    api_version: '1.3.0',
    implementation_version: '1',
    description: 'lets Dawn use lavapipe of Mesa before 23.1',
  };
  const description = JSON.stringify({ file_format_version: '1.2.0', layer });
  // Other processes may read the files, or make them too.
  const made = join(FOLDER, `made-by-${process.pid}`);
  writeFileSync(made, description);
  renameSync(made, join(FOLDER, 'layer.json'));
  execFileSync('cc', ['-O1', '-shared', '-fPIC', '-o', made, SOURCE]);
  renameSync(made, library);
  return FOLDER;
}
