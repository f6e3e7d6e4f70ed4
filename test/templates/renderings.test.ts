import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { JinjaTemplate, RaisedException } from '../../src/engine/conversation/jinja/template.ts';
import { TEMPLATES } from './support/fetch-templates.ts';

const LIMITS = { steps: 1_000_000, characters: 1_000_000 };

const record = <T extends v.GenericSchema>(value: T) => v.record(v.string(), value);
const conversations = v.parse(record(record(v.unknown())), read('conversations.json'));
/** What Python's jinja2 makes of them; null: it fails. */
const reference = v.parse(record(record(v.nullable(v.string()))), read('reference.json'));

/**
 * A template whose tool descriptions add to a text that is marked as safe. Python then escapes what is added, as for
 * HTML. No model was trained on that.
 */
const ESCAPED = 'meetkai-functionary-medium-v3.1';

function read(name: string): unknown {
  return JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'));
}

function rendered(template: JinjaTemplate, variables: Record<string, unknown>): string {
  try {
    const text = template.render(variables, LIMITS);
    return createHash('sha256').update(text).digest('hex').slice(0, 12);
  } catch (error) {
    if (error instanceof RaisedException) return 'raises';
    throw error;
  }
}

beforeAll(() => void vi.useFakeTimers({ now: new Date(2026, 0, 2, 3, 4, 5), toFake: ['Date'] }));
afterAll(() => void vi.useRealTimers());

describe('the templates of llama.cpp’s source render what Python’s jinja2 renders:', () => {
  test.each(Object.entries(reference))('%s', (name, expected) => {
    const template = new JinjaTemplate(readFileSync(`${TEMPLATES}/${name}.jinja`, 'utf8'));
    const isEscaped = (text: string) => name === ESCAPED && /tool|call|result/.test(text);
    for (const [conversation, hash] of Object.entries(expected)) {
      if (hash === null || isEscaped(conversation)) continue;
      expect([conversation, rendered(template, conversations[conversation] ?? {})]).toEqual([
        conversation,
        hash,
      ]);
    }
  });
});
