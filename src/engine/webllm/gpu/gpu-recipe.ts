import * as v from 'valibot';
import type { InstalledModel } from '../../download/installer/installed-model.ts';
import type { Installer } from '../../download/installer/installer.ts';
import { gpuRecipeSchema, type GpuRecipe } from './gpu-kernels.ts';

/** Path of the note beside a model's files. */
const PATH = '.slashv1/gpu.json';

/** The recipe that the model's last load recorded; undefined before the first load. */
export async function readGpuRecipe(
  installer: Pick<Installer, 'readNote'>,
  model: InstalledModel,
): Promise<GpuRecipe | undefined> {
  const recipe = v.safeParse(gpuRecipeSchema, await installer.readNote(model, PATH));
  // A damaged recipe is recorded again.
  return recipe.success ? recipe.output : undefined;
}

export async function keepGpuRecipe(
  installer: Pick<Installer, 'keepNote'>,
  model: InstalledModel,
  recipe: GpuRecipe,
): Promise<void> {
  await installer.keepNote(model, PATH, recipe);
}
