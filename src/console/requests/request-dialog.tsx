import type { VNode } from 'preact';
import type { ApiRequest, FollowedRoute, RecordedAnswer, Slashv1 } from '../../index.ts';
import { goTo } from '../app/route.ts';
import { SnippetTabs } from '../from-code/code-dialog.tsx';
import { drafts } from '../playground/drafts.ts';
import { ENDPOINTS } from '../playground/requests.ts';
import { TextButton } from '../ui/buttons.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { bodyText, requestSnippets } from './request-snippets.ts';
import { cellsOf } from './request-text.ts';

interface RequestDialogProps {
  request: ApiRequest;
  v1: Slashv1;
  onClose: () => void;
}

/** Everything that is known of a request, and code that repeats it. */
export function RequestDialog({ request, v1, onClose }: RequestDialogProps): VNode {
  const { method, endpoint, id, parameters, body, answers, error, route } = request;
  const playable = ENDPOINTS.find((each) => each.path === `/${endpoint}` && each.method === method);
  const play = () => {
    if (playable?.body) drafts.value = new Map(drafts.value).set(playable.path, bodyText(request));
    goTo('playground', endpoint);
  };
  return (
    <Dialog title={`${method} /v1/${endpoint}`} name="request-dialog" onClose={onClose}>
      <dl class="facts">
        <Fact name="Id" value={id} />
        <Fact name="Time" value={new Date(request.at).toLocaleString('en')} />
        {Object.entries(cellsOf(request)).map(([name, value]) => (
          <Fact key={name} name={name} value={value} />
        ))}
      </dl>
      {route && <RouteView route={route} />}
      {error && <p class="failure">{error.message}</p>}
      {body === undefined && parameters && <Json title="Parameters" value={parameters} />}
      {body !== undefined && <Json title="Body" value={body} />}
      {answers?.map((answer, index) => (
        <AnswerView key={index} answer={answer} />
      ))}
      {body === undefined && (
        <p class="note">Messages and answers are shown if contents are recorded.</p>
      )}
      {playable && (
        <div class="button-row">
          <TextButton onClick={play}>Open in the playground</TextButton>
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

/** Where the route has led, and why not to the entries before. */
function RouteView({ route: { name, to, skipped } }: { route: FollowedRoute }): VNode {
  return (
    <section aria-label="Route">
      <h3>Route {name}</h3>
      <ul>
        {skipped.map((entry) => (
          <li key={entry.to}>
            {entry.to}: {entry.reason}
          </li>
        ))}
        <li>
          {to === undefined ? 'No entry can serve the request.' : `${to}: serves the request.`}
        </li>
      </ul>
    </section>
  );
}

function AnswerView({ answer: { text, reasoning, toolCalls } }: { answer: RecordedAnswer }): VNode {
  return (
    <>
      {reasoning !== '' && <Text title="Thinking" text={reasoning} />}
      {text !== '' && <Text title="Answer" text={text} />}
      {toolCalls.length > 0 && <Json title="Tool calls" value={toolCalls} />}
    </>
  );
}

function Json({ title, value }: { title: string; value: unknown }): VNode {
  return <Text title={title} text={JSON.stringify(value, null, 2)} />;
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
