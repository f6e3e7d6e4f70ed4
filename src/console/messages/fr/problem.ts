import type { Messages } from '../en/index.ts';

export const problem: Messages['problem'] = {
  steps: 'Que faire',
  reload: 'Recharger la page',
  insecure: {
    title: 'Cette adresse n’est pas assez sûre pour le navigateur',
    explanation:
      'Les navigateurs ne proposent les service workers que sur les adresses https:// et sur localhost. Cette page a été chargée par simple http.',
    local: (address) => `Sur l’ordinateur qui la sert, ouvrez \`${address}\`.`,
    secure:
      'Depuis un autre appareil, ouvrez-la en `https://` : n’importe quel hébergement statique ou tunnel avec un certificat convient.',
  },
  storage: {
    title: 'Le navigateur ne laisse cette page rien enregistrer',
    explanation:
      'Les modèles et la clé de cette page sont conservés dans le stockage du navigateur.',
    allow: 'Autorisez ce site à enregistrer des données et des cookies.',
    free: 'Vérifiez qu’il reste de la place sur le disque.',
    frame: 'Si un autre site affiche cette page dans un cadre, ouvrez-la dans son propre onglet.',
  },
  noWorker: {
    title: 'Ce navigateur n’autorise aucun service worker',
    explanation:
      'L’API de cette page fonctionne dans un service worker, que ce navigateur n’autorise pas pour le moment.',
    window:
      'Ouvrez la page dans une fenêtre normale : les fenêtres privées n’ont pas toujours de service worker.',
    cookies:
      'Autorisez ce site à enregistrer des données : bloquer tous les cookies bloque aussi les service workers.',
    app: 'Si une autre application affiche cette page dans sa fenêtre, ouvrez-la plutôt dans le navigateur.',
    lockdown: 'Si le mode Isolement est activé, faites une exception pour ce site.',
  },
  workerFailed: {
    title: 'Le service worker n’a pas démarré',
    explanation: 'La partie de cette page qui répond à /v1 n’a pas pu être mise en place.',
    reload: 'Rechargez la page.',
    delete:
      'Si cela ne suffit pas, supprimez les données de ce site dans les réglages du navigateur, puis rechargez.',
    script:
      'Si ce site est le vôtre : `sw.js` doit être servi depuis le dossier de la page, comme JavaScript et sans redirection.',
  },
  old: {
    title: 'Ce navigateur est trop ancien pour les modèles',
    explanation:
      'Les modèles ont besoin de WebAssembly avec vecteurs (SIMD), que ce navigateur n’a pas.',
    update:
      'Mettez le navigateur à jour : Chrome et Edge l’ont depuis la version 91, Safari depuis la 16.4, Firefox depuis la 89.',
  },
  noGpu: {
    title: 'Aucun processeur graphique pour WebGPU',
    explanation:
      'Ce navigateur a WebGPU, mais n’a trouvé aucun processeur graphique utilisable. Cette page n’autorise pas de modèles qui s’en passent.',
  },
  noWebgpu: {
    title: 'Ce navigateur n’a pas WebGPU',
    explanation:
      'Les modèles de cette page fonctionnent sur votre propre processeur graphique par WebGPU, que ce navigateur n’a pas.',
  },
  modelFailed: {
    title: 'Le modèle ne s’est pas chargé',
    explanation: 'La page fonctionne, mais le modèle n’a pas pu être chargé en mémoire.',
    tabs: 'Fermez d’autres onglets gourmands en mémoire et réessayez.',
    disk: 'Vérifiez qu’il reste de la place sur le disque : les modèles sont conservés dans le stockage de ce navigateur.',
  },
  option: {
    title: 'Cette page a été démarrée avec une option non valide',
    explanation: 'C’est une erreur de la page, pas de votre navigateur.',
    reload: 'Rechargez la page sans rien derrière le `#` ou le `?` de son adresse.',
  },
  unexpected: {
    title: 'La page n’a pas pu démarrer',
    explanation: 'Une erreur inattendue s’est produite.',
    reload: 'Rechargez la page.',
  },
  webgpu: {
    elsewhere:
      'Ou ouvrez la page dans un autre navigateur doté de WebGPU, à partir de ces versions : Chrome ou Edge 113, Safari 26, Firefox 141 sous Windows, Firefox 147 sur Apple Silicon.',
    ios: 'Passez à iOS ou iPadOS 26 : à partir de cette version, tous les navigateurs y ont WebGPU.',
    safari: 'Passez à Safari 26, fourni avec macOS 26.',
    browser: 'Mettez le navigateur à jour.',
    version: (browser, version) =>
      `Mettez ${browser} à jour vers la version ${version} ou plus récente.`,
    android: 'WebGPU demande Android 12 ou plus récent.',
    acceleration: (settings) =>
      `Activez l’accélération graphique dans \`${settings}\` et redémarrez le navigateur.`,
    driver: (page) => `Mettez le pilote graphique à jour et regardez ce qu’indique \`${page}\`.`,
    check: (page) => `Regardez ce qu’indique \`${page}\`.`,
    flags: (webgpu, vulkan) =>
      `Ouvrez \`${webgpu}\`, choisissez « Enabled », faites de même avec \`${vulkan}\`, puis redémarrez le navigateur.`,
    firefox:
      'Ouvrez `about:config`, mettez `dom.webgpu.enabled` à true et redémarrez le navigateur.',
  },
  cpu: {
    title: 'Fonctionne ici sur le CPU',
    emulated:
      'Les modèles fonctionnent sur le CPU de cet appareil, car le processeur graphique que propose ce navigateur est émulé par le CPU. Avec un vrai processeur graphique, ils répondent plus vite. Pour en utiliser un :',
    missing:
      'Les modèles fonctionnent sur le CPU de cet appareil, car ce navigateur ne propose aucun processeur graphique. Avec un processeur graphique, ils répondent plus vite. Pour en utiliser un :',
  },
};
