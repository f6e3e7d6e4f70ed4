import { member } from '../../json.ts';
import { list, text } from '../conversation/files/values.ts';

/** The tools that a server has told. */
export interface ServerTools {
  type: 'tools';
  /** Label of the server. */
  server: string;
  /** Names of its tools. */
  names: readonly string[];
}

/** A call of a server's tool. */
export interface ServerCall {
  type: 'call';
  id: string;
  server: string;
  /** The tool's name. */
  name: string;
  /** JSON, as the model wrote it: it may be invalid. */
  arguments: string;
  output: string;
  /** Why it failed; empty: it has not. */
  error: string;
  /** Id of the request that the user has approved; empty: none. */
  request: string;
}

/** A call that waits for the user's word. */
export interface ServerRequest {
  type: 'request';
  id: string;
  server: string;
  name: string;
  arguments: string;
}

/** Something that a server was asked for, or is to be asked for. */
export type ServerStep = ServerTools | ServerCall | ServerRequest;

/** The user's word on a call that an answer asks for. */
export interface Decision {
  /** Id of the request. */
  request: string;
  /** The tool's name. */
  name: string;
  isApproved: boolean;
}

/** The step of an item of the Responses API; undefined: the item is about no server. */
export function stepOf(item: unknown): ServerStep | undefined {
  const of = (name: string) => text(member(item, name));
  const [id, server, name] = [of('id'), of('server_label'), of('name')];
  switch (of('type')) {
    case 'mcp_list_tools': {
      const names = list(member(item, 'tools')).map((tool) => text(member(tool, 'name')));
      return { type: 'tools', server, names };
    }
    case 'mcp_call': {
      const [output, error] = [of('output'), errorText(member(item, 'error'))];
      const request = of('approval_request_id');
      return { type: 'call', id, server, name, arguments: of('arguments'), output, error, request };
    }
    case 'mcp_approval_request':
      return { type: 'request', id, server, name, arguments: of('arguments') };
    default:
      return undefined;
  }
}

/** The message of a server's error, or of its tool's; empty if there is no error. */
function errorText(error: unknown): string {
  if (error === undefined || error === null) return '';
  const content = list(member(error, 'content')).map((part) => text(member(part, 'text')));
  return text(member(error, 'message')) || content.join('\n') || JSON.stringify(error);
}

/** The items of the Responses API for these steps, without lists of tools: each request lists the tools again. */
export function itemsOfSteps(steps: readonly ServerStep[]): object[] {
  return steps.flatMap((step) => {
    if (step.type === 'tools') return [];
    const { id, server: server_label, name, arguments: given } = step;
    const item = { id, server_label, name, arguments: given };
    if (step.type === 'request') return [{ ...item, type: 'mcp_approval_request' }];
    const { output, error, request } = step;
    return [
      {
        ...item,
        type: 'mcp_call',
        output: error === '' ? output : null,
        error: error === '' ? null : error,
        approval_request_id: request === '' ? null : request,
      },
    ];
  });
}

/** Steps of the console's own export. */
export function ownSteps(values: readonly unknown[]): ServerStep[] {
  return values.flatMap((value): ServerStep[] => {
    const of = (name: string) => text(member(value, name));
    const [id, server, name] = [of('id'), of('server'), of('name')];
    switch (of('type')) {
      case 'tools':
        return [{ type: 'tools', server, names: list(member(value, 'names')).map(text) }];
      case 'call': {
        const [output, error, request] = [of('output'), of('error'), of('request')];
        const given = of('arguments');
        return [{ type: 'call', id, server, name, arguments: given, output, error, request }];
      }
      case 'request':
        return [{ type: 'request', id, server, name, arguments: of('arguments') }];
      default:
        return [];
    }
  });
}
