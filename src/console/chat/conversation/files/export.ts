import { fill } from '../../../messages/fill.ts';
import { messages } from '../../../messages/messages.ts';
import type { Attachment } from '../../attachments/attachment.ts';
import { readableJson } from '../../../json.ts';
import { shownTurns, titleOf, type Conversation, type Turn } from '../conversation.ts';

/** The shown turns of a conversation, as Markdown. */
export function asMarkdown(conversation: Conversation): string {
  const { system } = conversation.settings;
  const parts = [
    `# ${titleOf(conversation)}`,
    ...(system === '' ? [] : [`**${messages.value.chat.export.system}**\n\n${system}`]),
    ...shownTurns(conversation).map((turn) =>
      [
        `**${speakerOf(turn)}**`,
        ...(turn.attachments ?? []).map(attached),
        turn.text,
        ...(turn.toolCalls ?? []).map((call) => fencedAs(call.name, readableJson(call.arguments))),
        ...(turn.results ?? []).map(({ name, text }) => fencedAs(name, text)),
      ]
        .filter((part) => part !== '')
        .join('\n\n'),
    ),
  ];
  return `${parts.join('\n\n')}\n`;
}

function speakerOf({ role, servedBy }: Turn): string {
  const text = messages.value.chat;
  if (role === 'user') return text.you;
  if (role === 'tool') return text.tools.results;
  return servedBy === undefined ? text.answer : fill(text.export.servedBy, { name: servedBy });
}

/** A picture or a file with its whole content, so that the export is complete in one file; of stored files, the name. */
function attached(attachment: Attachment): string {
  const { name } = attachment;
  if (attachment.kind === 'image') return `![${name.replaceAll(/[[\]]/g, '')}](${attachment.url})`;
  // The files of a store are not part of the chat.
  if (attachment.kind === 'stored') return `**${name}**`;
  return fencedAs(name, attachment.text);
}

/** A text in a code fence, below its name. */
function fencedAs(name: string, text: string): string {
  const fences = text.match(/`{3,}/g) ?? [];
  const fence = '`'.repeat(1 + Math.max(2, ...fences.map(({ length }) => length)));
  return `**${name}**\n\n${fence}\n${text}\n${fence}`;
}

/** A file's name from a conversation's title, without what file systems refuse. */
export function fileName(conversation: Conversation, ending: string): string {
  const name = titleOf(conversation)
    .replaceAll(/[\p{C}/\\:*?"<>|]/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/^[. ]+|[. ]+$/g, '');
  return `${name || 'chat'}.${ending}`;
}
