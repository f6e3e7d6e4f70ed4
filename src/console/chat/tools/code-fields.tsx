import type { VNode } from 'preact';
import { member, parsed } from '../../json.ts';
import { fill } from '../../messages/fill.ts';
import { messages } from '../../messages/messages.ts';
import { Field } from '../../ui/fields.tsx';
import { list, text as textOf } from '../conversation/files/values.ts';
import type { ToolCode } from './run-calls.ts';

const EXAMPLE = 'return args.a + args.b;';

interface CodeProps {
  /** JSON list of the functions that the model may call. */
  tools: string;
  code: ToolCode;
  onChange: (code: ToolCode) => void;
}

/** A field for the code of each function. Code of a function that is no longer in the list is shown, too. */
export function CodeFields({ tools, code, onChange }: CodeProps): VNode {
  const text = messages.value.chat.options;
  const listed = list(parsed(tools)).map((tool) =>
    textOf(member(member(tool, 'function'), 'name')),
  );
  const names = new Set([...listed, ...Object.keys(code)]);
  const change = (name: string, body: string) => {
    const others = Object.entries(code).filter(([each]) => each !== name);
    onChange(Object.fromEntries(body.trim() === '' ? others : [...others, [name, body]]));
  };
  return (
    <>
      {[...names].map((name) => (
        <Field key={name} name={fill(text.code, { name })} note={text.codeNote}>
          <textarea
            class="field mono"
            dir="ltr"
            rows={4}
            spellcheck={false}
            placeholder={EXAMPLE}
            defaultValue={textOf(member(code, name))}
            onChange={({ currentTarget }) => change(name, currentTarget.value)}
          />
        </Field>
      ))}
    </>
  );
}
