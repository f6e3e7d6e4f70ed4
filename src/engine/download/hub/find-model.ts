import { ApiError, invalidRequest, modelNotFound } from '../../../core/errors/errors.ts';
import type { CatalogEntry } from '../../../core/catalog/catalog-entry.ts';
import { fetchPack } from '../installer/embedded-packs.ts';
import type {
  EngineInstaller,
  FileFinder,
  Found,
  HubFinder,
  WantedRepository,
} from '../installer/engine-installer.ts';
import { readModelSource } from './model-source.ts';
import { messageOf } from '../../../core/text/message-of.ts';

/** The finders of the engines. */
export type Finders = Pick<EngineInstaller<never>, 'finder' | 'fileFinder'>[];

/**
 * Makes the catalog entry of a model that the catalog does not know.
 *
 * @param source - as `readModelSource` takes it
 * @param known - the catalog
 * @throws ApiError 400 if it is not a source, or no engine can run the model; 404 for an unknown model; 500
 *   if it cannot be read
 */
export async function findModel(
  source: string,
  engines: Finders,
  known: CatalogEntry[],
  signal: AbortSignal,
): Promise<Found> {
  const files = engines.flatMap(({ fileFinder }) => fileFinder ?? []);
  const finders = engines.flatMap(({ finder }) => finder ?? []);
  const extensions = files.map(({ extension }) => extension);
  const wanted = readModelSource(source, extensions);
  switch (wanted.kind) {
    case 'hub':
      return findOnHub(wanted, finders, known, signal);
    case 'file':
      return fileFinderFor(wanted.url.pathname, files).atUrl(wanted.url, signal);
    case 'pack':
      return { entry: await packAt(wanted.url, signal) };
  }
}

/** Makes the catalog entry of files that the visitor picked. @throws ApiError 400 if nothing can run them */
export async function findGiven(files: readonly File[], engines: Finders): Promise<Found> {
  const finders = engines.flatMap(({ fileFinder }) => fileFinder ?? []);
  return fileFinderFor(files[0]?.name ?? '', finders).given(files);
}

function fileFinderFor(name: string, finders: FileFinder[]): FileFinder {
  const found = finders.find(({ extension }) => name.toLowerCase().endsWith(extension));
  if (found) return found;
  const extensions = finders.map(({ extension }) => extension).join(' or ');
  throw invalidRequest(`'${name}' is not a ${extensions} file.`, 'model');
}

/** A repository may have the files of several engines: the model then has variants of each. */
async function findOnHub(
  wanted: WantedRepository,
  finders: HubFinder[],
  known: CatalogEntry[],
  signal: AbortSignal,
): Promise<Found> {
  const found: Found[] = [];
  let refusal: ApiError | undefined;
  for (const finder of finders) {
    try {
      const each = await finder.find(wanted, known, signal);
      if (each) found.push(each);
    } catch (error) {
      // The other engines may be able to run the repository.
      if (!(error instanceof ApiError)) throw error;
      if (error.data.status !== 400) throw notOfSite(wanted, known, error);
      refusal ??= error;
    }
  }
  const [first, ...others] = found;
  if (!first) throw refusal ?? notForUs(wanted, finders);
  // Variants of one model have the same task. If the tasks differ, we add only the first engine's model.
  const same = others.filter(({ entry }) => entry.task === first.entry.task);
  const variants = [first, ...same].flatMap(({ entry }) => entry.variants);
  return { ...first, entry: { ...first.entry, variants } };
}

function notForUs({ repository }: WantedRepository, finders: HubFinder[]): ApiError {
  const markers = finders.map(({ marker }) => marker).join(' or ');
  return invalidRequest(`No engine here can run ${repository}: it has no ${markers}.`, 'model');
}

/** The hub has no such model, or cannot be asked. The name may be a mistyped one of this site. */
function notOfSite({ repository }: WantedRepository, known: CatalogEntry[], { data }: ApiError) {
  const own = known.filter(({ variants }) => variants.some(({ source }) => source.kind === 'pack'));
  const has =
    own.length > 0
      ? `this site has ${own.map(({ id }) => id).join(', ')}`
      : 'no model comes with this site: packs/index.json is missing or empty';
  const message = `${data.message} '${repository}' is not known here: ${has}.`;
  return new ApiError({ ...data, message });
}

async function packAt(folder: URL, signal: AbortSignal): Promise<CatalogEntry> {
  const entry = await fetchPack(folder, Number.MAX_SAFE_INTEGER, signal).catch((error: unknown) => {
    const why = messageOf(error);
    throw modelNotFound(folder.href, why);
  });
  if (entry) return entry;
  signal.throwIfAborted();
  throw modelNotFound(folder.href, 'Its server cannot be reached from this page, or it fails.');
}
