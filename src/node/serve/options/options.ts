import type { ParseArgsConfig } from 'node:util';
import type { BridgedOptions } from '../../../core/realms/bridge-messages.ts';
import { KV_CACHE_TYPES, type KvCacheType } from '../../../core/realms/kv-cache-type.ts';
import { KEY_PATTERN } from '../../../core/keys/key-format.ts';
import { GPU_MODES, type GpuMode } from '../../browser.ts';
import { either, parseCommandLine, UsageError } from '../../command-line.ts';
import { hasDisplay } from '../browser/open-browser.ts';
import { readRouteOptions } from './route-options.ts';
import { readUpstreamOptions } from './upstream-options.ts';

export interface ServeOptions {
  /** Folder of the built site. */
  folder: string;
  /** Port of the site; 0: any free port. */
  port: number;
  /** Whether to open the site in the user's browser. */
  open: boolean;
  /** Undefined: serve the site only. */
  headless?: HeadlessOptions;
}

/** A page in a headless browser, and the bridge to it. */
export interface HeadlessOptions extends BridgedOptions {
  /** Port of the bridge; 0: any free port. */
  apiPort: number;
  /** A key that the API accepts; default: a new one. */
  key?: string;
  /**
   * Models that are installed before the bridge is ready; the first one is also loaded. Each is a GGUF file or a pack
   * folder on this computer, or a source that `models.add` takes.
   */
  models: string[];
  gpu: GpuMode;
  /** Whether to log every request to the site's API. */
  log: boolean;
  /** Origins of web pages that may use the bridge. */
  allowOrigins: string[];
}

export const SERVE_HELP = `Usage: slashv1 serve [folder] [options]

Serves a built site that uses slashv1 (default: the current folder) on this computer, and opens it.
With --headless (the default without a display) it also runs the site's page in a headless Chromium,
with a bridge to its API for programs that are not web pages. When the bridge is ready, it prints
  ready http://127.0.0.1:<port>/v1 key=<key>

Options:
  --port <number>         port of the site (default 8787; 0: any free port)
  --open, --no-open       open the site in your browser, or do not
  --headless, --no-headless
                          run the page and the bridge, or only serve the site
  --help                  show this help

Options of the bridge:
  --api-port <number>     port of the bridge (default 8788; 0: any free port)
  --key sk-slashv1-…      API key to accept (default: a new one)
  --model <model>         load this model before the bridge is ready: an id, a GGUF file or the
                          folder of a model pack on this computer, owner/name or
                          owner/name:file.gguf on the hub, or a URL; if repeated, the others are
                          installed, and loaded by their first request
  --gpu <mode>            auto, hardware or software (default auto: the GPU if there is one)
  --context <tokens>      how long conversations may be (default: 8192, or more if memory is plentiful)
  --kv-cache-type <type>  f16 or q8_0, which has room for almost twice the tokens and is less exact (default f16)
  --log                   log every request to the API: one line when it has ended
  --hear <model>          let this model write down the recordings in chats: its id
  --files                 let requests store files, with /v1/files; they end with the headless browser
  --mcp <URL>             let requests call the tools of this MCP server; may be repeated
  --allow-origin <origin> let web pages of this origin use the bridge; may be repeated
  --upstream <name>=<URL> send requests for models that this site does not know on to another server of the
                          API; may be repeated. SLASHV1_UPSTREAM_<NAME>_TOKEN holds the token for it, if any
  --route <name>=device:<model>,<upstream>:<model>
                          requests for the model <name> are answered by the first of these that can;
                          may be repeated
  --max-queue <number>    routes pass over this device while so many requests of its model wait or are
                          being answered

SLASHV1_CHROMIUM or CHROME_PATH names the browser. By default, an installed Chromium or Chrome is used.
`;

