import { parseArgs, type ParseArgsConfig } from 'node:util';
import { messageOf } from '../core/text/message-of.ts';

/** Parses arguments as Node's `parseArgs` does. @throws UsageError */
export function parseCommandLine<const Config extends ParseArgsConfig>(
  config: Config,
): ReturnType<typeof parseArgs<Config>> {
  try {
    return parseArgs(config);
  } catch (error) {
    // The first sentence says what is wrong; the rest is about parseArgs.
    const [message] = messageOf(error).split('. ');
    throw new UsageError(`${message}.`, { cause: error });
  }
}

/**
 * The value of a pair of options such as `--open` and `--no-open`; undefined if neither is given.
 *
 * @throws UsageError if both are
 */
export function either<Name extends string>(
  values: Partial<Record<Name | `no-${Name}`, unknown>>,
  name: Name,
): boolean | undefined {
  const [yes, no] = [values[name], values[`no-${name}`]];
  if (yes && no) throw new UsageError(`--${name} and --no-${name} exclude each other.`);
  return yes ? true : no ? false : undefined;
}

/** The command line is wrong. The program then ends with exit code 2, as is usual. */
export class UsageError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'UsageError';
  }
}
