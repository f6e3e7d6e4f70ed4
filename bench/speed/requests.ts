const PARAGRAPH =
  'The harbour museum opens at nine in the morning on Tuesday and closes at five in the afternoon. Visitors can see ' +
  'old fishing boats, a collection of brass compasses, and the lamp of the first lighthouse, which was built in 1832 ' +
  'by Captain Henry Morgan. Children under twelve do not pay. A guided tour begins every hour at the main door, and ' +
  'the guide tells how the sailors lived, what they ate, and how they found their way home in the fog. The small shop ' +
  'beside the exit sells postcards, maps, wooden toys and jars of honey from the island. Dogs are welcome in the ' +
  'garden, but not in the halls. The museum is closed in January, when the boats are painted and the floors are cleaned.';

const text = { type: 'string', maxLength: 20 };
const date = { type: 'string', format: 'date' };

function object(properties: object) {
  const required = Object.keys(properties);
  return { type: 'object', properties, required, additionalProperties: false };
}

const PERSON = object({
  first_name: text,
  last_name: text,
  date_of_birth: date,
  nationality: text,
  occupation: text,
  email_address: text,
  years_of_experience: { type: 'integer', minimum: 0, maximum: 60 },
  is_available: { type: 'boolean' },
});

const EVENT = {
  name: 'create_calendar_event',
  description: 'Creates an event in the calendar.',
  parameters: object({
    title: text,
    start_date: date,
    location: text,
    duration_minutes: { type: 'integer', minimum: 5, maximum: 600 },
    notification: { type: 'string', enum: ['none', 'email', 'message'] },
  }),
};

const chat = (content: string, more: object = {}, system?: string) => ({
  messages: [
    ...(system === undefined ? [] : [{ role: 'system', content: system }]),
    { role: 'user', content },
  ],
  temperature: 0,
  max_tokens: 200,
  ...more,
});

const quote = chat(
  `Repeat this paragraph with these two corrections: "nine" becomes "ten", and "honey" becomes "jam".\n\n${PARAGRAPH}`,
  {},
  'You correct texts. Answer with the corrected text only.',
);

/** A random text. The likeliest one of a small model repeats itself, which drafts would make faster. */
const prose = (content: string) => chat(content, { temperature: 0.8, seed: 38, max_tokens: 120 });

/** Chats that are written at the same time. */
export const FOUR: object[] = [
  prose('Write a letter to a friend about a holiday by the sea.'),
  prose('Why do leaves change their colour in autumn?'),
  prose('Tell me a story about a lighthouse keeper and his dog.'),
  prose('How is bread baked? Describe each step.'),
];

/** Chats whose speed is compared with and without drafts. The times of the chats of one name are added. */
export const REQUESTS: Record<string, object[]> = {
  json: [
    chat(
      'Invent a person who applies for a job as a translator. Answer as JSON with first_name, last_name, ' +
        'date_of_birth, nationality, occupation, email_address, years_of_experience and is_available.',
      { response_format: { type: 'json_schema', json_schema: { name: 'person', schema: PERSON } } },
    ),
  ],
  tool: [
    chat(
      'Put a meeting with Anna about the harbour on 12 March 2027 at the library into my calendar, for half an hour.',
      { tools: [{ type: 'function', function: EVENT }], tool_choice: 'required' },
    ),
  ],
  quote: [quote],
  quote_predicted: [{ ...quote, prediction: { type: 'content', content: PARAGRAPH } }],
  prose: [
    prose('Write a letter to a friend about a holiday by the sea.'),
    prose('Why do leaves change their colour in autumn?'),
    prose('Tell me a story about a lighthouse keeper and his dog.'),
  ],
};
