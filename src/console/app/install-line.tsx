import type { VNode } from 'preact';
import { messages } from '../messages/messages.ts';
import { TextButton } from '../ui/buttons.tsx';
import { endOffer, installOffer } from './install.ts';

/** Offers once to install the page. */
export function InstallLine(): VNode | null {
  const offer = installOffer.value;
  if (!offer) return null;
  const text = messages.value.app.install;
  const install = () => {
    void offer.prompt();
    endOffer();
  };
  return (
    <section class="install-line" aria-label={text.title}>
      <p class="note">{text.lead}</p>
      <TextButton onClick={endOffer}>{text.notNow}</TextButton>
      <TextButton onClick={install}>{text.title}</TextButton>
    </section>
  );
}
