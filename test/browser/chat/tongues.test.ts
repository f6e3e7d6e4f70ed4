import type OpenAI from 'openai';
import { TONGUES, tongueCases, type TongueCase } from '../../unit/support/models/tongue-models.ts';
import type { DrivenPage } from '../support/browser/driven-page.ts';
import { expect, openStarted, test } from '../support/fixtures.ts';
import { serveTestSite } from '../support/site.ts';

/** What the openai package gets from a stream, and at once. */
function turn(page: DrivenPage, model: string, { messages, tools, variables }: TongueCase) {
  return page.evaluate(
    async (request) => {
      const body = request as unknown as OpenAI.ChatCompletionCreateParamsStreaming;
      const { completions } = window.client.chat;
      const thoughtIn = (part: object = {}) => ('reasoning' in part ? String(part.reasoning) : '');
      let streamedThought = '';
      const stream = completions.stream(body);
      stream.on('chunk', ({ choices }) => (streamedThought += thoughtIn(choices[0]?.delta)));
      const streamed = await stream.finalMessage();
      const { choices } = await completions.create({ ...body, stream: false });
      const [choice] = choices;
      if (!choice) throw new Error('There was no answer.');
      const told = (thought: string, message: OpenAI.ChatCompletionMessage) => ({
        thought,
        text: message.content ?? '',
        calls: (message.tool_calls ?? []).flatMap((call) => {
          if (call.type !== 'function') return [];
          const { name, arguments: json } = call.function;
          return { name, arguments: JSON.parse(json) as unknown };
        }),
      });
      return [told(streamedThought, streamed), told(thoughtIn(choice.message), choice.message)];
    },
    { model, messages, tools, temperature: 0, stream: true, chat_template_kwargs: variables },
  );
}

for (const tongue of TONGUES) {
  test(`a model that was trained on ${tongue} thinks, calls and answers apart`, async ({
    fresh,
    closing,
  }) => {
    const name = `tiny-chat-${tongue}`;
    const site = closing(await serveTestSite('/', [name]));
    const model = `slashv1/${name}`;
    const page = await openStarted(fresh, site.url, { model });
    for (const [asked] of Map.groupBy(tongueCases(tongue), ({ kind }) => kind).values()) {
      if (!asked) continue;
      const { expect: taught } = asked;
      expect(await turn(page, model, asked)).toEqual([taught, taught]);
    }
  });
}
