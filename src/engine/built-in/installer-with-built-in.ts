import { BUILT_IN_MODEL } from '../../core/realms/built-in.ts';
import { invalidRequest } from '../../core/errors/errors.ts';
import type { Installer } from '../download/installer/installer.ts';
import type { BuiltInHost } from './built-in-host.ts';

type Managing = Pick<Installer, 'pause' | 'add' | 'addFiles' | 'remove'> & {
  install: (...given: Parameters<Installer['install']>) => Promise<unknown>;
};

/** The installer, with the browser's own model handled apart: the weight store holds nothing of it. */
export function installerWithBuiltIn(
  installer: Managing,
  builtIn: Pick<BuiltInHost, 'install' | 'requireEntry'>,
): Managing {
  return {
    install: (id, signal, options) =>
      id === BUILT_IN_MODEL ? builtIn.install(signal) : installer.install(id, signal, options),
    add: (source, signal) =>
      source === BUILT_IN_MODEL ? builtIn.requireEntry() : installer.add(source, signal),
    addFiles: (files, signal, options) => installer.addFiles(files, signal, options),
    pause: (id) => installer.pause(id),
    remove: async (id) => {
      if (id !== BUILT_IN_MODEL) return installer.remove(id);
      throw invalidRequest(
        `'${id}' belongs to the browser, and only its settings can remove it.`,
        'model',
      );
    },
  };
}
