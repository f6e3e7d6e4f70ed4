import { expectAccessible } from '../support/console/accessible.ts';
import { violationsOf } from '../support/console/axe.ts';
import { ask, holdAnswers, lastAnswer, openConsole, send } from '../support/console/console.ts';
import { expect, test } from '../support/fixtures.ts';
import { CAPITAL, COUNTED, GREETING, PARIS } from '../support/prompts.ts';
import { WHAT_YOU_WERE_TOLD } from '../support/scripted/said.ts';

test('questions and answers are edited, asked again, shown again and deleted', async ({
  context,
  closing,
}) => {
  const page = await openConsole(context, closing);
  await expect(await ask(page, 'Hello')).toContainText(GREETING);
  await ask(page, 'Say blue.');
  const question = page.getByRole('article', { name: 'You' });
  await expect(question).toHaveCount(2);

  await question.first().getByRole('button', { name: 'Edit question' }).click();
  await page.getByLabel('Text', { exact: true }).fill(CAPITAL);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(await lastAnswer(page)).toContainText(PARIS);
  await expect(question).toHaveCount(1);
  await expect(question).toContainText('2 of 2');

  await question.getByRole('button', { name: 'Show the previous alternative' }).click();
  await expect(question).toHaveCount(2);
  await expect(question.last()).toContainText('Say blue.');
  await question.first().getByRole('button', { name: 'Show the next alternative' }).click();

  await question.getByRole('button', { name: 'Edit question' }).click();
  await page.getByLabel('Text', { exact: true }).fill('Not this.');
  await page.keyboard.press('Escape');
  await expect(question).toContainText(CAPITAL);

  const answer = await lastAnswer(page);
  await answer.getByRole('button', { name: 'Answer again' }).click();
  await expect(page.getByRole('group', { name: 'Alternatives' }).last()).toContainText('2 of 2');
  await (await lastAnswer(page)).getByRole('button', { name: 'Edit answer' }).click();
  await page.getByLabel('Text', { exact: true }).fill('Lyon, I think.');
  await page.keyboard.press('Control+Enter');
  await expect(answer).toContainText('Lyon, I think.');
  await expect(answer).toContainText('3 of 3');

  await question.getByRole('button', { name: 'Delete question and what follows' }).click();
  await expect(question.last()).toContainText('Say blue.');
});

test('without the list of recommended samplings, questions are answered', async ({
  context,
  closing,
}) => {
  const page = await openConsole(context, closing, { lost: /\/curated-/ });
  await expect(await ask(page, 'Hello')).toContainText(GREETING);
});

test('a chat goes on in a new one from any turn, and the list has both', async ({
  context,
  closing,
}) => {
  const page = await openConsole(context, closing);
  const answer = await ask(page, 'Hello');
  await ask(page, 'Say blue.');
  await answer
    .page()
    .getByRole('article', { name: 'Answer' })
    .first()
    .getByRole('button', { name: 'Continue in a new chat' })
    .click();
  await expect(page.getByRole('article', { name: 'You' })).toHaveCount(1);
  await expect(await ask(page, CAPITAL)).toContainText(PARIS);

  const chats = page.getByRole('complementary', { name: 'Chats' });
  await expect(chats.getByRole('listitem')).toHaveCount(2);
  await chats.getByRole('link', { name: 'Hello' }).last().click();
  await expect(page.getByRole('article', { name: 'You' }).last()).toContainText('Say blue.');
  await page.goBack();
  await expect(page.getByRole('article', { name: 'You' }).last()).toContainText(CAPITAL);
});

test('the settings of a chat go with its questions', async ({ context, closing }) => {
  const page = await openConsole(context, closing);
  await page.getByRole('button', { name: 'Settings of this chat' }).click();
  const settings = page.getByRole('dialog', { name: 'Settings of this chat' });
  await settings.getByLabel('System prompt').fill('Your name is Ann.');
  const temperature = settings.getByLabel('Temperature');
  await temperature.fill('5');
  await settings.getByLabel('Maximum answer length, in tokens').fill('3');
  await expect(temperature).toHaveAttribute('aria-invalid', 'true');
  await expect(settings.getByText('Not applied: it must be at most 2.')).toBeVisible();
  await temperature.fill('1');
  await settings.getByLabel('JSON Schema of the answers').fill('{');
  await settings.getByLabel('Seed').click();
  await expect(settings.getByLabel('JSON Schema of the answers')).toHaveAttribute(
    'aria-invalid',
    'true',
  );
  await settings.getByRole('button', { name: 'Close' }).click();
  await expect(await ask(page, 'Count to 60.')).toContainText('Cut off at the length limit');

  await page.getByRole('button', { name: 'Settings of this chat' }).click();
  await settings.getByLabel('Maximum answer length, in tokens').fill('');
  await settings.getByRole('button', { name: 'Close' }).click();
  await expect(await ask(page, WHAT_YOU_WERE_TOLD)).toContainText('Your name is Ann.');
});

