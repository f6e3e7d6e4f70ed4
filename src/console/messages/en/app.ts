/** What all pages share, and the page of the bridge. */
export const app = {
  pages: {
    chat: 'Chat',
    models: 'Models',
    requests: 'Requests',
    keys: 'Keys',
    playground: 'Playground',
    device: 'Device',
  },
  navigation: 'Pages',
  starting: 'Starting…',
  language: 'Language',
  languageFailed: 'This language could not be fetched. Check the network, and try again.',
  lightTheme: 'Light theme',
  darkTheme: 'Dark theme',
  bridge: {
    serving: 'This page serves a local bridge.',
    servingLead:
      'Programs on this computer reach its API through slashv1 serve. The bridge ends when this page is closed.',
    ended: 'The bridge has ended.',
    endedLead: 'You can close this page.',
  },
};

/** Buttons, dialogs, and how numbers are written. The parameters are numbers that are written already. */
export const ui = {
  copied: 'Copied',
  notCopied: 'The browser does not allow copying',
  close: 'Close',
  cancel: 'Cancel',
  save: 'Save',
  stop: 'Stop',
  toEnd: 'Go to the end',
  bytes: (count: string) => `${count} B`,
  /** `part`: a number in the unit of `whole`, which has its unit. */
  bytesOf: (part: string, whole: string) => `${part} of ${whole}`,
  perSecond: (amount: string) => `${amount}/s`,
  seconds: (count: string) => `${count} s`,
  minutes: (count: string) => `${count} min`,
  hours: (count: string) => `${count} h`,
};

/** The dialog with the base URL, a key and code to copy. */
export const fromCode = {
  title: 'Use it from code',
  lead: 'Any OpenAI client works with this base URL and this key.',
  baseURL: 'Base URL',
  apiKey: 'API key',
  keyLife: 'The key works while this tab is open.',
  examples: 'Examples',
  copy: (name: string) => `Copy ${name}`,
  copyCode: 'Copy code',
  openai: 'openai package',
  openaiNote: 'In any page, frame or worker of this site, while this tab is open.',
  fetchNote: 'Nothing to install: paste it into the developer tools of this tab.',
  ownSite: 'Your own site',
  ownSiteNote: 'The slashv1 package puts the same API into your own page, with its own key.',
  curlNote:
    'Programs outside the browser need the bridge. It serves a page’s API on 127.0.0.1 and prints its address and key.',
};
