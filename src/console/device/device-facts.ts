import type { CatalogModel, DeviceReport } from '../../index.ts';
import type { StorageUse } from '../models/storage.ts';
import type { Check } from './self-test.ts';
import { formatBytes, formatBytesOf } from '../ui/format.ts';

export interface Fact {
  name: string;
  value: string;
}

export interface FactGroup {
  title: string;
  facts: Fact[];
}

/** What the page knows of the device beside the engine's report. */
export interface Surroundings {
  userAgent: string;
  /** Logical cores of the processor. */
  cores: number;
  /** Undefined: the browser does not say. */
  storage: StorageUse | undefined;
  models: readonly CatalogModel[];
}

const GPUS: Record<DeviceReport['gpu'], string> = {
  hardware: 'a graphics processor',
  software: 'the CPU, in disguise',
  none: 'none',
};

/** All that a bug report should have of the device. It holds no prompts and no keys. */
export function deviceFacts(device: DeviceReport, surroundings: Surroundings): FactGroup[] {
  const { userAgent, cores, storage, models } = surroundings;
  const loaded = models.filter(({ state }) => state === 'loaded');
  return [
    {
      title: 'Graphics',
      facts: [
        { name: 'WebGPU', value: GPUS[device.gpu] },
        { name: 'Name', value: device.gpuName ?? 'not told by the browser' },
        { name: '16-bit shaders', value: device.shaderF16 ? 'yes' : 'no' },
      ],
    },
    {
      title: 'Processor',
      facts: [
        { name: 'Cores', value: String(cores) },
        {
          name: 'Isolated page',
          value: device.isolated ? 'yes: several threads' : 'no: one thread',
        },
      ],
    },
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
    .map(({ title, facts }) =>
      [`## ${title}`, ...facts.map(({ name, value }) => `- ${name}: ${value}`)].join('\n'),
    )
    .join('\n\n');
}
