import { copyFileSync, existsSync, mkdirSync, openAsBlob, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import {
  ConfigFault,
  MODEL_CONFIG,
  MODEL_FILES,
  parsed,
  type ReadConfig,
} from '../../../core/files/model-config.ts';
import {
  MODULES,
  OF_TEXTS,
  readRankerConfig,
  readSentenceConfig,
  readWholeConfig,
  SENTENCE_FILES,
} from '../../../core/files/retrieval/sentence-config.ts';
import { readHearingConfig } from '../../../core/files/hearing/hearing-config.ts';
import { graphOf } from '../../../core/files/onnx/graph-file.ts';
import { graphOutput } from '../../../core/files/onnx/graph-outputs.ts';
import { HEARING_FILES, HEARING_GRAPHS } from '../../../core/files/hearing/whisper-config.ts';
import type { PackManifest } from '../../../core/catalog/pack-manifest.ts';
import { readJsonFile } from '../formats/json-file.ts';
import { variantFiles, writeManifest } from './manifest.ts';
import type { ModelOptions } from '../model-options.ts';
import { PackError } from '../pack-error.ts';
import { replaceFolder } from './replace-folder.ts';

const GRAPHS = 'onnx';

/** Whether this is the folder of a model from the hub whose graphs are for ONNX Runtime. */
export function hasOnnxGraph(path: string): boolean {
  return existsSync(join(path, GRAPHS));
}

/**
 * Makes the pack of an embedder, a cross-encoder or a transcription model. The complete folder replaces the old one in
 * one step.
 *
 * @param snapshot - the model's folder, as on the hub
 * @throws PackError if the files do not say how the model works
 */
export async function writeOnnxPack(
  snapshot: string,
  options: ModelOptions,
  folder: string,
): Promise<PackManifest> {
  const { id, ownedBy, license, created } = options;
  const paths = readdirSync(join(snapshot, GRAPHS)).map((name) => `${GRAPHS}/${name}`);
  const hearing = graphOf(paths, HEARING_GRAPHS);
  const graph = hearing ?? graphOf(paths);
  if (!graph) {
    throw new PackError(`${snapshot} has no ${GRAPHS}/model.onnx, nor a quantised one.`);
  }
  const { moduleFiles = [], ...facts } = await modelFacts(
    snapshot,
    graph.path,
    hearing !== undefined,
  );
  return replaceFolder(folder, (temporary) => {
    const described = [...MODEL_FILES, ...SENTENCE_FILES, ...moduleFiles, ...HEARING_FILES];
    for (const path of [...described, ...graph.files]) {
      copyIfThere(snapshot, temporary, path);
    }
    const { quantization, path } = graph;
    return writeManifest(temporary, {
      id,
      ownedBy,
      created,
      license,
      features: [],
      ...facts,
      variants: [
        { engine: 'onnx', quantization, needs: {}, graph: path, ...variantFiles(temporary) },
      ],
    });
  });
}

/** The task, and the facts that the catalog has about a model with this task. */
async function modelFacts(snapshot: string, graph: string, hears: boolean) {
  const read: ReadConfig = (path) =>
    Promise.resolve(
      existsSync(join(snapshot, path))
        ? readJsonFile(join(snapshot, path), v.unknown())
        : undefined,
    );
  try {
    if (hears) {
      const { transcription, maxTokens } = await readHearingConfig(read);
      return { task: 'transcription' as const, transcription, contextLength: maxTokens };
    }
    if (await isCrossEncoder(read)) {
      const { maxTokens } = await readRankerConfig(read);
      return { task: 'rerank' as const, contextLength: maxTokens };
    }
    const { embedding, maxTokens, moduleFiles } = existsSync(join(snapshot, MODULES))
      ? await readSentenceConfig(read)
      : await readWholeConfig(read, await wholeLength(join(snapshot, graph)));
    return { task: 'embedding' as const, embedding, contextLength: maxTokens, moduleFiles };
  } catch (error) {
    if (!(error instanceof ConfigFault)) throw error;
    throw new PackError(`${snapshot} cannot be packed: ${error.message}.`);
  }
}

const kindSchema = v.looseObject({ architectures: v.optional(v.array(v.string()), []) });

async function isCrossEncoder(read: ReadConfig): Promise<boolean> {
  const { architectures } = await parsed(kindSchema, MODEL_CONFIG, read);
  return architectures.some((name) => name.endsWith('ForSequenceClassification'));
}

/**
 * Length of the text vectors that a graph outputs; undefined: the graph does not state it.
 *
 * @throws ConfigFault if the graph outputs no vectors of whole texts
 */
async function wholeLength(graph: string): Promise<number | undefined> {
  const file = await openAsBlob(graph);
  const readFrom = async (start: number) => new Uint8Array(await file.slice(start).arrayBuffer());
  const output = await graphOutput({ size: file.size, readFrom }, OF_TEXTS);
  if (output && output !== 'unknown') return output.shape.at(-1);
  throw new ConfigFault(
    `it has no ${MODULES}, and its graph has no output ${OF_TEXTS}. If it embeds texts, copy ${MODULES} and the ` +
      'files of its modules, such as 1_Pooling/config.json, from the model that it was made of',
  );
}

function copyIfThere(from: string, to: string, path: string): void {
  if (!existsSync(join(from, path))) return;
  mkdirSync(dirname(join(to, path)), { recursive: true });
  copyFileSync(join(from, path), join(to, path));
}
