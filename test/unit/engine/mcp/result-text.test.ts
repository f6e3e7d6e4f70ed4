import { expect, test } from 'vitest';
import { resultText, type ToolResult } from '../../../../src/engine/mcp/result-text.ts';

const text = (of: string) => ({ type: 'text', text: of });

test.each<[ToolResult, string]>([
  [{ content: [text('a'), text('b')] }, 'a\nb'],
  [{ content: [] }, ''],
  [{}, ''],
  [{ content: [{ type: 'image', mimeType: 'image/png' }, text('a')] }, '[image: image/png]\na'],
  [{ content: [{ type: 'resource', resource: { uri: 'file:///a', text: 'b' } }] }, 'b'],
  [{ content: [{ type: 'resource', resource: { uri: 'file:///a' } }] }, '[resource: file:///a]'],
  [{ content: [{ type: 'resource_link', uri: 'file:///a' }] }, '[resource_link: file:///a]'],
  [{ content: [text('a')], structuredContent: { a: 1 } }, 'a'],
  [{ structuredContent: { a: 1 } }, '{"a":1}'],
])('%j is read as %j', (result, expected) => {
  expect(resultText(result)).toBe(expected);
});
