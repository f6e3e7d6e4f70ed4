import { modelUnusable, promptFault } from '../../../core/errors/errors.ts';
import { ModelFileError } from '../../download/hub/model-file-error.ts';
import { TemplateRefusal } from './chat-template.ts';

/** Turns what a chat template throws into the API's errors, if the error is a known one. */
export function templateError(error: unknown, model: string): unknown {
  if (error instanceof ModelFileError) return modelUnusable(model, error.fault);
  if (!(error instanceof TemplateRefusal)) return error;
  return promptFault(`The chat template of '${model}' refuses these messages: ${error.message}`);
}
