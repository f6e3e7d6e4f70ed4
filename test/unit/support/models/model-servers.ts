import { vi } from 'vitest';
import makeModule from '../../../../models/llamacpp/built/llamacpp.js';
import type { FromModelWorker, Generate } from '../../../../src/engine/llamacpp/messages.ts';
import { ModelServer } from '../../../../src/engine/llamacpp/worker/model-server.ts';
import { moduleOpener } from '../../../../src/engine/llamacpp/worker/open-module.ts';
import { loadXGrammar } from '../../../support/xgrammar.ts';
import { decodeFake } from '../fakes/fake-llama.ts';
import { KEPT, keptOnFakeDisk } from './kept-prompts.ts';
import { threadScope } from './thread-scope.ts';
import { readTinyChat, sized } from './tiny-chat-llama.ts';

const WASM = new URL('../../../../models/llamacpp/built/llamacpp.wasm', import.meta.url);
const THREADED = { script: new URL('x:threads.js'), wasm: new URL('x:threads.wasm') };
const SCOPE = threadScope(false);

/** A prompt that makes tiny-chat count. */
export const PROMPT = '<|im_start|>user\nCount to 100.<|im_end|>\n<|im_start|>assistant\n';

/**
 * A server of one model, with the messages that it sends.
 *
 * @param onMessage - called at each message; a generation waits until it returns
 */
export function openServer(onMessage: (message: FromModelWorker) => void = () => undefined) {
  const messages: FromModelWorker[] = [];
  const server = new ModelServer({
    openModule: moduleOpener(makeModule, WASM, THREADED, SCOPE),
    openGpu: () => Promise.reject(new Error('There is no GPU.')),
    xgrammar: loadXGrammar(),
    decodeImage: decodeFake,
    openPrompts: () => keptOnFakeDisk().kept,
    // In browsers, a message to itself gives the turn. Node would handle it before timers.
    turn: () => new Promise((resolve) => setImmediate(resolve)),
    port: {
      postMessage: (message) => {
        messages.push(message);
        onMessage(message);
      },
    },
  });
  const until = <T extends FromModelWorker['type']>(type: T) =>
    vi.waitFor(() => {
      const found = messages.findLast((message) => message.type === type);
      if (!found) throw new Error(`There was no ${type}.`);
      return found as Extract<FromModelWorker, { type: T }>;
    });
  const load = async (bytes = readTinyChat(), contextLength = 4096) => {
    const parts = [{ name: 'tiny.gguf', ...sized(bytes) }];
    server.receive({ type: 'load', request: { parts, contextLength, threads: 1, kept: KEPT } });
  };
  const generate = (id: number, changes: Partial<Generate> = {}) =>
    server.receive({
      type: 'generate',
      id,
      request: {
        prompt: PROMPT,
        written: [],
        mayAddCache: true,
        generation: {
          sampling: { temperature: 0 },
          random: { seed: 1, choice: 0, drawn: 0 },
          maxTokens: 20,
        },
        ...changes,
      },
    });
  const textOf = (id: number) =>
    messages
      .flatMap((message) =>
        message.type === 'text' && message.id === id ? message.piece.text : [],
      )
      .join('');
  return { server, messages, until, load, generate, textOf };
}
