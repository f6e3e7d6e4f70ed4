import * as v from 'valibot';
import { invalidRequest, type ApiError } from '../../../src/core/errors/errors.ts';
import type { ToolCall } from '../../../src/core/operations/jobs/jobs.ts';
import type { McpTool } from '../../../src/core/operations/jobs/mcp-job.ts';
import { callArguments } from '../../generation/request/call-arguments.ts';
import type { Transcript } from '../../generation/request/transcript.ts';
import { required } from '../../http/parse-value.ts';
import type { KnownItem } from '../response-request.ts';

/** A call of a server's tool that the model has asked for, and its user has approved. */
export interface ApprovedCall {
  /** Id of the request for approval. */
  request: string;
  label: string;
  name: string;
  arguments: string;
  /** Field of the approval. */
  field: string;
}

/** A request for approval. */
type ApprovalRequest = Omit<ApprovedCall, 'field'>;

/** Reads the items about servers, in their order. */
export class ServerItems {
  /** The tools of servers, by the servers' labels. */
  readonly known = new Map<string, McpTool[]>();
  readonly #requests = new Map<string, ApprovalRequest>();
  readonly #answered = new Set<string>();
  readonly #approved = new Map<string, ApprovedCall>();

  /** The approved calls that no item has the result of. */
  get approved(): ApprovedCall[] {
    return [...this.#approved.values()];
  }

  /** Adds what an item says to the model. @throws ApiError 400 */
  add(transcript: Transcript, item: KnownItem, field: string): void {
    switch (item.type) {
      case 'mcp_call':
        return this.#addCall(transcript, item, field);
      case 'mcp_approval_request': {
        const request = required(item.id, `${field}.id`);
        this.#requests.set(request, { request, ...calledTool(item, field) });
        return;
      }
      case 'mcp_approval_response':
        return this.#addAnswer(transcript, item, field);
      default: {
        const label = required(item.server_label, `${field}.server_label`);
        const tools = required(item.tools, `${field}.tools`);
        if (item.error == null) this.known.set(label, tools.map(listedTool));
      }
    }
  }

  #addCall(transcript: Transcript, item: KnownItem, field: string): void {
    const { name, arguments: given } = calledTool(item, field);
    const id = item.id ?? field;
    addResult(transcript, { id, name, arguments: given }, resultOf(item));
    if (item.approval_request_id != null) this.#approved.delete(item.approval_request_id);
  }

  #addAnswer(transcript: Transcript, item: KnownItem, field: string): void {
    const param = `${field}.approval_request_id`;
    const id = required(item.approval_request_id, param);
    const isApproved = required(item.approve, `${field}.approve`);
    const request = this.#requests.get(id);
    if (!request) {
      const message = `'${param}' is '${id}', which no mcp_approval_request before it has as its id.`;
      throw invalidRequest(message, param);
    }
    if (this.#answered.has(id)) {
      throw invalidRequest(`'${param}' is '${id}', which is answered already.`, param);
    }
    this.#answered.add(id);
    if (isApproved) {
      this.#approved.set(id, { ...request, field });
      return;
    }
    const why = item.reason == null || item.reason === '' ? '' : ` The reason: ${item.reason}`;
    const call = { id, name: request.name, arguments: request.arguments };
    addResult(transcript, call, `The user did not allow this call.${why}`);
  }
}

/** What the model reads of a call. @param error - null or undefined: the call has not failed */
export function calledText(output: string | null | undefined, error: unknown): string {
  return error == null ? (output ?? '') : `The call failed. ${errorText(error)}`;
}

/** What an error of a server or of its tool says. */
export function errorText(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error);
  if ('message' in error) return String(error.message);
  const content = 'content' in error && Array.isArray(error.content) ? error.content : [error];
  return content.map((part: unknown) => textOf(part) ?? JSON.stringify(part)).join('\n');
}

function textOf(part: unknown): string | undefined {
  return v.is(partSchema, part) ? part.text : undefined;
}

const partSchema = v.object({ text: v.string() });

/** 400: the call of a tool is approved that the request does not offer. */
export function notOffered({ label, name, field }: ApprovedCall): ApiError {
  const param = `${field}.approval_request_id`;
  const what = `a call of '${name}' of the server '${label}'`;
  return invalidRequest(`'${param}' approves ${what}, which 'tools' does not offer.`, param);
}

/** A tool of a list, without the fields that are null. */
export function listedTool({
  name,
  description,
  input_schema,
  annotations,
}: NonNullable<KnownItem['tools']>[number]): McpTool {
  return {
    name,
    ...(description != null && { description }),
    input_schema,
    ...(annotations != null && { annotations }),
  };
}

function addResult(transcript: Transcript, call: ToolCall, result: string): void {
  transcript.assistant({ toolCalls: [call] });
  transcript.result(call.id, result, call.id);
}

function resultOf({ output, error }: KnownItem): string {
  const text =
    typeof output === 'string'
      ? output
      : output?.map((part) => (typeof part.text === 'string' ? part.text : '')).join('');
  return calledText(text, error);
}

function calledTool(item: KnownItem, field: string) {
  return {
    label: required(item.server_label, `${field}.server_label`),
    name: required(item.name, `${field}.name`),
    arguments: callArguments(required(item.arguments, `${field}.arguments`), `${field}.arguments`),
  };
}
