import type { DeviceReport } from '../../index.ts';
import type { StorageUse } from '../models/storage.ts';
import type { Check } from './self-test.ts';
import { formatBytes, formatBytesOf } from '../ui/format.ts';
import type { Fact } from './fact.ts';
import { engineFacts, threadFacts, type EngineSurroundings } from './engine-facts.ts';

export interface FactGroup {
  title: string;
  facts: Fact[];
  /** Shown folded. */
  folded?: { title: string; facts: Fact[] };
}

/** What the page knows of the device beside the engine's report. */
export interface Surroundings extends EngineSurroundings {
  /** Undefined: the browser does not say. */
  storage: StorageUse | undefined;
  /** Features and limits of the graphics processor; undefined: there is none. */
  adapter: Fact[] | undefined;
}

const GPUS: Record<DeviceReport['gpu'], string> = {
  hardware: 'a graphics processor',
  software: 'the CPU, in disguise',
  none: 'none',
};

/** All that a bug report should have of the device. It holds no prompts and no keys. */
export function deviceFacts(device: DeviceReport, surroundings: Surroundings): FactGroup[] {
  const { userAgent, cores, storage, models, adapter } = surroundings;
  const loaded = models.filter(({ state }) => state === 'loaded');
  return [
    {
      title: 'Graphics',
      facts: [
        { name: 'WebGPU', value: GPUS[device.gpu] },
        { name: 'Name', value: device.gpuName ?? 'not told by the browser' },
        { name: '16-bit shaders', value: device.shaderF16 ? 'yes' : 'no' },
      ],
      ...(adapter && { folded: { title: 'Features and limits', facts: adapter } }),
    },
    {
      title: 'Processor',
      facts: [
        { name: 'Cores', value: String(cores) },
        { name: 'Isolated page', value: device.isolated ? 'yes' : 'no' },
        ...threadFacts(device, surroundings),
      ],
    },
    { title: 'Engines', facts: engineFacts(device, surroundings) },
    {
      title: 'Models',
      facts: [
        { name: 'Engine for text', value: device.engine ?? 'none' },
        { name: 'Why', value: device.reason },
        { name: 'Memory for models', value: formatBytes(device.memoryBudget) },
        { name: 'In memory', value: loaded.map(({ id }) => id).join(', ') || 'none' },
      ],
    },
    {
      title: 'Browser',
      facts: [
        { name: 'User agent', value: userAgent },
        ...(storage
          ? [
              { name: 'Storage', value: formatBytesOf(storage.usage, storage.quota) },
              { name: 'Kept when short', value: storage.persisted ? 'yes' : 'no' },
            ]
          : []),
      ],
    },
  ];
}

/** What the self-test found; nothing if it was not made. */
export function testFacts(checks: readonly Check[]): FactGroup[] {
  if (checks.length === 0) return [];
  const facts = checks.map(({ name, outcome, detail }) => ({
    name,
    value: `${outcome}: ${detail}`,
  }));
  return [{ title: 'Self-test', facts }];
}

/** The facts as text for a bug report. */
export function reportText(groups: readonly FactGroup[]): string {
  return groups
    .map(({ title, facts, folded }) =>
      [`## ${title}`, ...[...facts, ...(folded?.facts ?? [])].map(line)].join('\n'),
    )
    .join('\n\n');
}

function line({ name, value }: Fact): string {
  return `- ${name}: ${value}`;
}
