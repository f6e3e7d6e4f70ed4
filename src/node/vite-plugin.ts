/**
 * The Vite plugin.
 *
 * @module slashv1/vite
 */
import { constants, existsSync, readFileSync, readdirSync } from 'node:fs';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import type { Plugin, ResolvedConfig } from 'vite';
import { SERVICE_WORKER } from '../core/site/service-worker-files.ts';
import { foreignFile } from './init/site-files.ts';
import { serveFiles, type Served } from './dev-middleware.ts';
import { engineFiles, libraryFile, serviceWorkerFiles, withMaps } from './library-files.ts';
import { checkOtherPlugins, ONE_WORKER } from './other-plugins.ts';
import { ownPack } from './package-folder.ts';
import { packsIndex, readPackFolders, type PackFolder } from './pack-files.ts';
import { injectPrecache, isAppShell, precacheEntries } from './precache.ts';
import { startBase } from './start-base.ts';

/** A file of a bundle, in all versions of Vite. */
interface BundledFile {
  fileName: string;
  /** A script's name with a placeholder for the hash. */
  preliminaryFileName?: string;
  /** The names that plugins gave another file. */
  names?: readonly string[];
}

export interface Slashv1Options {
  /** `tiny-chat`, and folders of model packs, relative to Vite's root; the first is the default model. */
  packs?: string[];
  /**
   * Whether the service worker fetches and keeps the page's files, so that the page opens offline; default true. A
   * function decides for each file, by its path in the site. A file that is left out is kept from its first use on.
   */
  precache?: boolean | ((file: string) => boolean);
  /** Whether the site has WebLLM for text on the GPU, 6 MB; default true. */
  webllm?: boolean;
  /** Whether the site has the files of speech, 34 MB; default true. */
  speech?: boolean;
  /** Whether the site has the files of embeddings and reranking, 32 MB that speech has too; default: as `speech`. */
  embeddings?: boolean;
  /** Whether the site has the files for text on the CPU, 7 MB; default true. */
  llamacpp?: boolean;
  /** Whether llama.cpp can use the GPU, 4 MB; default: as `llamacpp`. */
  llamacppGpu?: boolean;
  /** Whether the site has the reader of PDFs that are stored to be searched, 2 MB; default false. */
  pdf?: boolean;
  /**
   * Whether the site uses slashv1's service worker; default true. If not, the site's own service worker calls `handle`
   * of `slashv1/sw`.
   */
  sw?: boolean;
  /** Folder of `sw.js`, `engine.js`, `webllm*`, `llamacpp*`, `onnx*`, `speech*` and `files-pdf.js`; default: this package's own. */
  library?: string;
}

async function copyInto(folder: string, name: string, source: string): Promise<void> {
  const target = join(folder, name);
  await mkdir(dirname(target), { recursive: true });
  await copyFile(source, target, constants.COPYFILE_FICLONE);
}

async function writePacks(outDir: string, packs: PackFolder[]): Promise<void> {
  await mkdir(join(outDir, 'packs'), { recursive: true });
  for (const { name, path, files } of packs) {
    for (const file of files) await copyInto(outDir, `packs/${name}/${file}`, join(path, file));
  }
  await writeFile(join(outDir, 'packs/index.json'), packsIndex(packs));
}

function notOurs(path: string): string {
  const help = path.endsWith(SERVICE_WORKER.script) ? ONE_WORKER : 'Give yours another name.';
  return `slashv1: ${path} is not of slashv1: something else writes that file, too. ${help}`;
}

