import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { ChatOpenAIFields } from '@langchain/openai';
import { MODEL, ORIGIN, type TestApi } from './api.ts';
import { browserFetch } from './browser-fetch.ts';

/** The AI SDK's provider for the API. */
export function aiProvider(
  api: TestApi,
  settings: { apiKey?: string; includeUsage?: boolean; supportsStructuredOutputs?: boolean } = {},
) {
  return createOpenAICompatible({
    name: 'slashv1',
    baseURL: `${ORIGIN}/v1`,
    apiKey: api.key,
    fetch: browserFetch(api.app),
    supportsStructuredOutputs: true,
    ...settings,
  });
}

/** The options that make LangChain's models use the API. */
export function langchainFields(api: TestApi, fields: ChatOpenAIFields = {}) {
  const configuration = { baseURL: `${ORIGIN}/v1`, fetch: browserFetch(api.app) };
  return { model: MODEL, apiKey: api.key, maxRetries: 0, configuration, ...fields };
}
