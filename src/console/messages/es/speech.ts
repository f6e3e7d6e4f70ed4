import type { Messages } from '../en/index.ts';

export const speech: Messages['speech'] = {
  title: 'Leer en voz alta',
  text: 'Texto',
  model: 'Modelo',
  readyModels: 'Listos para usar',
  hubModels: 'Del hub de modelos',
  voice: 'Voz',
  format: 'Formato',
  speed: 'Ritmo',
  waiting: 'Esperando la primera frase…',
  making: 'Creando el archivo completo…',
  saved: 'Guardado.',
  saveFile: 'Guardar archivo',
  speak: 'Leer',
  unplayable: 'El navegador no puede reproducir esto.',
  unreachable: 'No se puede acceder a la API. Recargue la página.',
};

export const dictation: Messages['dictation'] = {
  start: 'Dictar',
  end: 'Terminar el dictado',
  asking: 'Esperando el micrófono…',
  recording: (time) => `Grabando: ${time}`,
  writing: 'Transcribiendo lo dicho…',
  silent: 'No se ha dicho nada.',
  notAllowed:
    'El navegador no deja que esta página use el micrófono. Permítalo en los ajustes de este sitio e inténtelo de nuevo.',
  notFound: 'No se encontró ningún micrófono.',
  notReadable: 'No se puede usar el micrófono: quizá lo esté usando otro programa.',
  noHttps: 'Esta página no puede usar un micrófono: necesita HTTPS.',
  failed: (reason) => `No se puede usar el micrófono. ${reason}`,
};