/** Files of the public folder, which are not part of the bundle. */
function publicFiles({ publicDir }: ResolvedConfig): string[] {
  if (!publicDir || !existsSync(publicDir)) return [];
  return readdirSync(publicDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(publicDir, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
}

/** The files that the dev server serves. Nothing is precached there, because that would hide every change. */
function devFiles(
  packs: PackFolder[],
  copied: string[],
  { sw = true, library }: Slashv1Options,
): Record<string, () => Served> {
  const packFiles = packs.flatMap(({ name, path, files }) =>
    files.map((file) => [`packs/${name}/${file}`, () => ({ path: join(path, file) })] as const),
  );
  const serviceWorker = () =>
    injectPrecache(readFileSync(libraryFile(SERVICE_WORKER.script, library), 'utf8'), []);
  return {
    ...(sw && { [SERVICE_WORKER.script]: serviceWorker }),
    ...Object.fromEntries(
      copied.map((file) => [file, () => ({ path: libraryFile(file, library) })] as const),
    ),
    'packs/index.json': () => packsIndex(packs),
    ...Object.fromEntries(packFiles),
  };
}

/**
 * The files whose names change with their content. Names that a plugin has chosen itself do not.
 *
 * @param assetNames - the pattern of the names of styles, fonts and pictures
 */
function hashedNames(assetNames: unknown, files: readonly BundledFile[]): ReadonlySet<string> {
  const areHashed = typeof assetNames === 'string' && assetNames.includes('[hash');
  const isHashed = ({ fileName, preliminaryFileName, names = [] }: BundledFile) =>
    preliminaryFileName === undefined
      ? areHashed && names.length > 0
      : preliminaryFileName !== fileName;
  return new Set(files.filter(isHashed).map(({ fileName }) => fileName));
}

/**
 * Vite plugin that adds slashv1 to a site: `sw.js` with the list of files to keep for offline use, `engine.js`, the
 * files of WebLLM, llama.cpp and ONNX Runtime, and model packs under `packs/`. The dev server serves the same files.
 * `start()` of `slashv1` then knows the folder of the site, unless it is called with another `base`.
 */
export function slashv1(options: Slashv1Options = {}): Plugin[] {
  const { precache = true, library } = options;
  const { webllm = true, speech = true, embeddings = speech, llamacpp = true } = options;
  const { llamacppGpu = llamacpp, pdf = false, sw = true } = options;
  const copied = withMaps(
    [
      ...engineFiles({ webllm, speech, embeddings, llamacpp, llamacppGpu, pdf }),
      ...serviceWorkerFiles({ sw }),
    ],
    library,
  ).filter((file) => file !== SERVICE_WORKER.script);
  let config: ResolvedConfig;
  let packs: PackFolder[] = [];
  /** The service worker of the last build. */
  let written: { path: string; content: string } | undefined;

  async function writeSite(
    outDir: string,
    bundled: string[],
    hashed: ReadonlySet<string>,
  ): Promise<void> {
    const foreign = foreignFile(outDir, sw ? [...copied, SERVICE_WORKER.script] : copied);
    if (foreign !== undefined) throw new Error(notOurs(join(outDir, foreign)));
    for (const file of copied) await copyInto(outDir, file, libraryFile(file, library));
    await writePacks(outDir, packs);
    if (!sw) return;
    const files = ['engine.js', ...bundled, ...publicFiles(config)];
    // Frameworks put some files elsewhere.
    const shell = files.filter((file) => isAppShell(file) && existsSync(join(outDir, file)));
    const kept = shell.filter((file) =>
      typeof precache === 'function' ? precache(file) : precache,
    );
    const entries = precacheEntries(outDir, kept, hashed);
    const serviceWorker = readFileSync(libraryFile(SERVICE_WORKER.script, library), 'utf8');
    written = {
      path: join(outDir, SERVICE_WORKER.script),
      content: injectPrecache(serviceWorker, entries),
    };
    await writeFile(written.path, written.content);
  }

  const files: Plugin = {
    name: 'slashv1',
    applyToEnvironment: (environment) => environment.name === 'client',
    configResolved(resolved) {
      config = resolved;
      packs = readPackFolders(
        (options.packs ?? []).map((pack) => ownPack(pack) ?? resolve(resolved.root, pack)),
      );
    },
    // Other plugins know their options by now.
    buildStart: () => checkOtherPlugins(config.plugins, sw),
    configureServer(server) {
      server.middlewares.use(serveFiles(server.config.base, devFiles(packs, copied, options)));
    },
    writeBundle: {
      // Runs after plugins that write files of their own.
      order: 'post',
      sequential: true,
      handler(output, bundle) {
        // Frameworks build several environments; this is the config of the current one.
        const { root, build } = this.environment.config;
        const hashed = hashedNames(output.assetFileNames, Object.values(bundle));
        return writeSite(resolve(root, build.outDir), Object.keys(bundle), hashed);
      },
    },
    closeBundle: {
      order: 'post',
      sequential: true,
      handler() {
        if (!written || readFileSync(written.path, 'utf8') === written.content) return;
        throw new Error(notOurs(written.path));
      },
    },
  };
  return [files, startBase(library)];
}