test('what is being typed into the settings stays when another tab changes the chats', async ({
  context,
  closing,
}) => {
  const page = await openConsole(context, closing);
  await ask(page, 'Hello');
  const other = await context.newPage();
  await other.goto(page.url());
  await page.getByRole('button', { name: 'Settings of this chat' }).click();
  const settings = page.getByRole('dialog', { name: 'Settings of this chat' });
  await settings.getByLabel('Maximum answer length, in tokens').fill('3');

  await ask(other, 'Say zebra.');
  await expect(page.getByRole('article', { name: 'You' })).toHaveCount(2);
  await expect(settings.getByLabel('Maximum answer length, in tokens')).toHaveValue('3');
  await settings.getByRole('button', { name: 'Close' }).click();
  await expect(await ask(page, 'Count to 60.')).toContainText('Cut off at the length limit');
});

test('a chat that is too long for the model goes on without its oldest turns', async ({
  context,
  closing,
}) => {
  const page = await openConsole(context, closing);
  await ask(page, `Say ${'blue '.repeat(110)}.`);
  await ask(page, `Say ${'red '.repeat(138)}.`);
  const failed = await ask(page, 'Count to 60.');
  await expect(failed).toContainText('context_length_exceeded');
  await expect(failed).toContainText('Your last message fits, but the whole chat is longer');
  await failed.getByRole('button', { name: 'Leave out the oldest turns' }).click();
  await expect(await lastAnswer(page)).toContainText(COUNTED);
  await expect(await lastAnswer(page)).toContainText(/Asked without the oldest \d messages/);
});

test('a message that alone is too long says so, and is shortened', async ({ context, closing }) => {
  const page = await openConsole(context, closing);
  await ask(page, 'Hello');
  for (const words of [3000, 60_000]) {
    await ask(page, `Say ${'blue '.repeat(words)}.`);
    const failed = page.getByRole('article', { name: 'Answer' }).last();
    await expect(failed).toContainText(
      'Your last message alone is longer than this model can hold',
    );
    await expect(failed.getByRole('button', { name: 'Leave out the oldest turns' })).toBeHidden();
    const question = page.getByRole('article', { name: 'You' }).last();
    await question.getByRole('button', { name: 'Edit question' }).click();
    await page.getByLabel('Text', { exact: true }).fill(CAPITAL);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(await lastAnswer(page)).toContainText(PARIS);
  }
});

test('settings are saved as a preset, chosen in another chat, and used for new chats', async ({
  context,
  closing,
}) => {
  const page = await openConsole(context, closing);
  const settings = page.getByRole('dialog', { name: 'Settings of this chat' });
  const preset = settings.getByRole('combobox', { name: 'Preset' });
  const open = () => page.getByRole('button', { name: 'Settings of this chat' }).click();
  await open();
  await settings.getByLabel('System prompt').fill('You are a pirate.');
  await settings.getByLabel('Name of a new preset').fill('Pirate');
  await settings.getByRole('button', { name: 'Save as preset' }).click();
  await expect(preset).toHaveValue('Pirate');
  await expectAccessible(page, 'presets');
  await page.keyboard.press('Escape');
  await ask(page, 'Hello');

  const newChat = page.getByRole('button', { name: 'New chat', exact: true });
  await newChat.click();
  await open();
  await expect(settings.getByLabel('System prompt')).toHaveValue('');
  await preset.selectOption('Pirate');
  await expect(settings.getByLabel('System prompt')).toHaveValue('You are a pirate.');
  await settings.getByLabel('Use for new chats').check();
  await page.keyboard.press('Escape');
  await page.reload();
  await newChat.click();
  await expect(await ask(page, WHAT_YOU_WERE_TOLD)).toContainText('You are a pirate.');

  // A slash at the start of a message lists presets.
  await open();
  await settings.getByLabel('System prompt').fill('You are a cook.');
  await page.keyboard.press('Tab');
  await settings.getByLabel('Name of a new preset').fill('Cook');
  await settings.getByRole('button', { name: 'Save as preset' }).click();
  await page.keyboard.press('Escape');
  const message = page.getByLabel('Your message');
  await message.pressSequentially('/');
  const options = page.getByRole('listbox', { name: 'Presets and prompts' }).getByRole('option');
  await expect(options).toHaveText(['Cook', 'Pirate', 'New saved prompt…']);
  await expect(message).toHaveAttribute('aria-activedescendant', 'slash-list-0');
  await expectAccessible(page, 'slash');
  await message.press('ArrowDown');
  await message.press('Enter');
  await expect(page.getByText('Preset: Pirate')).toBeVisible();
  await expect(message).toHaveValue('');
  await message.pressSequentially('/co');
  await expect(options).toHaveText(['Cook']);
  await message.press('Escape');
  await expect(options).toBeHidden();
  await message.pressSequentially('o');
  await options.click();
  await expect(await ask(page, WHAT_YOU_WERE_TOLD)).toContainText('You are a cook.');

  await open();
  await preset.selectOption('Pirate');
  await settings.getByRole('button', { name: 'Delete preset' }).click();
  await expect(preset).toHaveValue('');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Undo' }).click();
  await open();
  await expect(preset).toHaveValue('Pirate');
});

