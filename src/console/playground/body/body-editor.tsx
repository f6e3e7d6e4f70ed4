import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { fill } from '../../messages/fill.ts';
import { messages } from '../../messages/messages.ts';
import { formatNumber } from '../../ui/format.ts';
import { NotFetched } from '../../ui/on-demand.tsx';
import { draftBody } from '../drafts.ts';
import { nameOf, type Endpoint } from '../endpoints.ts';
import type { Problem } from './check-body.ts';

/** A text is checked after a pause in typing of this length. */
const PAUSE_MS = 400;
/** Problems beyond this number are only counted. */
const MOST_SHOWN = 8;

interface BodyEditorProps {
  endpoint: Endpoint;
  text: string;
  /** Why it cannot be sent; empty: it can. Shown until the text has been checked. */
  syntaxProblem: string;
  /** The field that the API has refused, and why; empty: none. */
  refusal: string;
  /** Whether the API of this device would answer the request. */
  isChecked: boolean;
}

/** The JSON of a request. While the user writes, shows below it what the API would refuse or ignore. */
export function BodyEditor(props: BodyEditorProps): VNode {
  const { endpoint, text, syntaxProblem, refusal } = props;
  const { problems, retry } = useProblems(props);
  const { body, check } = messages.value.playground;
  const known = problems ?? [];
  const isWrong = syntaxProblem !== '' || refusal !== '' || known.some((each) => each.isRefused);
  const unplaced = problems === null || problems.length === 0 ? syntaxProblem : '';
  const isFine = problems?.length === 0 && !isWrong && props.isChecked;
  return (
    <div class="body-editor">
      <label class="labelled">
        <span>{body}</span>
        <textarea
          class="field mono"
          rows={12}
          spellcheck={false}
          aria-invalid={isWrong}
          aria-describedby="body-problems"
          value={text}
          onInput={({ currentTarget }) => draftBody(nameOf(endpoint), currentTarget.value)}
        />
      </label>
      <div
        class="body-problems"
        id="body-problems"
        role="status"
        tabIndex={isWrong ? 0 : undefined}
      >
        {[refusal, unplaced, isFine ? check.fine : ''].map(
          (line, index) => line !== '' && <p key={index}>{line}</p>,
        )}
        {known.slice(0, MOST_SHOWN).map(({ line, column, what, isRefused }, index) => (
          <p key={`problem ${index}`} class={isRefused ? 'refused' : undefined}>
            {fill(check.at, { line: formatNumber(line), column: formatNumber(column), what })}
          </p>
        ))}
        {known.length > MOST_SHOWN && (
          <p>{fill(check.more, { count: formatNumber(known.length - MOST_SHOWN) })}</p>
        )}
        {retry && <NotFetched onRetry={retry} />}
      </div>
    </div>
  );
}

interface Check {
  /** The problems of the text as it was at the last pause; null: it has not been checked. */
  problems: Problem[] | null;
  /** Checks the text again; undefined: the code of the check could be fetched. */
  retry?: () => void;
}

function useProblems({ endpoint, text, isChecked }: BodyEditorProps): Check {
  const found = useSignal<Problem[] | 'notFetched' | null>(null);
  const tries = useSignal(0);
  const language = messages.value;
  useEffect(() => {
    let isCurrent = true;
    const find = async () => {
      const checker = await import('./check-body.ts').catch(() => undefined);
      if (!isCurrent) return;
      found.value = checker ? checker.checkBody(endpoint, text, isChecked) : 'notFetched';
    };
    const timer = setTimeout(() => void find(), PAUSE_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [endpoint, text, isChecked, language, tries.value]);
  if (found.value !== 'notFetched') return { problems: found.value };
  const retry = () => {
    found.value = null;
    tries.value++;
  };
  return { problems: null, retry };
}