const FLAGS = {
  port: { type: 'string' },
  open: { type: 'boolean' },
  'no-open': { type: 'boolean' },
  headless: { type: 'boolean' },
  'no-headless': { type: 'boolean' },
  'api-port': { type: 'string' },
  key: { type: 'string' },
  model: { type: 'string', multiple: true },
  gpu: { type: 'string' },
  context: { type: 'string' },
  'kv-cache-type': { type: 'string' },
  log: { type: 'boolean' },
  files: { type: 'boolean' },
  hear: { type: 'string' },
  mcp: { type: 'string', multiple: true },
  'allow-origin': { type: 'string', multiple: true },
  upstream: { type: 'string', multiple: true },
  route: { type: 'string', multiple: true },
  'max-queue': { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} satisfies ParseArgsConfig['options'];

/** Options that are only about the bridge. */
const BRIDGE_FLAGS = [
  'api-port',
  'key',
  'model',
  'gpu',
  'context',
  'kv-cache-type',
  'log',
  'files',
  'hear',
  'mcp',
  'allow-origin',
  'upstream',
  'route',
  'max-queue',
] as const;

function parse(args: string[]) {
  return parseCommandLine({ args, options: FLAGS, allowPositionals: true });
}

type Values = ReturnType<typeof parse>['values'];

/**
 * The options of `slashv1 serve`, or `help` if the user asked for it.
 *
 * @throws UsageError
 */
export function parseServeOptions(
  args: string[],
  display: boolean = hasDisplay(),
  env: NodeJS.ProcessEnv = process.env,
): ServeOptions | 'help' {
  const { values, positionals } = parse(args);
  if (values.help) return 'help';
  const [folder = '.', ...more] = positionals;
  if (more.length > 0)
    throw new UsageError(`Only one folder can be served. Remove ${more.join(', ')}.`);
  const headless = either(values, 'headless') ?? !display;
  const open = either(values, 'open') ?? !headless;
  const port = portNumber('--port', values.port ?? '8787');
  if (!headless) refuseBridgeFlags(values);
  if (!headless) return { folder, port, open };
  return { folder, port, open, headless: headlessOptions(values, port, env) };
}

function headlessOptions(values: Values, port: number, env: NodeJS.ProcessEnv): HeadlessOptions {
  const { key, model: models = [] } = values;
  const apiPort = portNumber('--api-port', values['api-port'] ?? '8788');
  if (apiPort === port && port !== 0) {
    throw new UsageError(`--port and --api-port are both ${port}: they must differ.`);
  }
  if (key !== undefined) checkKey(key);
  if (models.includes(''))
    throw new UsageError(
      '--model needs the id of a model, a GGUF file or the folder of a model pack.',
    );
  const upstreams = readUpstreamOptions(values.upstream ?? [], port, env);
  const maxQueue = queueLimit(values);
  return {
    apiPort,
    models,
    gpu: gpuMode(values.gpu ?? 'auto'),
    log: values.log ?? false,
    allowOrigins: (values['allow-origin'] ?? []).map(allowedOrigin),
    ...(upstreams.length > 0 && { upstreams }),
    ...(values.route && { routes: readRouteOptions(values.route, upstreams, maxQueue) }),
    ...(values.files && { files: true }),
    ...(values.hear !== undefined && { hear: modelId('--hear', values.hear) }),
    ...(values.mcp && { mcp: { servers: values.mcp.map(serverUrl) } }),
    ...(key !== undefined && { key }),
    ...(values.context !== undefined && {
      contextLength: wholeNumber('--context', values.context),
    }),
    ...(values['kv-cache-type'] !== undefined && {
      kvCacheType: kvCacheType(values['kv-cache-type']),
    }),
  };
}

function kvCacheType(text: string): KvCacheType {
  const type = KV_CACHE_TYPES.find((each) => each === text);
  if (type) return type;
  throw new UsageError(`--kv-cache-type must be ${KV_CACHE_TYPES.join(' or ')}, not "${text}".`);
}

function modelId(option: string, text: string): string {
  if (text !== '') return text;
  throw new UsageError(`${option} needs the id of a model.`);
}

function serverUrl(text: string): string {
  if (/^https?:/.test(text) && URL.canParse(text)) return text;
  throw new UsageError(
    `--mcp must be the URL of a server, such as https://mcp.example/mcp, not "${text}".`,
  );
}

function queueLimit({ 'max-queue': text, route: routes }: Values): number | undefined {
  if (text === undefined) return undefined;
  const count = wholeNumber('--max-queue', text);
  if (!routes) throw new UsageError('--max-queue is for routes: it needs --route.');
  return count;
}

function wholeNumber(option: string, text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new UsageError(`${option} must be a whole number from 1, not "${text}".`);
}

function portNumber(option: string, text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65535) return port;
  throw new UsageError(`${option} must be a number from 0 to 65535, not "${text}".`);
}

/** The message does not repeat the key: it may be a mistyped real key, and messages end up in logs. */
function checkKey(key: string): void {
  if (KEY_PATTERN.test(key)) return;
  throw new UsageError(
    '--key must be sk-slashv1- followed by 43 characters from A-Z, a-z, 0-9, - and _.',
  );
}

function gpuMode(text: string): GpuMode {
  const mode = GPU_MODES.find((each) => each === text);
  if (mode) return mode;
  throw new UsageError(`--gpu must be one of ${GPU_MODES.join(', ')}, not "${text}".`);
}

function allowedOrigin(text: string): string {
  const origin = text === '*' ? text : URL.canParse(text) && new URL(text).origin;
  if (origin && origin !== 'null') return origin;
  throw new UsageError(
    `--allow-origin must be an origin such as http://localhost:5173, not "${text}".`,
  );
}

function refuseBridgeFlags(values: Values): void {
  const given = BRIDGE_FLAGS.find((name) => values[name] !== undefined);
  if (given) throw new UsageError(`--${given} is an option of the bridge, so it needs --headless.`);
}
