import { ApiError } from '../../src/core/errors/errors.ts';
import type { Engine } from '../../src/core/port/engine.ts';
import { VERSION } from '../../src/core/version.ts';
import type { Context } from '../context.ts';
import { jsonResponse } from '../http/json-response.ts';
import { firstOrGrace } from '../road/running-job.ts';

/** Timeout of /health, milliseconds. */
const WAIT_MS = 2_000;

/** `GET v1/health`: whether requests would be answered, and the models in memory. */
export async function health({ engine }: Context): Promise<Response> {
  let models: string[] | undefined;
  const asked = loaded(engine).then(
    (ids) => (models = ids),
    () => undefined,
  );
  await firstOrGrace(asked, WAIT_MS);
  if (!models) throw unavailable();
  return jsonResponse({ status: 'ok', version: VERSION, models });
}

async function loaded(engine: Engine<'states'>): Promise<string[]> {
  const ids: string[] = [];
  await engine.run({ op: 'states' }, AbortSignal.timeout(WAIT_MS), ({ progress }) => {
    if (progress.stage === 'ready') ids.push(progress.model);
  });
  return ids;
}

function unavailable(): ApiError {
  return new ApiError({
    status: 503,
    type: 'server_error',
    code: 'engine_error',
    param: null,
    message: 'No open page runs the engine, or it does not answer.',
  });
}
