import * as v from 'valibot';
import type { InstalledModel } from '../../download/installer/installed-model.ts';
import type { Installer } from '../../download/installer/installer.ts';
import { gpuRecipeSchema, type GpuRecipe } from './gpu-kernels.ts';

/** Path of the note beside a model's files. */
const PATH = '.slashv1/gpu.json';

/** What the model's last loading asked of the GPU; undefined before the first one. */
export async function readGpuRecipe(
  installer: Pick<Installer, 'readNote'>,
  model: InstalledModel,
): Promise<GpuRecipe | undefined> {
  const recipe = v.safeParse(gpuRecipeSchema, await installer.readNote(model, PATH));
  // One that is damaged is made again.
  return recipe.success ? recipe.output : undefined;
}

export async function keepGpuRecipe(
  installer: Pick<Installer, 'keepNote'>,
  model: InstalledModel,
  recipe: GpuRecipe,
): Promise<void> {
  await installer.keepNote(model, PATH, recipe);
}
