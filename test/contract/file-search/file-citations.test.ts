import type OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { json } from '../support/read.ts';
import { finish, text } from '../support/test-engine.ts';
import { shop } from './file-search-api.ts';

type Response = OpenAI.Responses.Response;

describe('markers in the text', () => {
  const written = async (...pieces: string[]) => {
    const given = await shop();
    given.api.engine.next(...pieces.map(text), finish());
    const { output } = await json<Response>(
      await given.ask({ input: 'When are refunds paid, and is it opens at nine?' }),
    );
    const [, message] = output;
    const [part] = message?.type === 'message' ? message.content : [];
    if (part?.type !== 'output_text') throw new Error('There is no text.');
    const { annotations } = part;
    return [
      part.text,
      annotations.map((each) => (each.type === 'file_citation' ? each.index : each.type)),
    ];
  };

  test.each([
    [['One [1] two[2].'], 'One two.', [3, 7]],
    [['One [1][2]'], 'One', [3, 3]],
    [['One [1, 2].'], 'One.', [3, 3]],
    [['One ', '[', '1', ']', '.'], 'One.', [3]],
    [['[1] One'], ' One', [0]],
    // What names no passage is text.
    [['One [9] [x] [] [1.5] [0]'], 'One [9] [x] [] [1.5] [0]', []],
    [['One [1'], 'One [1', []],
    [['A [link](x) and [1'], 'A [link](x) and [1', []],
    [['Use `a[1]` and [1].'], 'Use `a[1]` and.', [14]],
    [['```\na[1]\n```\nSo [1]'], '```\na[1]\n```\nSo', [15]],
    [['See [1](https://x.example)'], 'See [1](https://x.example)', []],
    [[`One [${'1'.repeat(400)}]`], `One [${'1'.repeat(400)}]`, []],
  ])('%j', async (pieces, expected, places) => {
    expect(await written(...pieces)).toEqual([expected, places]);
  });
});
