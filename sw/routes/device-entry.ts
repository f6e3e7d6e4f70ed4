import type { TokensEvent } from '../../src/core/operations/events.ts';
import type { ApiOperation, JobOf } from '../../src/core/operations/jobs.ts';
import type { RouteEntry } from '../../src/core/realms/routes.ts';
import { promptTooLong } from '../../src/core/errors/errors.ts';
import { chooseVariant } from '../../src/core/fit/choose-variant.ts';
import { contextThatFits } from '../../src/core/fit/context-that-fits.ts';
import { refusals } from '../../src/core/fit/device-fit.ts';
import type { Context } from '../context.ts';
import { byteLengthOf, requestOf, type KeptRequest } from '../http/kept-request.ts';
import type { Placing } from './placing.ts';
import { cannotServe } from './route-errors.ts';

/** Bytes by which a request may be shorter than its prompt: templates add some text, and a token is a byte or more. */
const TEMPLATE_BYTES = 512;

/**
 * Answers a request on this device, if it can run the model of a route's entry, few enough requests are before it and its
 * prompt fits. What else is missing, the endpoint itself says before its answer begins.
 *
 * @param onChosen - called before it is answered
 * @throws ApiError of any kind
 */
export async function answerOnDevice(
  { model, maxQueue }: RouteEntry,
  given: KeptRequest,
  { context, endpoint, queues }: Placing,
  onChosen: () => void,
): Promise<Response> {
  const [entry, device] = await Promise.all([context.catalog.get(model), context.device()]);
  const variant = entry && chooseVariant(entry, device);
  if (variant && refusals(variant, device).length > 0) {
    throw cannotServe('This device cannot run it.');
  }
  const fits = entry && variant ? contextThatFits(entry, variant, device) : 0;
  const leave = await queues.enter(model, context.engine, maxQueue);
  try {
    // Only then may it be too long. 0: the browser has not told how long the context is.
    if (fits > 0 && byteLengthOf(given) + TEMPLATE_BYTES > fits) {
      await requireFit({ ...context, request: requestOf(given) }, endpoint.count);
    }
    onChosen();
    const response = await endpoint.handle({ ...context, request: requestOf(given) });
    return leave.with(response);
  } catch (error) {
    leave.now();
    throw error;
  }
}

/** @throws ApiError 400 if the prompt does not fit; what the endpoint throws */
async function requireFit(
  context: Context,
  count: ((context: Context) => Promise<Response>) | undefined,
): Promise<void> {
  let size: TokensEvent | undefined;
  let failure: unknown;
  async function* run<Op extends ApiOperation>(job: JobOf<Op>, signal: AbortSignal) {
    try {
      for await (const event of context.engine.run(job, signal)) {
        if (event.type === 'tokens') size = event;
        yield event;
      }
    } catch (error) {
      failure = error;
      throw error;
    }
  }
  const response = await count?.({ ...context, engine: { run } });
  await response?.arrayBuffer().catch(() => undefined);
  if (failure !== undefined) throw failure;
  const { ids = [], count: tokens = ids.length, contextLength = Infinity } = size ?? {};
  if (tokens > contextLength) throw promptTooLong(tokens, contextLength);
}
