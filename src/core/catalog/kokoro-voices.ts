import type { Voice } from './speech.ts';

/** The English voices, the best first. The prefix tells accent and gender: American or British, female or male. */
const IDS = [
  ...[
    'af_heart',
    'af_bella',
    'af_nicole',
    'af_aoede',
    'af_kore',
    'af_sarah',
    'af_alloy',
    'af_nova',
  ],
  ...[
    'af_sky',
    'af_jessica',
    'af_river',
    'am_fenrir',
    'am_michael',
    'am_puck',
    'am_echo',
    'am_eric',
  ],
  ...['am_liam', 'am_onyx', 'am_santa', 'am_adam', 'bf_emma', 'bf_isabella', 'bf_alice', 'bf_lily'],
  ...['bm_fable', 'bm_george', 'bm_lewis', 'bm_daniel'],
];

/** The voices of Kokoro-82M for whose languages we have a front end. */
export const KOKORO_VOICES: Voice[] = IDS.map((id) => {
  const [accent, gender] = id;
  const name = id.slice(3);
  return {
    id,
    name: `${name.charAt(0).toUpperCase()}${name.slice(1)}`,
    languages: [accent === 'b' ? 'en-GB' : 'en-US'],
    gender: gender === 'm' ? 'male' : 'female',
  };
});
