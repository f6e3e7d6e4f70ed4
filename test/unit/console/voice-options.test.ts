import { expect, test } from 'vitest';
import { voiceGroups } from '../../../src/console/speech/voice-options.ts';

test('voices are grouped by their first language, in the order of the catalog', () => {
  const voice = (id: string, ...languages: string[]) => ({ id, name: id.toUpperCase(), languages });
  const voices = [voice('b', 'en-GB'), voice('a', 'en-US'), voice('c', 'en-GB', 'de')];
  expect(voiceGroups({ family: 'kokoro', sampleRate: 24_000, voices })).toEqual([
    {
      language: 'British English',
      voices: [
        { id: 'b', name: 'B' },
        { id: 'c', name: 'C' },
      ],
    },
    { language: 'American English', voices: [{ id: 'a', name: 'A' }] },
  ]);
});
