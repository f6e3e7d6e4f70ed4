import type { Draw } from '../draw.ts';
import type { Option, ScoreFamily } from '../item.ts';
import { CITIES, NAMES, padded, THINGS } from '../words.ts';
import { optionOf, textOf, type TextedOption } from './texts.ts';

export const SCORES: ScoreFamily[] = [
  worded(
    'stars',
    20,
    ['How many stars does this review give?', 'Rate the review.'],
    [
      {
        name: '1 star',
        description: 'terrible',
        texts: ['Terrible THING. Broken, ugly and useless.', 'I hate this THING. Never again!'],
      },
      {
        name: '2 stars',
        description: 'rather bad',
        texts: [
          'The THING works, but I am disappointed by the bad quality.',
          'Not a good THING: it has more faults than strengths.',
        ],
      },
      {
        name: '3 stars',
        description: 'average',
        texts: ['An average THING, neither good nor bad.', 'The THING is okay, nothing special.'],
      },
      {
        name: '4 stars',
        description: 'good',
        texts: [
          'A good THING with one small fault.',
          'I like the THING, only the colour could be nicer.',
        ],
      },
      {
        name: '5 stars',
        description: 'perfect',
        texts: [
          'Perfect! The best THING in the world.',
          'I love everything about this THING, it is fantastic.',
        ],
      },
    ],
  ),
  worded(
    'urgency',
    12,
    ['How urgent is the message?', 'How soon is an answer needed?'],
    [
      {
        name: 'not urgent',
        texts: [
          'There is no hurry: write to me about the THING whenever you have time.',
          'I may buy a THING next year. Take your time to answer.',
        ],
      },
      {
        name: 'soon',
        texts: [
          'Please answer me about the THING this week.',
          'I would like to have the THING within the next days.',
        ],
      },
      {
        name: 'urgent',
        texts: [
          'Emergency! The THING is on fire, call me immediately!',
          'I need an answer about the THING right now, in the next minutes!',
        ],
      },
    ],
  ),
  worded(
    'politeness',
    12,
    ['How polite is the writer?', 'Rate the politeness of the text.'],
    [
      {
        name: 'rude',
        texts: ['Give me the THING, you idiot.', 'You stupid fools, where is my THING?'],
      },
      { name: 'plain', texts: ['I need the THING.', 'Send the THING to CITY.'] },
      {
        name: 'polite',
        texts: [
          'Could you please send me the THING? Thank you so much.',
          'Dear Sir or Madam, may I kindly ask for the THING?',
        ],
      },
    ],
  ),
  worded(
    'agreement',
    20,
    ['How much does the writer agree with the plan?', 'What does the writer think of the plan?'],
    [
      {
        name: 'strongly disagrees',
        texts: [
          'NAME’s plan is completely wrong and I will fight it.',
          'I am totally against the plan for CITY.',
        ],
      },
      {
        name: 'disagrees',
        texts: [
          'I do not think that NAME’s plan is a good idea.',
          'I would rather not follow the plan for CITY.',
        ],
      },
      {
        name: 'neutral',
        texts: [
          'I have no opinion about NAME’s plan.',
          'I am neither for nor against the plan for CITY.',
        ],
      },
      {
        name: 'agrees',
        texts: [
          'I think that NAME’s plan is a good idea.',
          'On the whole I am for the plan for CITY.',
        ],
      },
      {
        name: 'strongly agrees',
        texts: [
          'NAME’s plan is absolutely right, I support it with all my heart.',
          'I am totally in favour of the plan for CITY!',
        ],
      },
    ],
  ),
  worded(
    'pain',
    16,
    ['How strong is the pain?', 'How much pain does the patient have?'],
    [
      { name: 'none', texts: ['NAME feels no pain at all.', 'The arm of NAME does not hurt.'] },
      { name: 'mild', texts: ['NAME feels a little pain.', 'The arm of NAME hurts slightly.'] },
      {
        name: 'moderate',
        texts: [
          'NAME feels quite some pain, but can bear it.',
          'The arm of NAME hurts noticeably when it moves.',
        ],
      },
      {
        name: 'severe',
        texts: [
          'NAME screams with unbearable pain.',
          'The arm of NAME hurts terribly, it is agony.',
        ],
      },
    ],
  ),
  {
    name: 'temperature',
    count: 16,
    levels: named('cold', 'mild', 'warm', 'hot').map((level, at) => ({
      ...level,
      description:
        ['below 10 degrees', '10 to 19 degrees', '20 to 29 degrees', '30 degrees or more'][at] ??
        '',
    })),
    make: (draw, level) => ({
      input: padded(
        draw,
        `It is ${draw.number(level * 10 + 1, level * 10 + 9)} degrees Celsius in ${draw.one(CITIES)}.`,
      ),
      instructions: draw.one(['How warm is it?', 'What is the weather like?']),
    }),
  },
  {
    name: 'count',
    count: 16,
    levels: named('nothing', 'one thing', 'two things', 'three things'),
    make: (draw, level) => {
      const things = draw.some(THINGS, level).map((thing) => `a ${thing}`);
      const listed = things.length === 0 ? 'nothing' : things.join(' and ');
      return {
        input: `${draw.one(NAMES)} went to the shop in ${draw.one(CITIES)} and bought ${listed}.`,
        instructions: draw.one([
          'How many things were bought?',
          'How much was bought in the shop?',
        ]),
      };
    },
  },
  {
    name: 'delay',
    count: 12,
    levels: named('on time', 'late', 'very late').map((level, at) => ({
      ...level,
      description: ['no delay', 'less than one hour', 'more than two hours'][at] ?? '',
    })),
    make: (draw, level) => {
      const train = `The train from ${draw.one(CITIES)}`;
      const text = [
        `${train} arrived at ${draw.number(6, 11)}:00, exactly as planned.`,
        `${train} arrived ${draw.number(15, 45)} minutes after the planned time.`,
        `${train} arrived ${draw.number(3, 9)} hours after the planned time.`,
      ];
      return {
        input: padded(draw, text[level] ?? ''),
        instructions: draw.one(['How late was the train?', 'How punctual was the train?']),
      };
    },
  },
];

function named(...names: string[]): Option[] {
  return names.map((name) => ({ name }));
}

/** A family with the texts of each level. */
function worded(
  name: string,
  count: number,
  questions: string[],
  levels: TextedOption[],
): ScoreFamily {
  return {
    name,
    count,
    levels: levels.map(optionOf),
    make: (draw: Draw, level) => {
      const text = textOf(draw, levels[level], 'THING', 'CITY', 'NAME');
      return { input: padded(draw, text), instructions: draw.one(questions) };
    },
  };
}
