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

/** A picture as its whole self, so that the file needs no other. */
function attached({ name, url }: Attachment): string {
  return `![${name.replaceAll(/[[\]]/g, '')}](${url})`;
}
