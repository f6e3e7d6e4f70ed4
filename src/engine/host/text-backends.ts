import type { TextBackend } from '../conversation/text-backend.ts';
import { modelNotFound } from '../../core/errors/errors.ts';
import type { EngineName } from '../../core/catalog/variant.ts';

/** A backend that leaves each model to the engine of its variant. */
export function backendOfEach(
  backends: Readonly<Partial<Record<EngineName, TextBackend>>>,
): TextBackend {
  return {
    load: (request) => {
      const { entry, variant } = request.installed;
      const backend = backends[variant.engine];
      if (!backend) throw modelNotFound(entry.id, 'It does not write text.');
      return backend.load(request);
    },
    receive: (installed) => backends[installed.variant.engine]?.receive?.(installed),
  };
}
