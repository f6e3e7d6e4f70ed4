import { shownTurns, titleOf, type Conversation } from './conversation.ts';

/** What is shown of a conversation, as Markdown. */
export function asMarkdown(conversation: Conversation): string {
  const { system } = conversation.settings;
  const parts = [
    `# ${titleOf(conversation)}`,
    ...(system === '' ? [] : [`**System**\n\n${system}`]),
    ...shownTurns(conversation).map(
      ({ role, text }) => `**${role === 'user' ? 'You' : 'Answer'}**\n\n${text}`,
    ),
  ];
  return `${parts.join('\n\n')}\n`;
}
