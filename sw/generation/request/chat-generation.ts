import { unsupportedValue } from '../../../src/core/errors/errors.ts';
import type { GenerateJob, RequestedImage } from '../../../src/core/operations/jobs/jobs.ts';
import { sees, type CatalogEntry } from '../../../src/core/catalog/catalog-entry.ts';
import type { Context } from '../../context.ts';
import { clientOf, requireTextModel } from '../../model-access.ts';

/**
 * The job of a request whose messages may show images.
 *
 * @param make - makes the job without the images, and adds them to its argument
 * @throws ApiError 400 for images if the model does not see, or as `make` and requireTextModel
 */
export async function chatGeneration(
  context: Context,
  make: (images: RequestedImage[]) => GenerateJob,
): Promise<{ job: GenerateJob; entry: CatalogEntry }> {
  const images: RequestedImage[] = [];
  const asked = make(images);
  const entry = await requireTextModel(context, asked);
  const [first] = images;
  if (first && !sees(entry)) {
    throw unsupportedValue('This model does not see images.', first.field);
  }
  const { prompt, ...job } = asked;
  const shown = first && prompt.kind === 'chat' ? { ...prompt, images } : prompt;
  return { job: { ...job, prompt: shown, ...clientOf(context.key) }, entry };
}
