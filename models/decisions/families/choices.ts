import type { ChoiceFamily, Option } from '../item.ts';
import { CITIES, COLOURS, JOBS, NAMES, padded, THINGS } from '../words.ts';
import { LANGUAGE, MEAL, optionOf, TEAM, textOf, TOPIC, type TextedOption } from './texts.ts';

export const CHOICES: ChoiceFamily[] = [
  fixed(
    'team',
    20,
    ['Which team should answer this?', 'Which team is this message for?'],
    [
      { name: 'billing', description: 'invoices and payments', texts: TEAM.billing },
      { name: 'shipping', description: 'delivery of parcels', texts: TEAM.shipping },
      { name: 'returns', description: 'sending goods back', texts: TEAM.returns },
      { name: 'technical', description: 'things that do not work', texts: TEAM.technical },
      { name: 'jobs', description: 'people who want to work for us', texts: TEAM.jobs },
    ],
  ),
  fixed(
    'language',
    16,
    ['Which language is the text written in?', 'What is the language of the text?'],
    [
      { name: 'English', texts: LANGUAGE.English },
      { name: 'German', texts: LANGUAGE.German },
      { name: 'French', texts: LANGUAGE.French },
      { name: 'Spanish', texts: LANGUAGE.Spanish },
    ],
  ),
  fixed(
    'topic',
    12,
    ['What is the text about?', 'What is the topic of the text?'],
    [
      { name: 'sports', texts: TOPIC.sports },
      { name: 'cooking', texts: TOPIC.cooking },
      { name: 'weather', texts: TOPIC.weather },
      { name: 'travel', texts: TOPIC.travel },
      { name: 'music', texts: TOPIC.music },
      { name: 'gardening', texts: TOPIC.gardening },
    ],
  ),
  fixed(
    'sentiment',
    12,
    ['How does the writer feel about the product?', 'What is the sentiment of the text?'],
    [
      {
        name: 'positive',
        texts: [
          'I love this THING.',
          'The THING is wonderful, buy it!',
          'Best THING I have ever had.',
        ],
      },
      {
        name: 'negative',
        texts: [
          'I hate this THING.',
          'The THING is awful, do not buy it!',
          'Worst THING I have ever had.',
        ],
      },
      {
        name: 'neutral',
        texts: [
          'This is a COLOUR THING.',
          'The THING was made in CITY.',
          'The box contains one THING.',
        ],
      },
    ],
  ),
  fixed(
    'kind',
    12,
    ['What kind of message is this?', 'What does the writer send?'],
    [
      {
        name: 'question',
        texts: [
          'How long is the guarantee of the THING?',
          'Can I wash the THING?',
          'Where do you sell the THING?',
        ],
      },
      {
        name: 'complaint',
        texts: [
          'The THING arrived broken and nobody helps me.',
          'I have waited for weeks for my THING. This is a scandal.',
        ],
      },
      {
        name: 'praise',
        texts: [
          'Thank you for the beautiful THING!',
          'Your people were so kind when I bought the THING.',
        ],
      },
    ],
  ),
  fixed(
    'meal',
    12,
    ['Which meal does the text describe?', 'Which meal is it?'],
    [
      { name: 'breakfast', texts: MEAL.breakfast },
      { name: 'lunch', texts: MEAL.lunch },
      { name: 'dinner', texts: MEAL.dinner },
    ],
  ),
  fixed(
    'moderation',
    12,
    [
      'Comments with insults or advertising are removed. What happens to this comment?',
      'Our rule: no insults, no advertising. What should we do with the comment?',
    ],
    [
      {
        name: 'publish',
        description: 'it keeps the rules',
        texts: [
          'I have the same THING, it is useful.',
          'Thanks for the tip about the THING.',
          'We use a COLOUR THING at home.',
        ],
      },
      {
        name: 'remove',
        description: 'it breaks the rules',
        texts: [
          'You are an idiot, your THING is rubbish.',
          'Cheap THING! Order now at www.THING-shop.example!',
          'Only stupid people buy a THING.',
        ],
      },
    ],
  ),
  {
    name: 'heavier',
    count: 12,
    options: 2,
    make: (draw, right) => {
      const colours = draw.some(COLOURS, 2);
      const light = draw.number(2, 20);
      const heavy = light + draw.number(5, 40);
      const sentences = colours.map(
        (colour, at) => `The ${colour} box weighs ${at === right ? heavy : light} kg.`,
      );
      const instructions = draw.one(['Which box is heavier?', 'Which of the boxes weighs more?']);
      return { input: draw.shuffled(sentences).join(' '), instructions, options: named(colours) };
    },
  },
  {
    name: 'who',
    count: 12,
    options: 3,
    make: (draw, right) => {
      const people = draw.some(NAMES, 3);
      const jobs = draw.some(JOBS, 3);
      const sentences = people.map((name, at) => `${name} works as a ${jobs[at]}.`);
      return {
        input: padded(draw, ...draw.shuffled(sentences)),
        instructions: draw.one([`Who is the ${jobs[right]}?`, `Who works as a ${jobs[right]}?`]),
        options: named(people),
      };
    },
  },
  {
    name: 'colour',
    count: 16,
    options: 4,
    make: (draw, right) => {
      const colours = draw.some(COLOURS, 4);
      const thing = draw.one(THINGS);
      const sentences = [
        `${draw.one(NAMES)} bought a ${colours[right]} ${thing} in ${draw.one(CITIES)}.`,
      ];
      return {
        input: padded(draw, ...sentences),
        instructions: draw.one([
          `What colour is the ${thing}?`,
          `Which colour does the ${thing} have?`,
        ]),
        options: named(colours),
      };
    },
  },
];

function named(names: readonly string[]): Option[] {
  return names.map((name) => ({ name }));
}

/** A family whose questions all have the same options, each with the texts that it is right for. */
function fixed(
  name: string,
  count: number,
  questions: string[],
  options: TextedOption[],
): ChoiceFamily {
  return {
    name,
    count,
    options: options.length,
    make: (draw, right) => {
      const text = textOf(draw, options[right], 'THING', 'COLOUR', 'CITY', 'NAME', 'NUMBER');
      return {
        // English sentences around a text would change what language it is in.
        input: name === 'language' ? text : padded(draw, text),
        instructions: draw.one(questions),
        options: options.map(optionOf),
      };
    },
  };
}
