import { readdirSync, readFileSync } from 'node:fs';
import { chatTemplate } from '../../../src/engine/conversation/prompt/chat-template.ts';
import type { RenderChat } from '../../../src/engine/conversation/prompt/render-chat.ts';
import type { TokenizerFacts } from '../../../src/engine/conversation/prompt/tokenizer-files.ts';
import {
  readThinking,
  type AnswerParts,
} from '../../../src/engine/conversation/thinking/read-thinking.ts';
import { ProbedCalls } from '../../../src/engine/conversation/tools/format/probed-calls.ts';
import {
  templateTools,
  type TemplateTools,
} from '../../../src/engine/conversation/tools/template-tools.ts';
import { TEMPLATES } from './fetch-templates.ts';

const FACTS: TokenizerFacts = {
  chatTemplate: undefined,
  bosToken: '<s>',
  eosToken: '</s>',
  controlTokens: [],
  tokenIds: new Map(),
};

/** A template of llama.cpp's source, and what is read from it. */
export interface PackageTemplate extends TemplateTools, AnswerParts {
  name: string;
  source: string;
  /** The template as a function, without the general prompt. */
  own: RenderChat;
  /** Whether its prompts list tools. */
  knowsTools: boolean;
}

export function packageTemplates(): PackageTemplate[] {
  const files = readdirSync(TEMPLATES).filter((file) => file.endsWith('.jinja'));
  return files.sort().map((file) => {
    const source = readFileSync(`${TEMPLATES}/${file}`, 'utf8');
    const own = chatTemplate(source, FACTS);
    const parts = readThinking(own, source);
    const { knowsTools } = new ProbedCalls(own);
    const name = file.slice(0, -'.jinja'.length);
    const tools = templateTools(own, { parts, stops: [] });
    return { ...tools, ...parts, name, source, own, knowsTools };
  });
}
