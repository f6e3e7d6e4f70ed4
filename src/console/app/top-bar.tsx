import { useSignal } from '@preact/signals';
import type { ComponentChildren, VNode } from 'preact';
import { messages } from '../messages/messages.ts';
import { IconButton } from '../ui/buttons.tsx';
import { Icon, type IconName } from '../ui/icons.tsx';
import { currentTheme, toggleTheme } from '../ui/theme.ts';
import { LanguageButton } from './language-button.tsx';
import { DeveloperTabs } from './navigation.tsx';

/** The product's name, the page's own controls, and the buttons for language and theme. */
export function TopBar({ children }: { children?: ComponentChildren }): VNode {
  return (
    <header class="top-bar">
      <a class="wordmark" href="#/chat" aria-label="slashv1">
        <img class="mark" src="./favicon.svg" alt="" />
        <span>slashv1</span>
      </a>
      <span class="spacer" />
      {children}
      <LanguageButton />
      <ThemeButton />
      <DeveloperTabs />
    </header>
  );
}

interface TopButtonProps {
  icon: IconName;
  label: string;
  /** Whether wide screens show what it opens, and so not the button. */
  isNarrowOnly?: boolean;
  onClick: () => void;
}

/** A button with icon and label. Narrow screens show only the icon. */
export function TopButton({ icon, label, isNarrowOnly = false, onClick }: TopButtonProps): VNode {
  return (
    <button
      type="button"
      class={isNarrowOnly ? 'top-button narrow-only' : 'top-button'}
      title={label}
      aria-label={label}
      onClick={onClick}
    >
      <Icon name={icon} />
      <span>{label}</span>
    </button>
  );
}

function ThemeButton(): VNode {
  const theme = useSignal(currentTheme());
  const { lightTheme, darkTheme } = messages.value.app;
  const label = theme.value === 'dark' ? lightTheme : darkTheme;
  return <IconButton icon="theme" label={label} onClick={() => (theme.value = toggleTheme())} />;
}
