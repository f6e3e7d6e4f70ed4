import { counted } from '../counted.ts';
import type { Messages } from '../en/index.ts';

export const chat: Messages['chat'] = {
  chats: 'Chats',
  newChat: 'Chat nuevo',
  settings: 'Ajustes de este chat',
  dock: 'Pregunta',
  message: 'Mensaje',
  placeholder: 'Escribir una pregunta',
  send: 'Enviar (Intro)',
  stop: 'Detener (Esc)',
  you: 'Pregunta',
  answer: 'Respuesta',
  thinking: 'Razonamiento',
  leaves: (name) => `Las preguntas salen de este equipo: las responde ${name}.`,
  servedBy: (name) => `Hecho por ${name}, no en este equipo`,
  welcome: {
    title: 'Esta página es una API.',
    lead: 'Habla el protocolo de OpenAI, y el modelo que hay detrás funciona en este mismo equipo. Lo que se escribe no sale de él.',
    leadUpstreams: (names) =>
      `Habla el protocolo de OpenAI. Con los modelos que funcionan en este equipo, lo que se escribe no sale de él. Con un modelo de otro servidor (${names}), el chat se envía a ese servidor.`,
    suggestions: 'Sugerencias',
    capital: '¿Cuál es la capital de Francia?',
    poem: 'Escribe un poema sobre el mar.',
    sky: '¿Por qué es azul el cielo?',
    copyURL: 'Copiar la URL base',
  },
  list: {
    keep: 'Conservar los chats en este equipo',
    kept: 'Se guardan en este navegador y en ningún otro lugar.',
    notKept: 'No se guardan: terminan con esta pestaña.',
    cannotKeep:
      'El navegador no puede conservar los chats: su almacenamiento está lleno o bloqueado.',
    none: 'Aún no hay chats.',
    save: (title) => `Guardar ${title} como Markdown`,
    delete: (title) => `Eliminar ${title}`,
    saveAll: 'Guardar todo como JSON',
    deleteAll: 'Eliminar todo',
    reallyDelete: '¿Eliminar todo de verdad?',
  },
  turn: {
    copyAnswer: 'Copiar la respuesta',
    copyQuestion: 'Copiar la pregunta',
    editAnswer: 'Editar la respuesta',
    editQuestion: 'Editar la pregunta',
    deleteAnswer: 'Eliminar la respuesta y lo que sigue',
    deleteQuestion: 'Eliminar la pregunta y lo que sigue',
    deleteResults: 'Eliminar los resultados y lo que sigue',
    readAloud: 'Leer en voz alta',
    again: 'Responder de nuevo',
    branch: 'Continuar en un chat nuevo',
    alternatives: 'Alternativas',
    before: 'Mostrar la alternativa anterior',
    next: 'Mostrar la alternativa siguiente',
    position: (at, all) => `${at} de ${all}`,
    text: 'Texto',
  },
  notes: {
    stopped: 'Detenido',
    edited: 'Editado',
    cutOff: 'Cortado en el límite de longitud',
    blind: 'Preguntado sin las imágenes: este modelo no ve',
    shortened: (count) => `Preguntado sin los ${count} mensajes más antiguos`,
    speed: (rate) => `${rate} tokens/s`,
    firstToken: (time) => `${time} hasta el primer token`,
    promptTokens: (count) => counted(count, { one: 'token de prompt', other: 'tokens de prompt' }),
    cached: (prompt, cached) => `${prompt}, ${cached} en caché`,
    queue: (count) => counted(count, { one: 'petición antes', other: 'peticiones antes' }),
    reading: (percent) => `Leyendo la conversación: ${percent}`,
    isReading: 'Leyendo la conversación.',
    hasStopped: 'Detenido.',
    end: 'Fin de la respuesta.',
  },
  tools: {
    call: 'Llama a una función:',
    isCalling: (name) => `Llama a la función ${name}.`,
    result: 'Resultado de la función:',
    results: 'Resultados de funciones',
    form: 'Resultados de las funciones',
    lead: 'La consola no llama a ninguna función. Hay que escribir lo que devuelven.',
    resultOf: (name) => `Resultado de ${name}`,
    send: 'Enviar los resultados',
    notList: 'Las herramientas deben ser una lista JSON.',
    noName: 'Cada herramienta necesita function.name.',
  },
  options: {
    system: 'Prompt de sistema',
    systemNote: 'Lo que se le dice al modelo antes de la conversación.',
    temperature: 'Temperatura',
    topP: 'Top p',
    maxTokens: 'Tokens por respuesta, como máximo',
    seed: 'Seed',
    thinking: 'Dejar razonar a los modelos que pueden',
    dropsOldest: 'Omitir los turnos más antiguos cuando el chat sea demasiado largo',
    tools: 'Funciones que el modelo puede llamar',
    toolsNote:
      'Una lista JSON de herramientas, como en la API. Lo que devuelven las funciones se escribe a mano. Vacío: ninguna.',
    schema: 'Esquema JSON de las respuestas',
    schemaNote: 'Vacío: texto libre.',
    notSchema: 'Un esquema JSON debe ser un objeto.',
  },
  export: {
    system: 'Sistema',
    servedBy: (name) => `Respuesta hecha por ${name}, no en este equipo`,
  },
};

