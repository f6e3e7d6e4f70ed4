import { useSignal } from '@preact/signals';
import type { ComponentChildren, VNode } from 'preact';
import { useRef } from 'preact/hooks';

export interface Tab {
  title: string;
  panel: ComponentChildren;
}

/** Tabs as in the ARIA practices: the arrow keys switch between them, and together they are one tab stop. */
export function Tabs({ label, entries }: { label: string; entries: Tab[] }): VNode {
  const chosen = useSignal(0);
  const list = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    chosen.value = (chosen.value + step + entries.length) % entries.length;
    list.current?.querySelectorAll('button')[chosen.value]?.focus();
  };
  const shown = entries[chosen.value];
  return (
    <div>
      <div ref={list} class="tabs" role="tablist" aria-label={label} onKeyDown={move}>
        {entries.map(({ title }, index) => (
          <button
            key={title}
            type="button"
            role="tab"
            aria-selected={index === chosen.value}
            tabIndex={index === chosen.value ? 0 : -1}
            onClick={() => (chosen.value = index)}
          >
            {title}
          </button>
        ))}
      </div>
      {shown && (
        <div key={shown.title} role="tabpanel" aria-label={shown.title}>
          {shown.panel}
        </div>
      )}
    </div>
  );
}
