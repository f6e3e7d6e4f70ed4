import { jobFields } from '../generation/job-fields.ts';
import { requestedFormat } from '../generation/requested-format.ts';
import type { FieldOf } from '../road/running-job.ts';
import type { ChatRequest } from './chat-request.ts';

/** Where the parts of the job are in a chat request. */
export function chatFieldOf(request: ChatRequest): FieldOf {
  const { field, schemaField } = requestedFormat(request);
  return jobFields({
    prompt: 'messages',
    format: field,
    schema: schemaField,
    // In a request each tool is wrapped in `function`.
    tools: (path) => `tools${path.replace(/^\[\d+\]/, '$&.function')}`,
  });
}
