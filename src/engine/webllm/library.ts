/** The part of WebLLM that runs models. It is a bundle of its own, which only devices with a GPU fetch. */
export { MLCEngine } from '@mlc-ai/web-llm';
