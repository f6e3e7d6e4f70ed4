import type { Messages } from '../en/index.ts';

export const app: Messages['app'] = {
  pages: {
    chat: 'Chat',
    models: 'Modelos',
    requests: 'Peticiones',
    keys: 'Claves',
    playground: 'Playground',
    device: 'Equipo',
  },
  navigation: 'Páginas',
  starting: 'Iniciando…',
  language: 'Idioma',
  languageFailed: 'No se pudo cargar este idioma. Compruebe la red e inténtelo de nuevo.',
  lightTheme: 'Tema claro',
  darkTheme: 'Tema oscuro',
  bridge: {
    serving: 'Esta página sirve un puente local.',
    servingLead:
      'Los programas de este equipo llegan a su API mediante slashv1 serve. El puente termina al cerrar esta página.',
    ended: 'El puente ha terminado.',
    endedLead: 'Ya se puede cerrar esta página.',
  },
};

export const ui: Messages['ui'] = {
  copied: 'Copiado',
  notCopied: 'El navegador no permite copiar',
  close: 'Cerrar',
  cancel: 'Cancelar',
  save: 'Guardar',
  stop: 'Detener',
  toEnd: 'Ir al final',
  bytes: (count) => `${count} B`,
  bytesOf: (part, whole) => `${part} de ${whole}`,
  perSecond: (amount) => `${amount}/s`,
  seconds: (count) => `${count} s`,
  minutes: (count) => `${count} min`,
  hours: (count) => `${count} h`,
};

export const fromCode: Messages['fromCode'] = {
  title: 'Usar desde código',
  lead: 'Cualquier cliente de OpenAI funciona con esta URL base y esta clave.',
  baseURL: 'URL base',
  apiKey: 'Clave de API',
  keyLife: 'La clave funciona mientras esta pestaña esté abierta.',
  examples: 'Ejemplos',
  copy: (name) => `Copiar: ${name}`,
  copyCode: 'Copiar el código',
  openai: 'Paquete openai',
  openaiNote:
    'En cualquier página, marco o worker de este sitio, mientras esta pestaña esté abierta.',
  fetchNote:
    'Nada que instalar: basta con pegarlo en las herramientas de desarrollo de esta pestaña.',
  ownSite: 'Sitio propio',
  ownSiteNote: 'El paquete slashv1 lleva la misma API a una página propia, con su propia clave.',
  curlNote:
    'Los programas fuera del navegador necesitan el puente. Sirve la API de una página en 127.0.0.1 e imprime su dirección y su clave.',
};
