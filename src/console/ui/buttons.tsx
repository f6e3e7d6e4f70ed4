import { useSignal } from '@preact/signals';
import type { ButtonHTMLAttributes, ComponentChildren, VNode } from 'preact';
import { messages } from '../messages/messages.ts';
import { Icon, type IconName } from './icons.tsx';

type ButtonAttributes = Omit<ButtonHTMLAttributes, 'icon' | 'label'>;

interface IconButtonProps extends ButtonAttributes {
  icon: IconName;
  /** The accessible name and the tooltip. */
  label: string;
  children?: ComponentChildren;
}

/** A square button with an icon. */
export function IconButton({ icon, label, children, ...attributes }: IconButtonProps): VNode {
  return (
    <button type="button" class="icon-button" aria-label={label} title={label} {...attributes}>
      <Icon name={icon} />
      {children}
    </button>
  );
}

export function TextButton({ children, ...attributes }: ButtonAttributes): VNode {
  return (
    <button type="button" class="button" {...attributes}>
      {children}
    </button>
  );
}

const CONFIRMATION_MS = 1600;

/** Copies what `text` returns when the button is pressed, and briefly shows whether that worked. */
export function CopyButton({ label, text }: { label: string; text: () => string }): VNode {
  const outcome = useSignal<boolean | null>(null);
  const copy = async () => {
    outcome.value = await writeClipboard(text());
    setTimeout(() => (outcome.value = null), CONFIRMATION_MS);
  };
  const { value } = outcome;
  const { copied, notCopied } = messages.value.ui;
  const icon = value === null ? 'copy' : value ? 'check' : 'warning';
  return (
    <IconButton icon={icon} label={label} onClick={() => void copy()}>
      <span class="visually-hidden" role="status">
        {value !== null && (value ? copied : notCopied)}
      </span>
    </IconButton>
  );
}

async function writeClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
