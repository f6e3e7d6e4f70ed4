import { counted } from '../counted.ts';

/** The chat: what is said in it, its list and its settings. */
export const chat = {
  chats: 'Chats',
  newChat: 'New chat',
  settings: 'Settings of this chat',
  dock: 'Your question',
  message: 'Your message',
  placeholder: 'Ask something',
  send: 'Send (Enter)',
  stop: 'Stop (Esc)',
  you: 'You',
  answer: 'Answer',
  thinking: 'Thinking',
  /** `name`: of the server that answers. */
  leaves: (name: string) => `Your questions leave this device: ${name} answers them.`,
  servedBy: (name: string) => `Made by ${name}, not on this device`,
  welcome: {
    title: 'This page is an API.',
    lead: 'It speaks OpenAI’s protocol, and the model behind it runs on your own device. What you type stays on this device.',
    leadUpstreams: (names: string) =>
      `It speaks OpenAI’s protocol. Models that run on your own device keep what you type there. If you choose a model of another server (${names}), this chat is sent to it.`,
    suggestions: 'Suggestions',
    capital: 'What is the capital of France?',
    poem: 'Write a poem about the sea.',
    sky: 'Why is the sky blue?',
    copyURL: 'Copy base URL',
  },
  list: {
    keep: 'Keep chats on this device',
    kept: 'They are stored in this browser, and nowhere else.',
    notKept: 'They are not stored: they end with this tab.',
    cannotKeep: 'The browser cannot keep the chats: its storage is full or blocked.',
    none: 'No chats yet.',
    save: (title: string) => `Save ${title} as Markdown`,
    delete: (title: string) => `Delete ${title}`,
    saveAll: 'Save all as JSON',
    deleteAll: 'Delete all',
    reallyDelete: 'Really delete all?',
  },
  turn: {
    copyAnswer: 'Copy answer',
    copyQuestion: 'Copy question',
    editAnswer: 'Edit answer',
    editQuestion: 'Edit question',
    deleteAnswer: 'Delete answer and what follows',
    deleteQuestion: 'Delete question and what follows',
    deleteResults: 'Delete results and what follows',
    readAloud: 'Read aloud',
    again: 'Answer again',
    branch: 'Continue in a new chat',
    alternatives: 'Alternatives',
    before: 'Show the alternative before',
    next: 'Show the next alternative',
    position: (at: string, all: string) => `${at} of ${all}`,
    text: 'Text',
  },
  /** Below an answer, and told to a screen reader. */
  notes: {
    stopped: 'Stopped',
    edited: 'Edited',
    cutOff: 'Cut off at the length limit',
    blind: 'Asked without the pictures: this model does not see',
    shortened: (count: string) => `Asked without the oldest ${count} messages`,
    speed: (rate: string) => `${rate} tokens/s`,
    firstToken: (time: string) => `${time} to first token`,
    promptTokens: (count: number) =>
      counted(count, { one: 'prompt token', other: 'prompt tokens' }),
    cached: (prompt: string, cached: string) => `${prompt}, ${cached} cached`,
    queue: (count: number) =>
      counted(count, { one: 'request before yours', other: 'requests before yours' }),
    reading: (percent: string) => `Reading the conversation: ${percent}`,
    isReading: 'Reading the conversation.',
    hasStopped: 'Stopped.',
    end: 'End of the answer.',
  },
  tools: {
    call: 'Calls a function:',
    isCalling: (name: string) => `Calls the function ${name}.`,
    result: 'Result of the function:',
    results: 'Results of functions',
    form: 'Results of the functions',
    lead: 'The console calls no functions. Write what they return.',
    resultOf: (name: string) => `Result of ${name}`,
    send: 'Send the results',
    notList: 'Tools are a JSON list.',
    noName: 'Each tool needs function.name.',
  },
  options: {
    system: 'System prompt',
    systemNote: 'What the model is told before the conversation.',
    temperature: 'Temperature',
    topP: 'Top p',
    maxTokens: 'Most tokens of an answer',
    seed: 'Seed',
    thinking: 'Let models think that can',
    dropsOldest: 'Leave out the oldest turns when the chat becomes too long',
    tools: 'Functions that the model may call',
    toolsNote:
      'A JSON list of tools, as in the API. You write what the functions return. Empty: none.',
    schema: 'JSON Schema of the answers',
    schemaNote: 'Empty: free text.',
    notSchema: 'A JSON Schema is an object.',
  },
  export: {
    system: 'System',
    servedBy: (name: string) => `Answer, made by ${name}, not on this device`,
  },
};

/** Why there is no answer, and what the user can do. */
export const failure = {
  failed: 'The request failed.',
  brokeOff: 'The answer broke off.',
  retry: 'Retry',
  dropOldest: 'Leave out the oldest turns',
  messageTooLong:
    'Your last message alone is longer than this model can hold, with its files and the system prompt. Shorten it, or choose a model with a longer context.',
  chatTooLong: 'Your last message fits, but the whole chat is longer than this model can hold.',
  hints: {
    model_not_found: 'Choose another model below the text field.',
    out_of_memory: 'Choose a smaller model, or close other tabs that use much memory.',
    load_crashed: 'Choose a smaller model, or close other tabs that use much memory and ask again.',
    webgpu_unavailable: 'Choose another model below the text field.',
    storage_full: 'Delete a model that you no longer need, or free some disk space.',
    rate_limit_exceeded: 'Other requests are waiting for this model. Try again in a moment.',
    invalid_api_key: 'The key of this page is no longer valid. Reload the page to get a new one.',
    connection:
      'The page may have lost its service worker. If a retry does not help, reload the page.',
  },
};

/** What is attached to a question. */
export const attachments = {
  attach: 'Attach files',
  attached: 'Attached',
  remove: (name: string) => `Remove ${name}`,
  blind: 'This model does not see pictures. Remove them, or choose a model that does.',
  fits: (whole: string, context: string) =>
    `It fits: the chat with these files has ${whole} of the ${context} tokens that the model holds.`,
  tooLong: (whole: string, context: string) =>
    `Too long: the chat with these files has ${whole} tokens, and the model holds ${context}. Remove a file, or choose a model with a longer context.`,
  farTooLong: (context: string) =>
    `Far too long: the model holds only ${context} tokens. Remove a file, or choose a model with a longer context.`,
  tooLarge: (name: string) => `${name} is too large.`,
  noText: (name: string) => `${name} has no text.`,
  unknownKind: (name: string) => `${name} is no picture, no PDF and no text in UTF-8.`,
  notPicture: (name: string) => `${name} is not a picture that this browser can read.`,
  cannotScale: 'The browser cannot scale the picture down.',
  noReader: 'The part of this page that reads PDFs could not be loaded.',
  password: (name: string) => `${name} is protected by a password.`,
  notPdf: (name: string) => `${name} is not a PDF that can be read.`,
};
