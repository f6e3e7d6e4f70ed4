import type { Draw } from '../draw.ts';
import type { Option } from '../item.ts';
import { CITIES, COLOURS, NAMES, THINGS } from '../words.ts';

/** An answer with the texts that it is right for. */
export type TextedOption = Option & { texts: string[] };

export function optionOf({ name, description }: TextedOption): Option {
  return { name, ...(description !== undefined && { description }) };
}

const WORDS = {
  THING: THINGS,
  COLOUR: COLOURS,
  CITY: CITIES,
  NAME: NAMES,
  NUMBER: Array.from({ length: 59 }, (_, at) => String(at + 2)),
};

/** One of the option's texts, with drawn words for these marks. */
export function textOf(
  draw: Draw,
  option: TextedOption | undefined,
  ...marks: (keyof typeof WORDS)[]
): string {
  const text = draw.one(option?.texts ?? []);
  return marks.reduce((filled, mark) => filled.replaceAll(mark, draw.one(WORDS[mark])), text);
}

/** Texts of choices: capitals are replaced by drawn words. */
export const TEAM = {
  billing: [
    'I was charged twice for my THING.',
    'The invoice for the THING has the wrong amount.',
    'You took NUMBER euros from my credit card twice.',
    'I need a receipt for what I paid.',
  ],
  shipping: [
    'My parcel with the THING has not arrived in CITY.',
    'When will you deliver the THING?',
    'The courier left my package at the wrong house.',
    'The tracking number NUMBER does not show where my parcel is.',
  ],
  returns: [
    'I want to send the THING back.',
    'The THING does not fit, how can I return it?',
    'Please take back the COLOUR THING, I do not want to keep it.',
    'Where do I send the THING that I want to return?',
  ],
  technical: [
    'The THING does not switch on any more.',
    'The app shows error NUMBER when I start it.',
    'My THING makes a strange noise and stops working.',
    'I cannot connect the THING to the network.',
  ],
  jobs: [
    'I would like to apply for the job in CITY.',
    'Do you have a position for a trainee?',
    'Here is my CV, I have worked for NUMBER months in a shop.',
    'I am looking for work and would like to join your company.',
  ],
};

export const LANGUAGE = {
  English: [
    'NAME bought NUMBER apples at the market.',
    'The train to CITY leaves in NUMBER minutes.',
  ],
  German: [
    'NAME hat NUMBER Äpfel auf dem Markt gekauft.',
    'Der Zug nach CITY fährt in NUMBER Minuten ab.',
  ],
  French: [
    'NAME a acheté NUMBER pommes au marché.',
    'Le train pour CITY part dans NUMBER minutes.',
  ],
  Spanish: ['NAME compró NUMBER manzanas en el mercado.', 'El tren a CITY sale en NUMBER minutos.'],
};

export const TOPIC = {
  sports: ['NAME scored two goals in the football match.', 'The runner from CITY won the race.'],
  cooking: [
    'Fry the onions in butter, then add salt and flour.',
    'NAME bakes a cake with NUMBER grams of sugar.',
  ],
  weather: [
    'It will rain in CITY with strong winds.',
    'Snow and frost are expected, at night it will be cold.',
  ],
  travel: [
    'We booked a hotel and a flight to CITY.',
    'NAME packed a suitcase for the holiday in CITY.',
  ],
  music: [
    'NAME plays the violin in the orchestra of CITY.',
    'The band recorded an album with NUMBER songs.',
  ],
  gardening: [
    'Plant the roses in spring and water them.',
    'NAME cut the hedge and planted NUMBER tulips.',
  ],
};

export const MEAL = {
  breakfast: [
    'After getting up at seven in the morning, NAME eats cereal with milk.',
    'NAME starts the day with toast, jam and an egg.',
  ],
  lunch: [
    'At noon, NAME eats a sandwich in the break.',
    'In the middle of the day, at half past twelve, NAME has soup in the canteen.',
  ],
  dinner: [
    'At eight in the evening, NAME eats a steak with friends.',
    'After work, when it is dark, NAME cooks pasta and eats it by candlelight.',
  ],
};
