import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { fileUrl } from '../../core/catalog/file-url.ts';
import type { PackFile } from '../../core/catalog/pack-file.ts';
import { manifestSchema } from '../../core/catalog/pack-manifest.ts';
import { fetchFile, isMissing, request } from './fetched.ts';
import { note, problem, type Finding } from './finding.ts';

const indexSchema = v.object({
  packs: v.array(v.string()),
  manifests: v.optional(v.record(v.string(), v.unknown()), {}),
});

/** Checks that the models of the site are listed, complete, and have the hashes of their manifests. */
export async function checkPacks(base: URL): Promise<Finding[]> {
  const url = new URL('packs/index.json', base);
  const index = await fetchFile(url);
  if (isMissing(index)) return [note(`${url.pathname} is missing: no model comes with the site.`)];
  const parsed = v.safeParse(indexSchema, json(index.text));
  if (!parsed.success) return [problem(`${url.pathname} is not a list of packs.`)];
  const { packs, manifests } = parsed.output;
  const findings: Finding[] = [];
  for (const folder of packs) {
    findings.push(...(await checkPack(new URL(folder, url), manifests[folder])));
  }
  return findings;
}

/** @param listed - the manifest as the index has it; undefined: it has none */
async function checkPack(folder: URL, listed: unknown): Promise<Finding[]> {
  const manifest = await fetchFile(new URL('manifest.json', folder));
  if (isMissing(manifest)) return [problem(`${manifest.path} is missing.`)];
  const parsed = v.safeParse(manifestSchema, json(manifest.text));
  if (!parsed.success) return [problem(`${manifest.path} is not a manifest of a model pack.`)];
  if (listed !== undefined && !isDeepStrictEqual(listed, json(manifest.text))) {
    const how = 'Write it again with `slashv1 init` or `slashv1 pack`, or build the site again.';
    return [problem(`packs/index.json has another manifest than ${manifest.path}. ${how}`)];
  }
  const files = parsed.output.variants.flatMap((variant) => variant.files);
  // Variants may share files.
  const once = new Map(files.map((file) => [file.path, file]));
  const findings: Finding[] = [];
  for (const file of once.values()) findings.push(...(await checkModelFile(folder, file)));
  return findings;
}

/** Fetches the whole file, but does not keep it. */
async function checkModelFile(folder: URL, { path, size, sha256 }: PackFile): Promise<Finding[]> {
  const url = fileUrl(path, folder);
  const response = await request(url);
  if (isMissing(response)) {
    await response.body?.cancel();
    return [problem(`${url.pathname} is missing.`)];
  }
  if (!response.ok) {
    await response.body?.cancel();
    return [problem(`${url.pathname}: the server answers ${response.status}.`)];
  }
  const hash = createHash('sha256');
  let received = 0;
  try {
    await response.body?.pipeTo(
      new WritableStream<Uint8Array>({
        write(chunk) {
          hash.update(chunk);
          received += chunk.length;
        },
      }),
    );
  } catch {
    return [problem(`${url.pathname}: the server broke off after ${received} bytes.`)];
  }
  if (received !== size) {
    return [
      problem(`${url.pathname} has ${received} bytes instead of ${size}.${pointer(received)}`),
    ];
  }
  if (sha256 === undefined || hash.digest('hex') === sha256) return [];
  return [problem(`${url.pathname} does not have the hash that its manifest says.`)];
}

/** Hosts that do not know Git LFS send its pointers, which are about 130 bytes long. */
function pointer(received: number): string {
  return received < 200 ? ' Is it a pointer of Git LFS?' : '';
}

/** The value of a JSON text; undefined: it is not JSON. */
function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
