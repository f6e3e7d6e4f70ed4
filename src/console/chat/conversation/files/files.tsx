import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { fill } from '../../../messages/fill.ts';
import { messages } from '../../../messages/messages.ts';
import { TextButton } from '../../../ui/buttons.tsx';
import { saveFile } from '../../../ui/save-file.ts';
import { parsed } from '../../../json.ts';
import type { Conversations } from '../conversations.ts';
import { importedConversations } from './import.ts';

/** Buttons that save all chats as a file, and read such a file or one of another product. */
export function Files({ conversations }: { conversations: Conversations }): VNode {
  const text = messages.value.chat.list;
  const result = useSignal('');
  const list = conversations.list.value;
  const read = async (files: FileList | null) => {
    for (const file of files ?? []) {
      const found = importedConversations(parsed(await file.text()));
      await conversations.add(found);
      result.value =
        found.length === 0
          ? fill(text.notChats, { name: file.name })
          : fill(text.imported, { count: found.length });
    }
  };
  const choose = () => {
    const input = document.createElement('input');
    Object.assign(input, { type: 'file', accept: '.json,application/json' });
    input.addEventListener('change', () => void read(input.files));
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
