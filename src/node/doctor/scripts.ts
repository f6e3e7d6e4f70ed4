import {
  LLAMACPP_FILES,
  LLAMACPP_GPU_FILES,
  PDF_READER,
  WEBLLM,
} from '../../core/site/engine-files.ts';
import { ONNX_FILES, SPEECH_FILES } from '../../core/site/onnx-files.ts';
import { OUTLIVING, PAGE_API } from '../../core/realms/page-api.ts';
import { INIT_AGAIN } from '../../core/site/served-file.ts';
import { SERVICE_WORKER } from '../../core/site/service-worker-files.ts';
import { notedVersion } from '../../core/version.ts';
import { blockedByPolicy, ENGINE_NEEDS, SERVICE_WORKER_NEEDS } from './content-security.ts';
import { fetchFile, isMissing, typeOf, type Fetched } from './fetched.ts';
import { note, problem, type Finding } from './finding.ts';
import { checkWhole, type ReadLibrary } from './whole.ts';

const JAVASCRIPT = new Set([
  'text/javascript',
  'application/javascript',
  'application/x-javascript',
]);
/**
 * Longest time that browsers may keep files, seconds. After an update, files that keep their names are stale for so
 * long.
 */
const LONG = 3_600;

/** Files that every site has, whatever its service worker. */
const REQUIRED = ['engine.js', PAGE_API, OUTLIVING];

/** Groups of files. A site has all files of a group, or none. */
const PARTS = [
  { name: 'text on the GPU', option: '--webllm', files: [WEBLLM] },
  { name: 'text on the CPU', option: '--llamacpp', files: LLAMACPP_FILES },
  { name: 'GGUF files on the GPU', option: '--llamacpp-gpu', files: LLAMACPP_GPU_FILES },
  { name: 'embeddings and speech', option: '--embeddings', files: ONNX_FILES },
  { name: 'speech', option: '--speech', files: SPEECH_FILES },
  { name: 'PDFs', option: '--pdf', files: [PDF_READER] },
];

/** What the checks of single files need to know. */
export interface Site {
  /** Folder of `sw.js`. */
  base: URL;
  /** The site's own service worker, in place of `sw.js`. */
  ownWorker?: URL | undefined;
  /** The page's `Cross-Origin-Embedder-Policy`; undefined: it has none. */
  embedder: string | undefined;
  /** Reads the files of this package. */
  library: ReadLibrary;
}

/** Checks the library's files: present, of one version, and sent with headers with which browsers run them. */
export async function checkLibrary(site: Site): Promise<Finding[]> {
  const names = [...(site.ownWorker ? [] : Object.values(SERVICE_WORKER)), ...REQUIRED];
  const required = await Promise.all(names.map((name) => fetchNamed(site, name)));
  const own = site.ownWorker ? checkOwnWorker(await fetchFile(site.ownWorker), site) : [];
  const absent = required.filter(isMissing).map(absence);
  const parts = await Promise.all(PARTS.map((part) => checkPart(site, part)));
  const present = [...required, ...parts.flatMap(({ files }) => files)].filter(
    (file) => !isMissing(file),
  );
  const findings = present.flatMap((file) => checkFile(file, site));
  return [
    ...absent,
    ...own,
    ...findings,
    ...versions(present),
    ...checkWhole(present, site.library),
    ...parts.flatMap((part) => part.findings),
  ];
}

function absence({ path }: Fetched): Finding {
  // The folder was found by this file, unless the option names it.
  const elsewhere = ' If the files are elsewhere, name the folder with --base.';
  return problem(
    `${path} is missing. ${INIT_AGAIN}${path.endsWith('/engine.js') ? elsewhere : ''}`,
  );
}

async function checkPart(site: Site, { name, option, files: names }: (typeof PARTS)[number]) {
  const files = await Promise.all(names.map((file) => fetchNamed(site, file)));
  const missing = files.filter(isMissing).map(({ path }) => path);
  if (missing.length === 0) return { files, findings: [] };
  const isUnused = missing.length === files.length;
  const finding = isUnused
    ? note(`The site has no files for ${name}. \`npx slashv1 init ${option}\` brings them.`)
    : problem(`Of the files for ${name} these are missing: ${missing.join(', ')}.`);
  return { files, findings: [finding] };
}

