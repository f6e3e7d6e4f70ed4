import type { ApiRequest } from '../../index.ts';
import { EXAMPLE_FILES, requestCode } from '../from-code/request-code.ts';
import type { Snippet } from '../from-code/snippets.ts';
import { hasMembers, indentedJson } from '../json.ts';
import { messages } from '../messages/messages.ts';
import { requestedEndpoint } from '../playground/endpoints.ts';

/** The JSON body of a request: all of it if it was recorded, else without its contents. */
export function bodyText({ body, parameters }: ApiRequest): string {
  return indentedJson(body ?? parameters ?? {});
}

/** Code that sends the request again. The file of a form is not recorded, and is named as an example. */
export function requestSnippets(
  request: ApiRequest,
  access: { baseURL: string; apiKey: string },
): Snippet[] {
  const { method, endpoint, body, parameters } = request;
  const path = `/${endpoint}`;
  const hasBody = method === 'POST';
  const fields = body ?? parameters;
  const kind = requestedEndpoint(method, path)?.endpoint.file;
  const file = kind && EXAMPLE_FILES[kind];
  const note = hasBody && !body ? messages.value.requests.snippets.notRecorded : '';
  return requestCode(
    {
      method,
      path,
      ...(hasBody && { fields: hasMembers(fields) ? fields : {} }),
      ...(file !== undefined && { file }),
    },
    access,
    note,
  );
}
