import { expect, test } from 'vitest';
import type { ChatModel } from '../../../../src/engine/models/chat-model.ts';
import type { LoadRequest, TextBackend } from '../../../../src/engine/conversation/text-backend.ts';
import { backendOfEach } from '../../../../src/engine/host/text-backends.ts';

const asked: string[] = [];

function backend(name: string): TextBackend {
  return {
    load: () => {
      asked.push(name);
      return new Promise<ChatModel>(() => undefined);
    },
  };
}

function request(engine: string): LoadRequest {
  return { installed: { entry: { id: 'a/b' }, variant: { engine } } } as LoadRequest;
}

test('a model is loaded by the engine of its variant', () => {
  const both = backendOfEach({ webllm: backend('webllm'), llamacpp: backend('llamacpp') });
  void both.load(request('llamacpp'));
  void both.load(request('webllm'));
  expect(asked).toEqual(['llamacpp', 'webllm']);
});

test('a model of an engine that writes no text is unknown here', () => {
  expect(() => backendOfEach({}).load(request('onnx'))).toThrow(/'a\/b'.*It does not write text/);
});
