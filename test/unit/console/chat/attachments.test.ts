import { expect, test } from 'vitest';
import { contentOf, type Attachment } from '../../../../src/console/chat/attachments/attachment.ts';
import {
  newConversation,
  titleOf,
  withTurn,
} from '../../../../src/console/chat/conversation/conversation.ts';
import { asMarkdown } from '../../../../src/console/chat/conversation/files/export.ts';

const IMAGE: Attachment = {
  kind: 'image',
  id: 'i',
  name: 'a.png',
  url: 'data:image/png;base64,AA',
};
const FILE: Attachment = { kind: 'file', id: 'f', name: 'say "hi".md', text: '```js\n1\n```' };

test('pictures come first, then files, then the question', () => {
  expect(contentOf('Why?', [FILE, IMAGE], true)).toEqual([
    { type: 'image_url', image_url: { url: IMAGE.url } },
    { type: 'text', text: `<file name="say 'hi'.md">\n${FILE.text}\n</file>\n\nWhy?` },
  ]);
  expect(contentOf('Why?', [], true)).toBe('Why?');
  expect(contentOf('', [IMAGE], true)).toHaveLength(1);
});

test('a model that does not see is shown no pictures', () => {
  expect(contentOf('Why?', [IMAGE], false)).toBe('Why?');
});

test('a chat without a text is named after what is attached', () => {
  const turn = { id: 'q', parent: null, role: 'user' as const, text: '', attachments: [IMAGE] };
  expect(titleOf(withTurn(newConversation(), turn))).toBe('a.png');
});

test('an export has pictures and files whole, whatever a file has in it', () => {
  const turn = { id: 'q', parent: null, role: 'user' as const, text: 'Why?' };
  const chat = withTurn(newConversation(), { ...turn, attachments: [IMAGE, FILE] });
  expect(asMarkdown(chat)).toBe(
    `# Why?\n\n**You**\n\n![a.png](${IMAGE.url})\n\n**say "hi".md**\n\n\`\`\`\`\n${FILE.text}\n\`\`\`\`\n\nWhy?\n`,
  );
});
