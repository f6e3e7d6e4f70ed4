import { chatSection, kvSection, optionsSection } from './chat-sections.ts';
import { CPU_SECTIONS } from './cpu-sections.ts';
import { decisions } from './decide.ts';
import {
  api,
  consoleStreaming,
  decisionsAdded,
  drafts,
  four,
  grammar,
  mp3,
  search,
  sizes,
} from './node-sections.ts';
import { GPU_SECTIONS } from './gpu-sections.ts';
import type { Section } from './section.ts';
import { manyLongEmbeddings, miniLmEmbeddings, tinyEmbeddings } from './embed.ts';
import { transcriptions } from './hear.ts';
import { kept } from './kept.ts';
import { photos } from './see.ts';
import { speech, speechMemory, speechThreads } from './speech-sections.ts';
import { staySection } from './stay.ts';
import { upstream } from './upstream.ts';
import { cold, download, loadSection, reloadSection, takeoverSection } from './startup-sections.ts';

/** All parts of the report, in its order. */
export const SECTIONS: Section[] = [
  { name: 'size', isExact: true, measure: sizes },
  { name: 'api', measure: api },
  { name: 'search', measure: search },
  { name: 'console', measure: consoleStreaming },
  { name: 'grammar', model: 'smollm2', measure: grammar },
  optionsSection('tiny'),
  chatSection('tiny'),
  chatSection('smollm2'),
  kvSection('tiny'),
  kvSection('smollm2'),
  reloadSection('tiny'),
  reloadSection('smollm2'),
  loadSection('tiny'),
  loadSection('smollm2'),
  takeoverSection('tiny'),
  takeoverSection('smollm2'),
  staySection('tiny', ['webllm']),
  staySection('smollm2', ['llamacpp']),
  ...CPU_SECTIONS,
  ...GPU_SECTIONS,
  { name: 'speed', model: 'smollm2', measure: drafts },
  { name: 'speed.four', model: 'smollm2', measure: four },
  { name: 'kept', model: 'smollm2', measure: kept },
  { name: 'decide', model: 'smollm2', measure: decisions },
  { name: 'decide.api', model: 'smollm2', measure: decisionsAdded },
  { name: 'cold', model: 'tiny', measure: cold },
  { name: 'download', model: 'tiny', measure: download },
  { name: 'upstream', model: 'tiny', measure: upstream },
  { name: 'mp3', measure: mp3 },
  { name: 'embed.tiny', model: 'embedder', measure: tinyEmbeddings },
  { name: 'embed.long', model: 'embedder', isOnRequest: true, measure: manyLongEmbeddings },
  { name: 'embed.minilm', model: 'minilm', measure: miniLmEmbeddings },
  { name: 'hear', model: 'recogniser', measure: transcriptions },
  { name: 'see', model: 'seer', measure: photos },
  { name: 'speech', model: 'kokoro', measure: speech },
  { name: 'memory', model: 'kokoro', measure: speechMemory },
  { name: 'threads', model: 'kokoro', measure: speechThreads },
];