test('a slash puts a saved prompt into the message, with the part to fill in selected', async ({
  context,
  closing,
}) => {
  const page = await openConsole(context, closing);
  const settings = page.getByRole('dialog', { name: 'Settings of this chat' });
  const message = page.getByLabel('Your message');
  // The list has the keys from its slash on: none of its code is fetched for it.
  await message.evaluate((field: HTMLTextAreaElement) => {
    field.value = '/';
    field.dispatchEvent(new InputEvent('input', { bubbles: true }));
    queueMicrotask(() => {
      const enter = { key: 'Enter', bubbles: true, cancelable: true };
      field.dispatchEvent(new KeyboardEvent('keydown', enter));
    });
  });
  const name = settings.getByLabel('Name of a prompt');
  await expect(name).toBeFocused();
  await name.fill('Repeat');
  await settings.getByLabel('Text of the prompt').fill('Say {{what}}.');
  await settings.getByRole('button', { name: 'Save prompt' }).click();
  await expect(settings.getByText('Say {{what}}.')).toBeVisible();
  await expectAccessible(page, 'saved prompts');
  await page.keyboard.press('Escape');
  await page.reload();

  await message.pressSequentially('/rep');
  const option = page.getByRole('option', { name: 'Repeat' });
  await expect(option).toContainText('Say {{what}}.');
  await expectAccessible(page, 'a prompt in the list');
  await message.press('Tab');
  await expect(message).toHaveValue('Say {{what}}.');
  await page.keyboard.insertText('okapi');
  await expect(message).toHaveValue('Say okapi.');
  await page.keyboard.press('Enter');
  await expect(await lastAnswer(page)).toContainText('okapi');

  await page.getByRole('button', { name: 'Settings of this chat' }).click();
  await settings.getByText('Saved prompts').click();
  await settings.getByRole('button', { name: 'Edit Repeat' }).click();
  await settings.getByLabel('Text of the prompt').fill('Say {{what}} twice.');
  await settings.getByRole('button', { name: 'Save prompt' }).click();
  await expect(settings.getByText('Say {{what}} twice.')).toBeVisible();
  await settings.getByRole('button', { name: 'Delete Repeat' }).click();
  await expect(settings.getByText('Say {{what}} twice.')).toBeHidden();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Undo' }).click();
  await message.pressSequentially('/');
  await expect(option).toBeVisible();
});

test('on a wide screen, the settings stand beside the chat, which can be used', async ({
  context,
  closing,
}) => {
  const page = await openConsole(context, closing);
  await page.setViewportSize({ width: 1600, height: 900 });
  await page.getByRole('button', { name: 'Settings of this chat' }).click();
  const settings = page.getByRole('dialog', { name: 'Settings of this chat' });
  const system = settings.getByLabel('System prompt');
  await system.fill('You are a pirate.');
  await expect(await ask(page, WHAT_YOU_WERE_TOLD)).toContainText('You are a pirate.');
  await expect(system).toHaveValue('You are a pirate.');
  expect(await violationsOf(page)).toEqual([]);
  const letGoOn = await holdAnswers(page, 5);
  await send(page, 'Count to 60.');
  // Esc in the settings closes them, and the answer goes on.
  await system.press('Escape');
  await expect(settings).toBeHidden();
  await letGoOn();
  await expect(await lastAnswer(page)).toContainText(COUNTED);
  await page.getByRole('button', { name: 'Settings of this chat' }).click();
  await page.getByRole('button', { name: 'New chat', exact: true }).click();
  await expect(settings).toBeHidden();
});