export const failure: Messages['failure'] = {
  failed: 'La petición ha fallado.',
  brokeOff: 'La respuesta se interrumpió.',
  retry: 'Reintentar',
  dropOldest: 'Omitir los turnos más antiguos',
  messageTooLong:
    'El último mensaje por sí solo, con sus archivos y el prompt de sistema, es más largo de lo que admite este modelo. Hay que acortarlo o elegir un modelo con más contexto.',
  chatTooLong:
    'El último mensaje cabe, pero el chat completo es más largo de lo que admite este modelo.',
  hints: {
    model_not_found: 'Elija otro modelo debajo del campo de texto.',
    out_of_memory: 'Elija un modelo más pequeño o cierre otras pestañas que usen mucha memoria.',
    load_crashed:
      'Elija un modelo más pequeño, o cierre otras pestañas que usen mucha memoria y pregunte de nuevo.',
    webgpu_unavailable: 'Elija otro modelo debajo del campo de texto.',
    storage_full: 'Elimine un modelo que ya no necesite o libere espacio en el disco.',
    rate_limit_exceeded:
      'Otras peticiones esperan a este modelo. Inténtelo de nuevo dentro de un momento.',
    invalid_api_key:
      'La clave de esta página ya no es válida. Recargue la página para obtener una nueva.',
    connection:
      'Puede que la página haya perdido su service worker. Si reintentar no ayuda, recargue la página.',
  },
};

export const attachments: Messages['attachments'] = {
  attach: 'Adjuntar archivos',
  attached: 'Adjuntos',
  remove: (name) => `Quitar ${name}`,
  blind: 'Este modelo no ve imágenes. Quítelas o elija un modelo que las vea.',
  fits: (whole, context) =>
    `Cabe: con estos archivos, el chat tiene ${whole} de los ${context} tokens que admite el modelo.`,
  tooLong: (whole, context) =>
    `Demasiado largo: con estos archivos, el chat tiene ${whole} tokens y el modelo admite ${context}. Quite un archivo o elija un modelo con más contexto.`,
  farTooLong: (context) =>
    `Larguísimo: el modelo solo admite ${context} tokens. Quite un archivo o elija un modelo con más contexto.`,
  tooLarge: (name) => `${name} es demasiado grande.`,
  noText: (name) => `${name} no contiene texto.`,
  unknownKind: (name) => `${name} no es una imagen, ni un PDF, ni texto en UTF-8.`,
  notPicture: (name) => `${name} no es una imagen que este navegador pueda leer.`,
  cannotScale: 'El navegador no puede reducir la imagen.',
  noReader: 'No se pudo cargar la parte de esta página que lee los PDF.',
  password: (name) => `${name} está protegido con contraseña.`,
  notPdf: (name) => `${name} no es un PDF que se pueda leer.`,
};
