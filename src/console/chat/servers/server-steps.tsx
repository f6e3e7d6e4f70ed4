import type { VNode } from 'preact';
import { readableJson } from '../../json.ts';
import { fill } from '../../messages/fill.ts';
import { messages } from '../../messages/messages.ts';
import { TextButton } from '../../ui/buttons.tsx';
import { CodeBlock, Settled } from '../markdown/code/code-block.tsx';
import { serverName } from './known-servers.ts';
import type {
  Decision,
  ServerCall,
  ServerRequest,
  ServerStep,
  ServerTools,
} from './server-step.ts';

export interface StepsProps {
  steps: readonly ServerStep[];
  /** Gets the user's word on the calls that wait for it. Undefined: nobody waits for it. */
  onDecide?: (decisions: Decision[]) => void;
}

/** What servers were asked for while an answer was made, folded, and the call that waits for the user's word. */
export function ServerSteps({ steps, onDecide }: StepsProps): VNode {
  return (
    <Settled.Provider value>
      {steps.map((step, index) => {
        switch (step.type) {
          case 'tools':
            return <Tools key={index} step={step} />;
          case 'call':
            return <Call key={index} step={step} />;
          case 'request':
            return <Request key={index} step={step} {...(onDecide && { onDecide })} />;
        }
      })}
    </Settled.Provider>
  );
}

function Tools({ step: { server: label, names } }: { step: ServerTools }): VNode {
  const text = messages.value.chat.servers;
  const server = serverName(label);
  return (
    <details class="tool-call">
      <summary>{fill(text.listed, { server, count: names.length })}</summary>
      <ul class="server-tools">
        {names.map((name) => (
          <li key={name}>
            <code>{name}</code>
          </li>
        ))}
      </ul>
    </details>
  );
}

function Call({ step }: { step: ServerCall }): VNode {
  const text = messages.value.chat.servers;
  const { name, output, error } = step;
  const server = serverName(step.server);
  const hasFailed = error !== '';
  return (
    <details class="tool-call">
      <summary>
        {fill(hasFailed ? text.failed : text.called, { server })} <code>{name}</code>
      </summary>
      <div class="markdown">
        <CodeBlock text={readableJson(step.arguments)} language="json" />
        <CodeBlock text={hasFailed ? error : readableJson(output)} language="json" />
      </div>
    </details>
  );
}

interface RequestProps {
  step: ServerRequest;
  onDecide?: (decisions: Decision[]) => void;
}

/** A call that nobody has approved. What it would send is in sight. */
function Request({ step, onDecide }: RequestProps): VNode {
  const text = messages.value.chat.servers;
  const { id, name } = step;
  const server = serverName(step.server);
  const decide = (isApproved: boolean) => onDecide?.([{ request: id, name, isApproved }]);
  return (
    <section class="server-request" aria-label={text.request}>
      <p>
        {fill(text.asks, { server })} <code>{name}</code>
      </p>
      <div class="markdown">
        <CodeBlock text={readableJson(step.arguments)} language="json" />
      </div>
      {onDecide && (
        <>
          <p class="note">{fill(text.leaves, { server })}</p>
          <div class="button-row">
            <TextButton onClick={() => decide(false)}>{text.deny}</TextButton>
            <TextButton class="button primary" onClick={() => decide(true)}>
              {text.allow}
            </TextButton>
          </div>
        </>
      )}
    </section>
  );
}

/** What the user has decided about calls. */
export function Decisions({ decisions }: { decisions: readonly Decision[] }): VNode {
  const text = messages.value.chat.servers;
  return (
    <>
      {decisions.map(({ request, name, isApproved }) => (
        <p key={request}>
          {isApproved ? text.allowed : text.denied} <code>{name}</code>
        </p>
      ))}
    </>
  );
}
