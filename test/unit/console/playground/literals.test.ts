import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'rolldown/utils';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../../../../src/console');
/** Attributes that a user reads or hears. */
const READ = /^(aria-label|aria-description|aria-valuetext|alt|label|note|placeholder|title)$/;
/** Elsewhere, several words are meant for people: from a capital on, or in small letters. Code has other signs. */
const SENTENCE =
  /^\s*(?:\p{Lu}\p{L}*(?: [\p{L}’]+|[.:…?!])[^;{]*|[^;{}=<>]*\p{Ll}{2} \p{Ll}{2}[^;{}=<>]*)$/u;
/** Components that show their `name`. */
const NAMED = /^(Fact|Field|NumberField|SpeechField|CopyField)$/;
/** Names, and texts that are not for the user: for developers, the command line or a model, and what the engine says. */
const ALLOWED = new Set([
  ...['slashv1', 'WAV', 'MP3'],
  ...['The page has no element for the console.', 'There are no endpoints.'],
  ...["The model '", "' could not be installed:", 'noopener noreferrer'],
  'blockquote br checkbox code codespan del em escape heading hr link list paragraph strong table text',
  ...['The cat sleeps on the sofa.', 'Rain is expected tomorrow.', 'A kitten naps.'],
  ...['I was charged twice.', 'Which team is this for?'],
  ...['It is about money.', 'Is it about money?'],
  ...[
    'The user did not allow this call.',
    'The call failed.',
    'It was ended: it ran for more than',
    'seconds.',
  ],
  ...['Hello!', 'Once upon a time', 'Loading weights', 'Compiling shaders', 'Download paused'],
  'This voice is made in your browser. Nothing that you type leaves this device.',
]);

interface Node {
  type: string;
  start: number;
  [member: string]: unknown;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value;
}

function childrenOf(node: Node): Node[] {
  return Object.values(node).flat().filter(isNode);
}

function nameOf(value: unknown): string {
  return isNode(value) && typeof value['name'] === 'string' ? value['name'] : '';
}

/** What stands between quotes, between the parts of a template, or between tags. */
function textOf(node: Node): string {
  const { value } = node;
  if (node.type === 'Literal' || node.type === 'JSXText')
    return typeof value === 'string' ? value : '';
  if (node.type !== 'TemplateElement' || typeof value !== 'object' || value === null) return '';
  return 'cooked' in value && typeof value.cooked === 'string' ? value.cooked : '';
}

/** All strings of an expression that may become its value: conditions and calls are something else. */
function valuesOf(node: Node): string[] {
  if (node.type === 'ConditionalExpression' || node.type === 'LogicalExpression') {
    const { consequent, alternate, right } = node;
    return [consequent, alternate, right].filter(isNode).flatMap(valuesOf);
  }
  if (node.type === 'TemplateLiteral') return childrenOf(node).map(textOf);
  return [textOf(node)];
}

/** The texts that a file shows although no file of messages has them. */
function literalsOf(file: string, source: string): string[] {
  const found: string[] = [];
  const report = (texts: string[]) => {
    found.push(...texts.map((text) => text.trim()).filter((text) => /\p{L}{2}/u.test(text)));
  };
  const visit = (node: Node, element = '') => {
    const { name, value } = node;
    switch (node.type) {
      case 'ImportDeclaration':
        return;
      case 'JSXText':
        report([textOf(node)]);
        return;
      case 'JSXOpeningElement':
        for (const child of childrenOf(node)) visit(child, nameOf(name));
        return;
      case 'JSXAttribute': {
        const attribute = nameOf(name);
        if (attribute === 'class') return;
        const isRead = READ.test(attribute) || (attribute === 'name' && NAMED.test(element));
        if (isRead && isNode(value)) {
          const { expression } = value;
          report(valuesOf(isNode(expression) ? expression : value));
          return;
        }
        break;
      }
      case 'JSXElement':
      case 'JSXFragment':
        for (const child of childrenOf(node)) {
          const { expression } = child;
          if (child.type === 'JSXExpressionContainer' && isNode(expression))
            report(valuesOf(expression));
        }
        break;
      case 'Literal':
      case 'TemplateElement':
        if (SENTENCE.test(textOf(node))) report([textOf(node)]);
        return;
    }
    for (const child of childrenOf(node)) visit(child, element);
  };
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file} cannot be read.`);
  if (isNode(program)) visit(program);
  return found.filter((text) => !ALLOWED.has(text));
}

test('finds texts that are not translated', () => {
  const found = (source: string) => literalsOf('a.tsx', source);
  expect(found('<p class="two words">Hello</p>')).toEqual(['Hello']);
  expect(found('<p>{isNew ? "New" : text.old}</p>')).toEqual(['New']);
  expect(found('<p>{`${count} tokens`}</p>')).toEqual(['tokens']);
  expect(found('<IconButton icon="close" label="Close" />')).toEqual(['Close']);
  expect(found('<p title={`Copy ${name}`} />')).toEqual(['Copy']);
  expect(found('<Field name="Label" note="For whom." />')).toEqual(['Label', 'For whom.']);
  expect(found('<Dialog name="models" title={text.title} />')).toEqual([]);
  expect(found("status.value = 'It is saved.';")).toEqual(['It is saved.']);
  expect(found('status.value = `Done: ${count}`')).toEqual(['Done:']);
  expect(found('throw new Error(`${name} is too large.`)')).toEqual(['is too large.']);
  expect(found('<span> · {number}× </span>')).toEqual([]);
});

test('every text that is shown is in the files of messages', () => {
  const files = globSync('**/*.{ts,tsx}', { cwd: ROOT }).filter(
    (file) => !file.startsWith('messages/'),
  );
  const found = files.flatMap((file) =>
    literalsOf(file, readFileSync(join(ROOT, file), 'utf8')).map((text) => `${file}: ${text}`),
  );
  expect(files.length).toBeGreaterThan(50);
  expect(found).toEqual([]);
});
