import type { Messages } from '../en/index.ts';

export const problem: Messages['problem'] = {
  steps: 'Qué hacer',
  reload: 'Recargar la página',
  insecure: {
    title: 'Esta dirección no es lo bastante segura para el navegador',
    explanation:
      'Los navegadores solo ofrecen service workers en direcciones https:// y en localhost. Esta página se cargó por http sin cifrar.',
    local: (address) => `En el equipo que la sirve, abrir \`${address}\`.`,
    secure:
      'Desde otro equipo, abrirla con `https://`: sirve cualquier alojamiento estático o túnel con certificado.',
  },
  storage: {
    title: 'El navegador no deja que esta página guarde nada',
    explanation:
      'Los modelos y la clave de esta página se guardan en el almacenamiento del navegador.',
    allow: 'Permitir que este sitio guarde datos y cookies.',
    free: 'Comprobar que queda espacio en el disco.',
    frame: 'Si otro sitio muestra esta página en un marco, abrirla en una pestaña propia.',
  },
  noWorker: {
    title: 'Este navegador no permite ningún service worker',
    explanation:
      'La API de esta página funciona en un service worker, que este navegador no permite ahora mismo.',
    window:
      'Abrir la página en una ventana normal: las ventanas privadas pueden no tener service worker.',
    cookies:
      'Permitir que este sitio guarde datos: bloquear todas las cookies bloquea también los service workers.',
    app: 'Si otra aplicación muestra esta página en su ventana, abrirla en el navegador.',
    lockdown: 'Si el modo de aislamiento está activado, hacer una excepción para este sitio.',
  },
  workerFailed: {
    title: 'El service worker no se inició',
    explanation: 'No se pudo preparar la parte de esta página que responde a /v1.',
    reload: 'Recargar la página.',
    delete:
      'Si eso no ayuda, borrar los datos de este sitio en los ajustes del navegador y recargar.',
    script:
      'Si el sitio es propio: `sw.js` debe servirse desde la carpeta de la página, como JavaScript y sin redirección.',
  },
  old: {
    title: 'Este navegador es demasiado antiguo para los modelos',
    explanation:
      'Los modelos necesitan WebAssembly con vectores (SIMD), y este navegador no lo tiene.',
    update:
      'Actualizar el navegador: Chrome y Edge lo tienen desde la versión 91, Safari desde la 16.4, Firefox desde la 89.',
  },
  noGpu: {
    title: 'No hay procesador gráfico para WebGPU',
    explanation:
      'Este navegador tiene WebGPU, pero no encontró ningún procesador gráfico que pueda usar. Esta página no permite modelos que funcionen sin él.',
  },
  noWebgpu: {
    title: 'Este navegador no tiene WebGPU',
    explanation:
      'Los modelos de esta página funcionan en el propio procesador gráfico mediante WebGPU, y este navegador no lo tiene.',
  },
  modelFailed: {
    title: 'El modelo no se cargó',
    explanation: 'La página funciona, pero el modelo no se pudo cargar en la memoria.',
    tabs: 'Cerrar otras pestañas que usen mucha memoria e intentarlo de nuevo.',
    disk: 'Comprobar que queda espacio en el disco: los modelos se guardan en el almacenamiento de este navegador.',
  },
  option: {
    title: 'Esta página se inició con una opción no válida',
    explanation: 'Es un error de la página, no del navegador.',
    reload: 'Recargar la página sin nada detrás de `#` o `?` en su dirección.',
  },
  unexpected: {
    title: 'La página no pudo iniciarse',
    explanation: 'Se produjo un error inesperado.',
    reload: 'Recargar la página.',
  },
  webgpu: {
    elsewhere:
      'O abrir la página en otro navegador que tenga WebGPU, a partir de estas versiones: Chrome o Edge 113, Safari 26, Firefox 141 en Windows, Firefox 147 en Apple Silicon.',
    ios: 'Actualizar a iOS o iPadOS 26: desde esa versión, todos los navegadores tienen WebGPU.',
    safari: 'Actualizar a Safari 26, que viene con macOS 26.',
    browser: 'Actualizar el navegador.',
    version: (browser, version) => `Actualizar ${browser} a la versión ${version} o posterior.`,
    android: 'WebGPU necesita Android 12 o posterior.',
    acceleration: (settings) =>
      `Activar la aceleración gráfica en \`${settings}\` y reiniciar el navegador.`,
    driver: (page) => `Actualizar el controlador gráfico y ver qué dice \`${page}\`.`,
    check: (page) => `Ver qué dice \`${page}\`.`,
    flags: (webgpu, vulkan) =>
      `Abrir \`${webgpu}\`, elegir «Enabled», hacer lo mismo con \`${vulkan}\` y reiniciar el navegador.`,
    firefox: 'Abrir `about:config`, poner `dom.webgpu.enabled` en true y reiniciar el navegador.',
  },
  cpu: {
    title: 'Aquí funciona en la CPU',
    emulated:
      'Los modelos funcionan en la CPU de este equipo, porque el procesador gráfico que ofrece este navegador está emulado por la CPU. Con un procesador gráfico real responden más rápido. Para usar uno:',
    missing:
      'Los modelos funcionan en la CPU de este equipo, porque este navegador no ofrece ningún procesador gráfico. Con un procesador gráfico responden más rápido. Para usar uno:',
  },
};
