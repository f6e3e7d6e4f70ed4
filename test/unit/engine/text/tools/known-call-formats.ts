import { chatTemplate } from '../../../../../src/engine/conversation/prompt/chat-template.ts';
import type { TokenizerFacts } from '../../../../../src/engine/conversation/prompt/tokenizer-files.ts';
import {
  HERMES,
  type CallFormat,
} from '../../../../../src/engine/conversation/tools/format/call-format.ts';
import { readThinking } from '../../../../../src/engine/conversation/thinking/read-thinking.ts';
import {
  templateTools,
  type TemplateTools,
} from '../../../../../src/engine/conversation/tools/template-tools.ts';
import { CALL_FORMS } from './call-forms.ts';
import { TEMPLATES } from './templates.ts';

export const FACTS: TokenizerFacts = {
  chatTemplate: undefined,
  bosToken: '<s>',
  eosToken: '</s>',
  controlTokens: ['<|im_start|>', '<|im_end|>', '</s>', '[TOOL_CALLS]'],
  tokenIds: new Map(),
};

export function toolsOf(template: string): TemplateTools {
  const render = chatTemplate(template, FACTS);
  return templateTools(render, { parts: readThinking(render, template), stops: [] });
}

/** Families of models → the format that is read from their template. */
export const FAMILY_FORMATS = {
  hermes: HERMES,
  llama: toolsOf(TEMPLATES.LLAMA).callFormat,
  llamaPython: toolsOf(TEMPLATES.LLAMA_PYTHON).callFormat,
  mistral: toolsOf(TEMPLATES.MISTRAL).callFormat,
  mistralArgs: toolsOf(TEMPLATES.MISTRAL_ARGS).callFormat,
} satisfies Record<string, CallFormat>;

export type Family = keyof typeof FAMILY_FORMATS;

/** All formats that are read from templates, by their name. */
export const FORMATS: [name: string, format: CallFormat][] = [
  ...Object.entries(FAMILY_FORMATS),
  ...Object.entries(CALL_FORMS).map(([name, template]): [string, CallFormat] => [
    name,
    toolsOf(template).callFormat,
  ]),
];
