/**
 * Clients other than the openai package, as a site would bundle them. Only the tests of clients load
 * them, since they are large.
 */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { tool as langchainTool } from '@langchain/core/tools';
import { ChatOpenAI } from '@langchain/openai';
import { generateText, isStepCount, Output, streamText, tool } from 'ai';
import { zodFunction, zodResponseFormat } from 'openai/helpers/zod';
import * as z from 'zod';

const clients = {
  z,
  openai: { zodFunction, zodResponseFormat },
  ai: { generateText, streamText, isStepCount, Output, tool },
  /** A model of the AI SDK. */
  aiModel: (id: string) => {
    const { baseURL, apiKey } = window.v1;
    return createOpenAICompatible({
      ...{ name: 'slashv1', baseURL, apiKey, includeUsage: true },
      supportsStructuredOutputs: true,
    })(id);
  },
  langchain: { tool: langchainTool },
  /** A model of LangChain. */
  langchainModel: (model: string) => {
    const { baseURL, apiKey } = window.v1;
    const configuration = { baseURL, dangerouslyAllowBrowser: true };
    return new ChatOpenAI({ model, apiKey, configuration, temperature: 0, maxRetries: 0 });
  },
};

declare global {
  interface Window {
    clients: typeof clients;
  }
}

window.clients = clients;
