/**
 * Clients other than the openai package, as a site would bundle them. Only the tests of clients load
 * them, since they are large.
 */
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import Anthropic from '@anthropic-ai/sdk';
import { ChatAnthropic } from '@langchain/anthropic';
import { tool as langchainTool } from '@langchain/core/tools';
import { ChatOpenAI } from '@langchain/openai';
import { Agent, OpenAIProvider, Runner, tool as agentTool } from '@openai/agents';
import { generateText, isStepCount, Output, streamText, tool } from 'ai';
import { zodFunction, zodResponseFormat } from 'openai/helpers/zod';
import * as z from 'zod';

/** Anthropic's own packages add `/v1` themselves. */
const withoutVersion = () => new URL('.', window.v1.baseURL).href.replace(/\/$/, '');

const clients = {
  z,
  openai: { zodFunction, zodResponseFormat },
  ai: { generateText, streamText, isStepCount, Output, tool },
  /** A model of the AI SDK. */
  aiModel: (id: string) => {
    const { baseURL, apiKey } = window.v1;
    return createOpenAICompatible({
      name: 'slashv1',
      baseURL,
      apiKey,
      fetch: window.apiFetch,
      includeUsage: true,
      supportsStructuredOutputs: true,
    })(id);
  },
  /** The AI SDK's default model, which speaks to the Responses API. */
  aiResponses: (id: string) => {
    const { baseURL, apiKey } = window.v1;
    return createOpenAI({ baseURL, apiKey, fetch: window.apiFetch })(id);
  },
  /** The AI SDK's model for the Messages API. */
  aiMessages: (id: string) => {
    const { baseURL, apiKey } = window.v1;
    return createAnthropic({ baseURL, apiKey, fetch: window.apiFetch })(id);
  },
  agents: {
    Agent,
    tool: agentTool,
    runner: () => {
      const provider = { openAIClient: window.client, useResponses: true };
      const modelProvider = new OpenAIProvider(provider);
      return new Runner({ modelProvider, tracingDisabled: true });
    },
  },
  anthropic: () =>
    new Anthropic({
      baseURL: withoutVersion(),
      apiKey: window.v1.apiKey,
      maxRetries: 0,
      dangerouslyAllowBrowser: true,
      fetch: window.apiFetch,
    }),
  langchainMessages: (model: string) => {
    const { apiFetch } = window;
    const clientOptions = {
      baseURL: withoutVersion(),
      fetch: apiFetch,
      dangerouslyAllowBrowser: true,
    };
    const { apiKey } = window.v1;
    return new ChatAnthropic({ model, apiKey, clientOptions, temperature: 0, maxRetries: 0 });
  },
  langchain: { tool: langchainTool },
  /** A model of LangChain. */
  langchainModel: (model: string) => {
    const { baseURL, apiKey } = window.v1;
    const configuration = { baseURL, fetch: window.apiFetch, dangerouslyAllowBrowser: true };
    return new ChatOpenAI({ model, apiKey, configuration, temperature: 0, maxRetries: 0 });
  },
};

declare global {
  interface Window {
    clients: typeof clients;
  }
}

window.clients = clients;
