import type { Draw } from '../draw.ts';
import type { PredicateFamily } from '../item.ts';
import { CITIES, COLOURS, DAYS, JOBS, MONTHS, NAMES, padded, THINGS } from '../words.ts';

const COUNT = 12;

export const PREDICATES: PredicateFamily[] = [
  {
    name: 'price',
    count: COUNT,
    make: (draw, isTrue) => {
      const thing = draw.one(THINGS);
      const price = draw.one([`$${draw.number(3, 90)}`, `${draw.number(3, 90)} euros`]);
      const text = isTrue
        ? draw.one([`The ${thing} costs ${price}.`, `I paid ${price} for this ${thing}.`])
        : draw.one([`The ${thing} is very light.`, `I found this ${thing} in the attic.`]);
      const instructions = draw.one([
        'The text names a price.',
        'The text says what something costs.',
      ]);
      return { input: padded(draw, text), instructions };
    },
  },
  {
    name: 'date',
    count: COUNT,
    make: (draw, isTrue) => {
      const name = draw.one(NAMES);
      const date = `${draw.one(MONTHS)} ${draw.number(1, 28)}`;
      const text = isTrue
        ? draw.one([`${name} arrives on ${date}.`, `The meeting with ${name} is on ${date}.`])
        : draw.one([`${name} arrives by train.`, `The meeting with ${name} is in the library.`]);
      const instructions = draw.one(['The text mentions a date.', 'A date is given in the text.']);
      return { input: padded(draw, text), instructions };
    },
  },
  {
    name: 'person',
    count: COUNT,
    make: (draw, isTrue) => {
      const thing = draw.one(THINGS);
      const who = isTrue ? draw.one(NAMES) : draw.one(['The courier', 'Somebody', 'The seller']);
      const did = draw.one(['brought', 'repaired', 'lost', 'cleaned']);
      const instructions = draw.one([
        'The text gives a person’s name.',
        'A person is named in the text.',
      ]);
      return { input: padded(draw, `${who} ${did} the ${thing}.`), instructions };
    },
  },
  {
    name: 'language',
    count: COUNT,
    make: (draw, isTrue) => {
      const city = draw.one(CITIES);
      const days = draw.number(2, 30);
      const german = [
        `Ich wohne seit ${days} Tagen in ${city} und suche eine Wohnung.`,
        `Wir fahren morgen mit dem Zug nach ${city}, das dauert ${days} Stunden.`,
      ];
      const others = [
        `I have lived in ${city} for ${days} days and I am looking for a flat.`,
        `Nous allons demain en train à ${city}, cela dure ${days} heures.`,
        `Vivo en ${city} desde hace ${days} días y busco un piso.`,
      ];
      return {
        input: draw.one(isTrue ? german : others),
        instructions: draw.one([
          'The text is written in German.',
          'The language of the text is German.',
        ]),
      };
    },
  },
  {
    name: 'satisfied',
    count: COUNT,
    make: (draw, isTrue) => {
      const thing = draw.one(THINGS);
      const good = [
        `I love my new ${thing}, it works perfectly.`,
        `What a great ${thing}! I am very happy with it.`,
      ];
      const bad = [
        `I hate my new ${thing}, it broke at once.`,
        `What a terrible ${thing}! I want my money back.`,
      ];
      const instructions = draw.one(['The writer is satisfied.', 'The writer likes the product.']);
      return { input: padded(draw, draw.one(isTrue ? good : bad)), instructions };
    },
  },
  {
    name: 'heavier',
    count: COUNT,
    make: (draw, isTrue) => {
      const [one = '', other = ''] = draw.some(COLOURS, 2);
      const light = draw.number(2, 20);
      const heavy = light + draw.number(5, 40);
      const weights = isTrue ? [heavy, light] : [light, heavy];
      const first = `The ${one} box weighs ${weights[0]} kg.`;
      const second = `The ${other} box weighs ${weights[1]} kg.`;
      const sentences = draw.shuffled([first, second]);
      return {
        input: sentences.join(' '),
        instructions: `The ${one} box is heavier than the ${other} box.`,
      };
    },
  },
  {
    name: 'job',
    count: COUNT,
    make: (draw, isTrue) => {
      const name = draw.one(NAMES);
      const [job = '', other = ''] = draw.some(JOBS, 2);
      const text = `${name} lives in ${draw.one(CITIES)} and works as a ${job}.`;
      return {
        input: padded(draw, text),
        instructions: `${name} works as a ${isTrue ? job : other}.`,
      };
    },
  },
  {
    name: 'question',
    count: COUNT,
    make: (draw, isTrue) => {
      const thing = draw.one(THINGS);
      const asked = [`Do you sell this ${thing} in other colours?`, `How do I clean the ${thing}?`];
      const told = [`This ${thing} is sold in other colours.`, `I have cleaned the ${thing}.`];
      const instructions = draw.one([
        'The text asks a question.',
        'The writer wants to know something.',
      ]);
      return { input: padded(draw, draw.one(isTrue ? asked : told)), instructions };
    },
  },
  {
    name: 'rule',
    count: COUNT,
    make: (draw, isTrue) => {
      const thing = draw.one(THINGS);
      const link = `www.cheap-${thing}-${draw.number(1, 99)}.example`;
      const spam = [
        `Buy a new ${thing} today at ${link}!`,
        `Win a free ${thing}: click on ${link}.`,
      ];
      const fair = [
        `I agree, an old ${thing} can last for years.`,
        `Thanks, this helped me to repair my ${thing}.`,
      ];
      return {
        input: draw.one(isTrue ? spam : fair),
        instructions: draw.one([
          'The comment is advertising.',
          'The comment breaks the rule: no advertising links.',
        ]),
      };
    },
  },
  {
    name: 'open',
    count: COUNT,
    make: (draw, isTrue) => {
      const [day = '', other = ''] = draw.some(DAYS, 2);
      const shop = draw.one(['shop', 'museum', 'office', 'library']);
      const hour = draw.number(8, 11);
      const text = `The ${shop} is open every day from ${hour}:00 except on ${isTrue ? other : day}.`;
      return { input: padded(draw, text), instructions: `The ${shop} is open on ${day}.` };
    },
  },
  { name: 'polite', count: COUNT, make: polite },
];

function polite(draw: Draw, isTrue: boolean) {
  const thing = draw.one(THINGS);
  const kind = [
    `Could you please send me the ${thing}? Thank you very much.`,
    `Dear team, I would kindly ask you about my ${thing}.`,
  ];
  const rude = [
    `Send me the ${thing} now, you idiots.`,
    `You fools have lost my ${thing}. Shut up and find it.`,
  ];
  const instructions = draw.one(['The writer is polite.', 'The text is written politely.']);
  return { input: padded(draw, draw.one(isTrue ? kind : rude)), instructions };
}
