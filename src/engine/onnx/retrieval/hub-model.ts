import * as v from 'valibot';
import { invalidRequest } from '../../../core/protocol/errors.ts';
import { graphOf, type OnnxGraphFile } from '../../../core/retrieval/graph-file.ts';
import {
  ConfigFault,
  MODEL_FILES,
  MODULES,
  POOLING_FILE,
  readRankerConfig,
  readSentenceConfig,
  SENTENCE_FILES,
  type ReadConfig,
} from '../../../core/retrieval/sentence-config.ts';
import type { CatalogEntry } from '../../../core/stores/catalog-entry.ts';
import { totalBytes, variantId, type HubFiles } from '../../../core/stores/variant.ts';
import type { Found, HubFinder } from '../../weights/engine-installer.ts';
import { fetchAs, hubFiles, hubFolder, ownerOf } from '../../weights/hub.ts';

const configSchema = v.looseObject({ architectures: v.optional(v.array(v.string()), []) });
/** `base_model:BAAI/bge-small-en-v1.5`; other such tags have a relation between the two. */
const infoSchema = v.object({ tags: v.optional(v.array(v.string()), []) });

/** The files of a repository at its latest commit, and the JSON in them. */
interface Repository {
  name: string;
  paths: string[];
  read: ReadConfig;
  bytes: (paths: readonly string[]) => number;
}

/**
 * Finds sentence embedders and cross-encoders on the hub. Repositories with graphs for transformers.js often
 * lack the files of sentence-transformers: those are then taken from the model that they were made of.
 *
 * @param hub - its URL, "/" at its end
 */
export function retrievalFinder(hub: string): HubFinder {
  return {
    marker: 'onnx/model.onnx',
    async find({ repository, file }, _known, signal) {
      // A single file of a repository is no whole model.
      if (file !== undefined) return undefined;
      const own = await open(hub, repository, signal);
      const graph = graphOf(own.paths);
      if (!graph) return undefined;
      try {
        return { entry: await entryOf(own, graph, () => baseOf(hub, repository, signal)) };
      } catch (error) {
        if (!(error instanceof ConfigFault)) throw error;
        throw invalidRequest(`${repository} cannot be used: ${error.message}.`, 'model');
      }
    },
  };
}

async function entryOf(
  own: Repository,
  graph: OnnxGraphFile,
  base: () => Promise<Repository | undefined>,
): Promise<Found['entry']> {
  const { architectures } = v.parse(configSchema, (await own.read('config.json')) ?? {});
  if (architectures.some((name) => name.endsWith('ForSequenceClassification'))) {
    const { maxTokens } = await readRankerConfig(own.read);
    const files = [filesOf(own, [...MODEL_FILES, ...graph.files])];
    return { ...entry(own, graph, files, maxTokens), task: 'rerank' };
  }
  const described = own.paths.includes(MODULES) ? own : await base();
  if (!described) {
    const kind = architectures.join() || 'unknown kind';
    throw new ConfigFault(
      `it is a model of the ${kind} with neither a ${MODULES} nor a base model that has one`,
    );
  }
  const read: ReadConfig = async (path) => (await described.read(path)) ?? own.read(path);
  const { embedding, maxTokens } = await readSentenceConfig(read);
  const files = [
    filesOf(own, [...MODEL_FILES, ...graph.files]),
    filesOf(described, [...SENTENCE_FILES, POOLING_FILE]),
  ];
  return { ...entry(own, graph, files, maxTokens), task: 'embedding', embedding };
}

function entry(
  { name, bytes }: Repository,
  { path, quantization, files: graphs }: OnnxGraphFile,
  files: HubFiles[],
  contextLength: number,
) {
  const id = variantId('onnx', quantization);
  const source = { kind: 'hub' as const, repository: name, files };
  const size = bytes(graphs);
  return {
    ...{ id: name, ownedBy: ownerOf(name), created: 0, contextLength, features: [] },
    variants: [
      { id, engine: 'onnx', quantization, needs: {}, bytes: size, source, graph: path },
    ] satisfies CatalogEntry['variants'],
  };
}

/** Those of the files that the repository has. */
function filesOf({ name, paths }: Repository, wanted: string[]): HubFiles {
  return { repository: name, paths: wanted.filter((path) => paths.includes(path)) };
}

async function open(hub: string, name: string, signal: AbortSignal): Promise<Repository> {
  const { sha, files } = await hubFiles(hub, name, () => true, signal);
  const folder = hubFolder(hub, name, sha);
  const paths = files.map(({ path }) => path);
  return {
    ...{ name, paths },
    read: async (path) =>
      paths.includes(path) ? fetchAs(v.unknown(), new URL(path, folder), name, signal) : undefined,
    bytes: (wanted) => totalBytes(files.filter(({ path }) => wanted.includes(path))),
  };
}

/** The model that a repository says it was made of, if that has what is missing. */
async function baseOf(
  hub: string,
  repository: string,
  signal: AbortSignal,
): Promise<Repository | undefined> {
  const url = new URL(`api/models/${repository}`, hub);
  const { tags } = await fetchAs(infoSchema, url, repository, signal);
  const [, name] = tags.map((tag) => /^base_model:([^:]+\/[^:]+)$/.exec(tag)).find(Boolean) ?? [];
  if (name === undefined) return undefined;
  const base = await open(hub, name, signal);
  return base.paths.includes(MODULES) ? base : undefined;
}
