import type { BrowserContext, Page } from 'playwright/test';
import type { Conversation, Turn } from '../../../src/console/chat/conversation/conversation.ts';
import {
  holdAnswers,
  lastAnswer,
  openConsole,
  send,
  type Closing,
} from '../support/console/console.ts';
import { expect, test } from '../support/fixtures.ts';
import { COUNTED } from '../support/prompts.ts';

/** What 200 messages took when they were first measured, with some room: elements of the page, and bytes of its heap. */
const MOST_ELEMENTS = 7_600;
const MOST_BYTES = 12_000_000;

const ANSWER = `Here is a list:

- **one** thing, \`code\` and a [link](https://example.org)
- another thing

| a | b |
| - | - |
| 1 | 2 |

${'A sentence that goes on for a while. '.repeat(6)}`;

/** An export of the console: a chat of so many messages. */
function chatOf(count: number, answer: string): Conversation {
  const turns = Array.from({ length: count }, (_, index): Turn => {
    const isQuestion = index % 2 === 0;
    return {
      id: `turn-${index}`,
      parent: index === 0 ? null : `turn-${index - 1}`,
      role: isQuestion ? 'user' : 'assistant',
      text: isQuestion ? `Question ${index}?` : answer,
    };
  });
  const settings = { system: '', schema: '' };
  return { id: 'long', changedAt: 1, title: 'Long', settings, turns, last: `turn-${count - 1}` };
}

async function openChat(
  context: BrowserContext,
  closing: Closing,
  count: number,
  answer = ANSWER,
): Promise<Page> {
  const page = await openConsole(context, closing);
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Import' }).click();
  const buffer = Buffer.from(JSON.stringify([chatOf(count, answer)]));
  await (await choosing).setFiles({ name: 'chats.json', mimeType: 'application/json', buffer });
  await page.getByRole('link', { name: 'Long' }).click();
  await expect(page.getByText(`Question ${count - 2}?`)).toBeVisible();
  return page;
}

function elementsOf(page: Page): Promise<number> {
  return page.evaluate(() => document.querySelectorAll('*').length);
}

/** Bytes of the page's heap after its garbage has been collected. */
async function heapOf(context: BrowserContext, page: Page): Promise<number> {
  const browser = await context.newCDPSession(page);
  await browser.send('HeapProfiler.collectGarbage');
  const { usedSize } = await browser.send('Runtime.getHeapUsage');
  return usedSize;
}

test('a chat of 200 messages is bounded in elements and memory', async ({ context, closing }) => {
  const page = await openChat(context, closing, 200);
  const elements = await elementsOf(page);
  const bytes = await heapOf(context, page);
  test
    .info()
    .annotations.push({ type: 'measured', description: `${elements} elements, ${bytes} bytes` });
  expect(elements).toBeLessThan(MOST_ELEMENTS);
  expect(bytes).toBeLessThan(MOST_BYTES);
});

test('typing while an answer is written redraws nothing of a long chat, and a piece only the answer', async ({
  context,
  closing,
}) => {
  // Longer ones would not fit the model's context.
  const page = await openChat(context, closing, 60, 'Yes.');
  const letGoOn = await holdAnswers(page, 3);
  await send(page, 'Count to 60.');
  const answer = page.getByRole('article', { name: 'Answer' }).last();
  await expect(answer).toContainText('1 2 3');
  const changed = await page.evaluateHandle(() => {
    const seen = { answer: 0, others: 0 };
    const note = ({ target }: MutationRecord) => {
      const element = target instanceof Element ? target : target.parentElement;
      const turn = element?.closest('article');
      // At its end, the answer gets an element of its own.
      const isAnswer = turn === [...document.querySelectorAll('article')].at(-1);
      if (turn) seen[isAnswer || !turn.isConnected ? 'answer' : 'others']++;
    };
    const observer = new MutationObserver((records) => records.forEach(note));
    const chat = document.querySelector('main') ?? document.body;
    observer.observe(chat, { subtree: true, childList: true, characterData: true });
    return seen;
  });
  await page.getByLabel('Your message').pressSequentially('What comes after?');
  expect(await changed.jsonValue()).toEqual({ answer: 0, others: 0 });
  await letGoOn();
  await expect(await lastAnswer(page)).toContainText(COUNTED);
  const { answer: drawn, others } = await changed.jsonValue();
  expect(drawn).toBeGreaterThan(0);
  expect(others).toBe(0);
});