function fetchNamed({ base }: Site, name: string): Promise<Fetched> {
  return fetchFile(new URL(name, base));
}

/** Checks the site's own service worker, which may have any name and must contain slashv1. */
function checkOwnWorker(file: Fetched, { base }: Site): Finding[] {
  const { path, headers, text } = file;
  if (isMissing(file)) return [problem(`${path} is missing.`)];
  return [
    ...checkType(file),
    ...blockedByPolicy(path, headers, SERVICE_WORKER_NEEDS, { origin: base.origin }),
    ...(text.includes('slashv1')
      ? []
      : [problem(`${path} has nothing of slashv1: it must call handle() of slashv1/sw.`)]),
  ];
}

function checkFile(file: Fetched, site: Site): Finding[] {
  if (file.status !== 200) return [problem(`${file.path}: the server answers ${file.status}.`)];
  return [...checkType(file), ...checkHeaders(file, site), ...checkRedirect(file, site)];
}

function checkType({ path, headers }: Fetched): Finding[] {
  const type = typeOf(headers);
  if (path.endsWith('.wasm')) {
    if (type === 'application/wasm') return [];
    return [problem(`${path}: its type is "${type}". It must be application/wasm.`)];
  }
  // Other files are read as bytes, whatever their type is.
  if (!path.endsWith('.js') || JAVASCRIPT.has(type)) return [];
  return [
    problem(`${path}: its type is "${type}". Browsers run only text/javascript as a worker.`),
  ];
}

function checkHeaders({ path, headers }: Fetched, { base, embedder }: Site): Finding[] {
  const isServiceWorker = path.endsWith('/sw.js');
  const needs = isServiceWorker ? SERVICE_WORKER_NEEDS : path.endsWith('.js') ? ENGINE_NEEDS : [];
  const own = headers.get('cross-origin-embedder-policy');
  return [
    ...blockedByPolicy(path, headers, needs, { origin: base.origin }),
    ...(embedder !== undefined && own === null && path.endsWith('.js') && !isServiceWorker
      ? [problem(`${path} has no Cross-Origin-Embedder-Policy, but the page has. Use ${embedder}.`)]
      : []),
    // Browsers fetch the service worker past their cache.
    ...(isServiceWorker ? [] : checkCache(path, headers)),
  ];
}

function checkCache(path: string, headers: Headers): Finding[] {
  const control = headers.get('cache-control') ?? '';
  const seconds = Number(/max-age=(\d+)/i.exec(control)?.[1] ?? 0);
  if (!/immutable/i.test(control) && seconds <= LONG) return [];
  return [
    problem(
      `${path} may be kept for long (Cache-Control: ${control}), but its name stays the same: after an ` +
        'update, browsers mix two versions. Use no-cache.',
    ),
  ];
}

function checkRedirect({ path, url }: Fetched, { base }: Site): Finding[] {
  if (url.origin !== base.origin) {
    return [problem(`${path} is redirected to ${url.origin}. It must come from the site itself.`)];
  }
  if (url.pathname === path || !path.endsWith('/sw.js')) return [];
  return [problem(`${path} is redirected. Browsers refuse service workers that are.`)];
}

/** Finds scripts that are not part of slashv1, or that are of different versions. */
function versions(files: Fetched[]): Finding[] {
  const scripts = files.filter(({ path, status }) => path.endsWith('.js') && status === 200);
  const noted = scripts.map(({ path, text }) => ({ path, text, version: notedVersion(text) }));
  const foreign = noted.filter(({ text }) => !text.includes('slashv1'));
  const known = new Set(noted.map(({ version }) => version ?? 'a version before 0.2'));
  return [
    ...foreign.map(({ path }) => problem(foreignScript(path))),
    ...(foreign.length === 0 && known.size > 1
      ? [
          problem(
            `The files are of different versions: ${described(noted)}. Run \`npx slashv1 init\`.`,
          ),
        ]
      : []),
  ];
}

function foreignScript(path: string): string {
  const own = `${path} is not of slashv1.`;
  if (!path.endsWith('/sw.js')) return own;
  return `${own} If it is your own service worker, call handle() of slashv1/sw in it, and name it with --sw.`;
}

function described(noted: { path: string; version: string | undefined }[]): string {
  return noted.map(({ path, version = 'before 0.2' }) => `${path} ${version}`).join(', ');
}
