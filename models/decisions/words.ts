import type { Draw } from './draw.ts';

export const NAMES = [
  'Anna',
  'Ben',
  'Clara',
  'David',
  'Emma',
  'Frank',
  'Grace',
  'Henry',
  'Irene',
  'Jack',
  'Karen',
  'Leo',
  'Maria',
  'Nora',
  'Oscar',
  'Paula',
  'Robert',
  'Sarah',
  'Thomas',
  'Victor',
];
export const CITIES = [
  'Paris',
  'London',
  'Madrid',
  'Rome',
  'Berlin',
  'Vienna',
  'Lisbon',
  'Dublin',
  'Oslo',
  'Prague',
  'Athens',
  'Zurich',
];
export const JOBS = [
  'baker',
  'nurse',
  'teacher',
  'pilot',
  'farmer',
  'painter',
  'lawyer',
  'plumber',
  'singer',
  'dentist',
  'cook',
  'judge',
];
export const THINGS = [
  'lamp',
  'chair',
  'kettle',
  'backpack',
  'phone',
  'jacket',
  'camera',
  'table',
  'blanket',
  'radio',
  'mirror',
  'bicycle',
];
export const COLOURS = ['red', 'blue', 'green', 'yellow', 'black', 'white', 'brown', 'grey'];
export const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
export const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'October',
  'November',
  'December',
];

/** Sentences that say nothing about any question of the set. */
const FILLERS = [
  'I have looked at your website.',
  'There was a green sign at the door.',
  'The room has two windows.',
  'My neighbour told me about it.',
  'I am writing from my kitchen table.',
  'We live near the river.',
  'The street is quiet and has many trees.',
  'A bus stops in front of the house.',
  'I have read the notes on the box.',
  'The shop is next to the station.',
];

/** The sentences with up to two others before or after them, so that texts differ in length. */
export function padded(draw: Draw, ...sentences: string[]): string {
  const fillers = draw.some(FILLERS, draw.number(0, 2));
  return draw
    .one([
      [...fillers, ...sentences],
      [...sentences, ...fillers],
    ])
    .join(' ');
}
