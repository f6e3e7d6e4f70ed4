import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import {
  chooseLanguage,
  isLanguage,
  langAttribute,
  language,
  LANGUAGES,
} from '../messages/language.ts';
import { messages } from '../messages/messages.ts';
import { Icon } from '../ui/icons.tsx';

const NAMES = Object.entries(LANGUAGES);

/** Switches the language. The list is the browser's own, behind an icon. */
export function LanguageButton(): VNode {
  const hasFailed = useSignal(false);
  const text = messages.value.app;
  const choose = async (list: HTMLSelectElement) => {
    if (!isLanguage(list.value)) return;
    hasFailed.value = false;
    try {
      await chooseLanguage(list.value);
    } catch {
      list.value = language.value;
      hasFailed.value = true;
    }
  };
  return (
    <span class="icon-button language-button" title={text.language}>
      <Icon name="globe" />
      <select
        aria-label={text.language}
        value={language.value}
        onChange={({ currentTarget }) => void choose(currentTarget)}
      >
        {NAMES.map(([id, name]) => (
          <option key={id} value={id} lang={isLanguage(id) ? langAttribute(id) : ''}>
            {name}
          </option>
        ))}
      </select>
      {hasFailed.value && (
        <span class="language-failure" role="alert">
          {text.languageFailed}
        </span>
      )}
    </span>
  );
}
