import type { TemplateMessage, Tool } from '../../../core/operations/jobs/jobs.ts';

/** Renders a conversation to the text that the model was trained to continue. */
export type RenderChat = (
  messages: TemplateMessage[],
  options: Record<string, unknown>,
  tools?: readonly Tool[],
) => string;
