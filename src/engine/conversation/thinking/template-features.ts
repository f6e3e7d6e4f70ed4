import { chatTemplate } from '../prompt/chat-template.ts';
import type { TokenizerFacts } from '../prompt/tokenizer-files.ts';
import { readThinking } from './read-thinking.ts';

const FACTS: TokenizerFacts = {
  chatTemplate: undefined,
  bosToken: '',
  eosToken: '',
  controlTokens: [],
  tokenIds: new Map(),
};

/** `supported_features` of models whose thinking can be turned on and off. */
const KINDS = {
  on: 'reasoning_on_by_default',
  off: 'reasoning_off_by_default',
  choice: 'reasoning_by_choice',
};

/**
 * What a chat template reveals about its model, as the API's `supported_features` names it: `reasoning` if it thinks
 * aloud, and how it is turned on and off. A template that cannot be used reveals nothing.
 */
export function templateFeatures(template: string | undefined): string[] {
  if (template === undefined) return [];
  try {
    const { thinking } = readThinking(chatTemplate(template, FACTS), template);
    if (!thinking) return [];
    const { toggle, byDefault, effort } = thinking;
    const kind = toggle ? KINDS[byDefault] : byDefault === 'on' ? 'reasoning_always' : undefined;
    return kind === undefined ? [] : ['reasoning', kind, ...(effort ? ['reasoning_effort'] : [])];
  } catch {
    return [];
  }
}
