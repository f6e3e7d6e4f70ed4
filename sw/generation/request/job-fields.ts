import type { FieldOf } from '../../road/running-job.ts';

/** The fields of an endpoint's requests that hold the parts of a job. */
interface JobFields {
  prompt: string;
  format: string;
  schema: string;
  /** The field of a tool, from its path in the job: `[0].parameters.type`. */
  tools: (path: string) => string;
}

export function jobFields({ prompt, format, schema, tools }: JobFields): FieldOf {
  return ({ part, path }) => {
    switch (part) {
      case 'prompt':
        return prompt;
      case 'format':
        return format;
      case 'schema':
        return schema + path;
      case 'tools':
        // Tools have the same order in both.
        return tools(path);
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
        return part + path;
      case 'ending':
        return `stop_token_ids${path}`;
    }
  };
}
