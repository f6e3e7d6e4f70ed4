import type { VNode } from 'preact';
import type { ApiRequest, FollowedRoute, RecordedAnswer, Slashv1 } from '../../index.ts';
import { goTo } from '../app/route.ts';
import { SnippetTabs } from '../from-code/code-dialog.tsx';
import { fill } from '../messages/fill.ts';
import { indentedJson } from '../json.ts';
import { messages } from '../messages/messages.ts';
import { draftBody, draftValues } from '../playground/drafts.ts';
import { nameOf, requestedEndpoint } from '../playground/endpoints.ts';
import { TextButton } from '../ui/buttons.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { formatDateTime } from '../ui/format.ts';
import { bodyText, requestSnippets } from './request-snippets.ts';
import { cellsOf, COLUMNS } from './request-text.ts';

interface RequestDialogProps {
  request: ApiRequest;
  v1: Slashv1;
  onClose: () => void;
}

/** Everything that is known of a request, and code that repeats it. */
export function RequestDialog({ request, v1, onClose }: RequestDialogProps): VNode {
  const { method, endpoint, id, parameters, body, answers, error, route } = request;
  const text = messages.value.requests;
  const cells = cellsOf(request);
  const playable = requestedEndpoint(method, `/${endpoint}`);
  const play = ({ endpoint: asked, values }: NonNullable<typeof playable>) => {
    if (asked.body) draftBody(nameOf(asked), bodyText(request));
    draftValues(nameOf(asked), values);
    goTo('playground', nameOf(asked));
  };
  return (
    <Dialog title={`${method} /v1/${endpoint}`} name="request-dialog" onClose={onClose}>
      <dl class="facts">
        <Fact name={text.id} value={id} />
        <Fact name={text.columns.time} value={formatDateTime(request.at)} />
        {COLUMNS.map((column) => (
          <Fact key={column} name={text.columns[column]} value={cells[column]} />
        ))}
      </dl>
      {route && <RouteView route={route} />}
      {error && <p class="failure">{error.message}</p>}
      {body === undefined && parameters && <Json title={text.parameters} value={parameters} />}
      {body !== undefined && <Json title={text.body} value={body} />}
      {answers?.map((answer, index) => (
        <AnswerView key={index} answer={answer} />
      ))}
      {body === undefined && <p class="note">{text.notRecorded}</p>}
      {playable && (
        <div class="button-row">
          <TextButton onClick={() => play(playable)}>{text.play}</TextButton>
        </div>
      )}
      <SnippetTabs snippets={requestSnippets(request, v1)} />
    </Dialog>
  );
}

function Fact({ name, value }: { name: string; value: string }): VNode | null {
  if (value === '') return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

/** The entry that the route has led to, and why the entries before were skipped. */
function RouteView({ route: { name, to, skipped } }: { route: FollowedRoute }): VNode {
  const text = messages.value.requests.route;
  return (
    <section aria-label={text.title}>
      <h3>{fill(text.of, { name })}</h3>
      <ul>
        {skipped.map((entry) => (
          <li key={entry.to}>
            {entry.to}: {entry.reason}
          </li>
        ))}
        <li>{to === undefined ? text.nowhere : fill(text.serves, { entry: to })}</li>
      </ul>
    </section>
  );
}

function AnswerView({ answer: { text, reasoning, toolCalls } }: { answer: RecordedAnswer }): VNode {
  const titles = messages.value.requests;
  return (
    <>
      {reasoning !== '' && <Text title={titles.thinking} text={reasoning} />}
      {text !== '' && <Text title={titles.answer} text={text} />}
      {toolCalls.length > 0 && <Json title={titles.toolCalls} value={toolCalls} />}
    </>
  );
}

function Json({ title, value }: { title: string; value: unknown }): VNode {
  return <Text title={title} text={indentedJson(value)} />;
}

function Text({ title, text }: { title: string; text: string }): VNode {
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <div class="code wrapped">
        <pre tabIndex={0}>
          <code>{text}</code>
        </pre>
      </div>
    </section>
  );
}
