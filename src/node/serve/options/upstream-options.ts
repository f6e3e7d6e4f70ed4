import type { BridgedUpstream } from '../../../core/realms/bridge-messages.ts';
import { readUpstreams } from '../../../core/realms/upstreams.ts';
import { UsageError } from '../../command-line.ts';
import { namedOption } from './named-option.ts';
import { messageOf } from '../../../core/text/message-of.ts';

/** Prefix of the environment variables that hold tokens. */
export const TOKEN_VARIABLES = 'SLASHV1_UPSTREAM_';

/** What an authorization header can hold. */
const TOKEN = /^[\x21-\x7e]+$/;

/**
 * The upstreams that the command line names, with their tokens from the environment.
 *
 * @param given - such as `cluster=https://llm.example.org/v1`
 * @param port - of the site
 * @throws UsageError, which repeats neither addresses nor tokens
 */
export function readUpstreamOptions(
  given: readonly string[],
  port: number,
  env: NodeJS.ProcessEnv,
): BridgedUpstream[] {
  const named = given.map((text) => {
    const option = namedOption(text);
    if (option) return { name: option.name, baseURL: option.value };
    throw new UsageError('--upstream must be name=URL, as in cluster=https://llm.example.org/v1.');
  });
  checkVariables(named.map(({ name }) => name));
  return checked(named, port).map(({ name, baseURL }) => {
    const variable = tokenVariable(name);
    const token = env[variable]?.trim() ?? '';
    if (token !== '' && !TOKEN.test(token)) {
      throw new UsageError(`${variable} has characters that no header can hold.`);
    }
    return { name, baseURL, ...(token !== '' && { token }) };
  });
}

/** The environment variable with this upstream's token: `SLASHV1_UPSTREAM_CLUSTER_TOKEN`. */
function tokenVariable(name: string): string {
  return `${TOKEN_VARIABLES}${name.replaceAll(/[^A-Za-z0-9]/g, '_').toUpperCase()}_TOKEN`;
}

/** Refuses upstreams that share a variable, because no upstream may get the token of another one. */
function checkVariables(names: readonly string[]): void {
  const variables = names.map(tokenVariable);
  const shared = variables.find((each, at) => variables.indexOf(each) !== at);
  if (shared === undefined) return;
  throw new UsageError(`Two names of --upstream have the same variable, ${shared}.`);
}

function checked(named: readonly { name: string; baseURL: string }[], port: number) {
  try {
    const site = new URL(`http://127.0.0.1:${port}/`);
    return readUpstreams(
      named.map((each) => ({ ...each, models: '*' })),
      site,
    );
  } catch (error) {
    throw new UsageError(`--upstream: ${messageOf(error)}`);
  }
}
