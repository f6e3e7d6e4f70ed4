/** The dialog that speaks a text. */
export const speech = {
  title: 'Speak',
  text: 'Text',
  model: 'Model',
  readyModels: 'Ready to use',
  hubModels: 'From the model hub',
  voice: 'Voice',
  format: 'Format',
  speed: 'Speed',
  waiting: 'Waiting for the first sentence…',
  making: 'Making the whole file…',
  saved: 'Saved.',
  saveFile: 'Save file',
  speak: 'Speak',
  unplayable: 'The browser cannot play this.',
  unreachable: 'The API cannot be reached. Reload the page.',
};

/** The button that writes down what is said. */
export const dictation = {
  start: 'Dictate',
  end: 'End the dictation',
  asking: 'Waiting for the microphone…',
  recording: (time: string) => `Recording: ${time}`,
  writing: 'Writing down what was said…',
  silent: 'Nothing was said.',
  notAllowed:
    'The browser does not let this page use the microphone. Allow it in the settings of this site, and try again.',
  notFound: 'No microphone was found.',
  notReadable: 'The microphone cannot be used: another program may be using it.',
  noHttps: 'This page cannot use a microphone: it needs HTTPS.',
  failed: (reason: string) => `The microphone cannot be used. ${reason}`,
};
