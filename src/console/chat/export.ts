import type { Attachment } from './attachments/attachment.ts';
import { shownTurns, titleOf, type Conversation } from './conversation.ts';

/** What is shown of a conversation, as Markdown. */
export function asMarkdown(conversation: Conversation): string {
  const { system } = conversation.settings;
  const parts = [
    `# ${titleOf(conversation)}`,
    ...(system === '' ? [] : [`**System**\n\n${system}`]),
    ...shownTurns(conversation).map(({ role, text, attachments = [] }) =>
      [`**${role === 'user' ? 'You' : 'Answer'}**`, ...attachments.map(attached), text]
        .filter((part) => part !== '')
        .join('\n\n'),
    ),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** A picture or a file as its whole self, so that the export needs no other. */
function attached(attachment: Attachment): string {
  const { name } = attachment;
  if (attachment.kind === 'image') return `![${name.replaceAll(/[[\]]/g, '')}](${attachment.url})`;
  const { text } = attachment;
  const fences = text.match(/`{3,}/g) ?? [];
  const fence = '`'.repeat(1 + Math.max(2, ...fences.map(({ length }) => length)));
  return `**${name}**\n\n${fence}\n${text}\n${fence}`;
}
