import type { FieldOf } from '../../road/running-job.ts';

/** The fields of an endpoint's requests that hold the parts of a job. */
interface JobFields {
  prompt: string;
  format: string;
  schema: string;
  /** The field of a tool, from its path: `[0].parameters.type`. */
  tools: (path: string) => string;
}

/** @param places - where the tools of the job stand among those of the request */
export function jobFields(
  { prompt, format, schema, tools }: JobFields,
  places: readonly number[] = [],
): FieldOf {
  return ({ part, path }) => {
    switch (part) {
      case 'prompt':
        return prompt;
      case 'format':
        return format;
      case 'schema':
        return schema + path;
      case 'tools':
        return tools(
          path.replace(/^\[(\d+)\]/, (_, index) => `[${places[Number(index)] ?? index}]`),
        );
      case 'template':
        return `chat_template_kwargs${path}`;
      case 'logit_bias':
      case 'logprobs':
      case 'tokens':
      case 'text':
      case 'audio':
      case 'suffix':
      case 'texts':
      case 'dimensions':
      case 'role':
      case 'query':
      case 'recording':
      case 'words':
      case 'questions':
        return part + path;
      case 'ending':
        return `stop_token_ids${path}`;
    }
  };
}
