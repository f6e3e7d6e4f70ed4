import type { FieldOf } from '../http/request-fields.ts';
import type { ChatRequest } from './chat-request.ts';

/** Where the parts of the job are in a chat request. */
export function chatFieldOf({ response_format: format }: ChatRequest): FieldOf {
  const schema = format?.type === 'json_schema' ? 'json_schema.schema' : 'schema';
  return ({ part, path }) => {
    switch (part) {
      case 'prompt':
        return 'messages';
      case 'format':
        return 'response_format';
      case 'schema':
        return `response_format.${schema}${path}`;
      case 'tools':
        // Tools have the same order in both; in a request each one is wrapped in `function`.
        return `tools${path.replace(/^\[\d+\]/, '$&.function')}`;
      case 'logit_bias':
      case 'logprobs':
      case 'text':
        return part + path;
    }
  };
}
