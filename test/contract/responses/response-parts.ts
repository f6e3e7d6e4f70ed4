/** Parts of requests to the endpoint of responses. */

export const HI = { role: 'user', content: 'Hi' };
export const CITY = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
};
export const WEATHER = { type: 'function', name: 'get_weather', parameters: CITY };
export const TIME = { type: 'function', name: 'get_time', description: 'The time', strict: null };
export const CALL = {
  type: 'function_call',
  call_id: 'call_1',
  name: 'get_weather',
  arguments: '{"city":"Bern"}',
};
export const RESULT = { type: 'function_call_output', call_id: 'call_1', output: 'sunny' };
