/**
 * The parts of a job that an engine can find at fault. `template` has the variables for the chat template, `format` is
 * the answer format as a whole, `schema` the JSON Schema in it, `text` what is to be spoken,
 * `audio` the format of the sound, `texts` what is to be embedded, `role` what these texts are for,
 * `recording` what is to be transcribed, `words` the wish for the times of words, `questions` what is to be decided.
 */
export type JobPart =
  | 'prompt'
  | 'template'
  | 'format'
  | 'schema'
  | 'tools'
  | 'logit_bias'
  | 'logprobs'
  | 'tokens'
  | 'text'
  | 'audio'
  | 'suffix'
  | 'ending'
  | 'texts'
  | 'dimensions'
  | 'role'
  | 'query'
  | 'recording'
  | 'words'
  | 'questions';

/** The part of a job that is at fault. Only the service worker knows the request field that it came from. */
export interface JobFault {
  part: JobPart;
  /** Below the part, e.g. `[0].parameters.type`; empty: the part itself. */
  path: string;
  /** Follows the field's name in the message; undefined: the message does not name the field. */
  text?: string;
}

/** The message of a fault. `field` is its path in the request, or in the job. */
export function faultMessage(field: string, text: string): string {
  return `'${field}' ${text}`;
}
