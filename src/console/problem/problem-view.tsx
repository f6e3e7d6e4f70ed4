import type { VNode } from 'preact';
import { messages } from '../messages/messages.ts';
import { TextButton } from '../ui/buttons.tsx';
import { Icon } from '../ui/icons.tsx';
import { detectBrowser } from './browser.ts';
import { describeProblem, type Surroundings } from './problem.ts';
import { StepList } from './steps.tsx';

/** Shown instead of everything else when the page cannot serve. */
export function ProblemView({ error }: { error: unknown }): VNode {
  const { title, explanation, steps, technical } = describeProblem(error, surroundings());
  const text = messages.value.problem;
  return (
    <section class="problem" role="alert">
      <Icon name="warning" />
      <h1>{title}</h1>
      <p>{explanation}</p>
      <h2>{text.steps}</h2>
      <StepList steps={steps} />
      <TextButton class="button primary" onClick={() => location.reload()}>
        {text.reload}
      </TextButton>
      <p class="technical">
        <code lang="en">{technical}</code>
      </p>
    </section>
  );
}

function surroundings(): Surroundings {
  return {
    browser: detectBrowser(navigator.userAgent, navigator.maxTouchPoints),
    url: new URL(location.href),
    hasWebgpu: 'gpu' in navigator,
  };
}
