import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Session } from '../app/session.ts';
import { TopBar } from '../app/top-bar.tsx';
import { messages } from '../messages/messages.ts';
import { TextButton } from '../ui/buttons.tsx';
import { Checkbox, Field } from '../ui/fields.tsx';
import { ScrolledColumn } from '../ui/follow-end.tsx';
import { RequestDialog } from './request-dialog.tsx';
import { RequestTable } from './request-table.tsx';
import { isMatch } from './request-text.ts';
import { messageOf } from '../../core/text/message-of.ts';

/** More rows than this would slow the page down. */
const MOST_ROWS = 200;

/** All requests of every tab, frame and worker of this site, live. */
export function RequestsPage({ session: { v1, feed } }: { session: Session }): VNode {
  const text = messages.value.requests;
  const filter = useSignal('');
  const opened = useSignal('');
  const failure = useSignal('');
  const attempt = (work: () => Promise<void>) =>
    void work().catch((error: unknown) => (failure.value = messageOf(error)));
  useEffect(() => attempt(() => feed.open()), []);
  const all = feed.shown.value;
  const matching = all.filter((request) => isMatch(request, filter.value));
  const shown = all.find(({ id }) => id === opened.value);
  return (
    <div class="page requests-page">
      <TopBar />
      <ScrolledColumn>
        <h1 class="page-title">{messages.value.app.pages.requests}</h1>
        <p class="lead">{text.lead}</p>
        <div class="filters">
          <Field name={text.filter}>
            <input
              class="field"
              type="search"
              value={filter.value}
              onInput={({ currentTarget }) => (filter.value = currentTarget.value)}
            />
          </Field>
          <Checkbox
            checked={feed.isRecording.value}
            disabled={feed.isSwitching.value}
            onChange={(checked) => attempt(() => feed.record(checked))}
          >
            <span>
              {text.record} <small class="note">{text.recordNote}</small>
            </span>
          </Checkbox>
        </div>
        <div class="button-row">
          <TextButton
            aria-pressed={feed.isPaused.value}
            onClick={() => feed.pause(!feed.isPaused.value)}
          >
            {text.pause}
          </TextButton>
          <TextButton disabled={all.length === 0} onClick={() => feed.clear()}>
            {text.clear}
          </TextButton>
        </div>
        {failure.value !== '' && (
          <p class="failure" role="alert">
            {failure}
          </p>
        )}
        {matching.length > 0 ? (
          <RequestTable
            requests={matching.slice(0, MOST_ROWS)}
            onOpen={(id) => (opened.value = id)}
          />
        ) : (
          <p class="note">{all.length === 0 ? text.none : text.noMatch}</p>
        )}
        {shown && <RequestDialog request={shown} v1={v1} onClose={() => (opened.value = '')} />}
      </ScrolledColumn>
    </div>
  );
}
