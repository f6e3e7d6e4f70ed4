import type { CallFormat } from './call-format.ts';

/** A format that cannot be read from the templates of a family of models. */
interface KnownFormat {
  /** In every prompt that lists tools. */
  sign: string;
  format: CallFormat;
  /** Whether the template writes the calls of a conversation. If it ignores them, they are written as text. */
  writesCalls: boolean;
}

const QUOTED = { before: '=', after: '' };

/**
 * The formats that templates do not show, each with its reason.
 *
 * - LFM2: most of its templates ignore the calls in a conversation. The model writes them as in LFM2.5's template.
 * - Granite 3: its template ignores them as well. The form is described in its system message.
 * - gpt-oss: its template moves the channel behind the name, and has no place for a second call. Models write calls as
 *   the harmony format has them.
 */
export const KNOWN_FORMATS: readonly KnownFormat[] = [
  {
    sign: 'List of tools: ',
    writesCalls: false,
    format: {
      begin: '<|tool_call_start|>[',
      end: ']<|tool_call_end|>',
      separator: ', ',
      head: [{ is: 'name' }, '('],
      arguments: {
        kind: 'members',
        name: '',
        separator: ', ',
        marks: {
          string: QUOTED,
          number: QUOTED,
          boolean: QUOTED,
          null: QUOTED,
          array: QUOTED,
          object: QUOTED,
        },
        strings: 'quoted',
        nested: 'json',
        words: { true: 'True', false: 'False', null: 'None' },
      },
      tail: [')'],
    },
  },
  {
    sign: '<|tool_call|> followed by a JSON list',
    writesCalls: false,
    format: {
      begin: '<|tool_call|>[',
      end: ']',
      separator: ', ',
      head: ['{"name": "', { is: 'name' }, '", "arguments": '],
      arguments: { kind: 'json' },
      tail: ['}'],
    },
  },
  {
    sign: '# Valid channels: analysis, commentary, final.',
    writesCalls: true,
    format: {
      begin: '',
      end: '',
      separator: undefined,
      head: [
        '<|channel|>commentary to=functions.',
        { is: 'name' },
        ' <|constrain|>json<|message|>',
      ],
      arguments: { kind: 'json' },
      tail: [],
    },
  },
];
