import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import type { CatalogEntry } from '../../../../src/core/catalog/catalog-entry.ts';
import { manifestSchema } from '../../../../src/core/catalog/pack-manifest.ts';
import { packEntry } from '../../../../src/core/catalog/pack-variant.ts';
import { PACKS } from '../site.ts';

/** A model of the hub for WebLLM. The catalog knows neither its size nor its licence. */
export const HUB_CHAT = 'mlc-ai/SmolLM2-135M-Instruct-q0f32-MLC';
/** Facts that the hub tells about HUB_CHAT. */
export const HUB_CHAT_FACTS = { license: 'apache-2.0', bytes: 12_750_000 };
/** A voice of the hub. */
export const HUB_VOICE = 'Xenova/mms-tts-deu';

/** The packs of a site, whose manifests are real, and two models of the hub. */
export function catalogOf(packs: readonly string[]): CatalogEntry[] {
  return [...packs.map(entryOfPack), hubChat(), hubVoice()];
}

function entryOfPack(name: string, position: number): CatalogEntry {
  const file = readFileSync(join(PACKS[name] ?? '', 'manifest.json'), 'utf8');
  const url = `https://site.test/packs/${name}/`;
  return packEntry(v.parse(manifestSchema, JSON.parse(file)), { url, position });
}

function hubChat(): CatalogEntry {
  const source = { kind: 'hub', repository: HUB_CHAT, library: 'some.wasm' } as const;
  return {
    id: HUB_CHAT,
    task: 'chat',
    ownedBy: 'mlc-ai',
    created: 0,
    contextLength: 4096,
    variants: [
      {
        id: 'webllm-q0f32',
        engine: 'webllm',
        quantization: 'q0f32',
        source,
        needs: { memoryBytes: 720_000_000 },
        modelLibrary: 'some.wasm',
      },
    ],
  };
}

function hubVoice(): CatalogEntry {
  const voices = [{ id: 'deu', name: 'MMS deu', languages: ['de-DE'] }];
  return {
    id: HUB_VOICE,
    task: 'speech',
    ownedBy: 'Xenova',
    created: 0,
    contextLength: 500,
    license: 'cc-by-nc-4.0',
    speech: { family: 'vits', sampleRate: 16_000, voices },
    variants: [
      {
        id: 'onnx-q8',
        engine: 'onnx',
        quantization: 'q8',
        needs: {},
        bytes: 38_400_000,
        source: { kind: 'hub', repository: HUB_VOICE, files: [] },
        graph: 'onnx/model_quantized.onnx',
      },
    ],
  };
}
