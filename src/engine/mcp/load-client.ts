import * as v from 'valibot';
import { MCP_CLIENT_URL } from '../../core/site/engine-files.ts';
import { INIT_AGAIN } from '../../core/site/served-file.ts';
import { loadModule } from '../workers/load-module.ts';
import type * as Client from './client.ts';

const isFunction = (value: unknown) => typeof value === 'function';
const clientSchema = v.object({
  connect: v.custom<typeof Client.connect>(isFunction),
  faultOf: v.custom<typeof Client.faultOf>(isFunction),
  isUsable: v.custom<typeof Client.isUsable>(isFunction),
});

/** What the client exports. */
export type McpClient = v.InferOutput<typeof clientSchema>;

/**
 * Imports the client of MCP servers.
 *
 * @param base - URL of the folder that its script is in
 * @throws ApiError 500 if it cannot be loaded
 */
export function loadClient(base: string): Promise<McpClient> {
  const script = new URL(MCP_CLIENT_URL, base);
  return loadModule('The client of MCP servers', script, clientSchema, INIT_AGAIN);
}
