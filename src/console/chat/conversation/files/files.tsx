import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { fill } from '../../../messages/fill.ts';
import { messageOf } from '../../../../core/text/message-of.ts';
import { messages } from '../../../messages/messages.ts';
import { TextButton } from '../../../ui/buttons.tsx';
import { saveFile } from '../../../ui/save-file.ts';
import { parsed } from '../../../json.ts';
import { isPrivate } from '../conversation.ts';
import type { Conversations } from '../conversations.ts';
import { importedConversations } from './import.ts';

/** Buttons that save all chats but private ones as a file, and read such a file or one of another product. */
export function Files({ conversations }: { conversations: Conversations }): VNode {
  const text = messages.value.chat.list;
  const result = useSignal('');
  const list = conversations.list.value.filter(({ id }) => !isPrivate(id));
  const read = async (file: File) => {
    try {
      const found = importedConversations(parsed(await file.text()));
      result.value =
        found.length === 0
          ? fill(text.notChats, { name: file.name })
          : fill(text.imported, { count: await conversations.add(found) });
    } catch (error) {
      result.value = messageOf(error);
    }
  };
  const choose = () => {
    const input = document.createElement('input');
    Object.assign(input, { type: 'file', accept: '.json,application/json' });
    input.addEventListener('change', () => {
      const file = input.files?.[0];
      if (file) void read(file);
    });
    input.click();
  };
  return (
    <>
      <TextButton onClick={choose}>{text.import}</TextButton>
      {list.length > 0 && (
        <TextButton
          onClick={() => saveFile(JSON.stringify(list), 'chats.json', 'application/json')}
        >
          {text.saveAll}
        </TextButton>
      )}
      <p class="note" role="status">
        {result}
      </p>
    </>
  );
}
