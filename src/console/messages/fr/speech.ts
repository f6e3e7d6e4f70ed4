import type { Messages } from '../en/index.ts';

export const speech: Messages['speech'] = {
  title: 'Lire à voix haute',
  text: 'Texte',
  model: 'Modèle',
  readyModels: 'Prêts à l’emploi',
  hubModels: 'Sur le hub de modèles',
  voice: 'Voix',
  format: 'Format',
  speed: 'Vitesse',
  waiting: 'En attente de la première phrase…',
  making: 'Création du fichier entier…',
  saved: 'Enregistré.',
  saveFile: 'Enregistrer le fichier',
  speak: 'Lire',
  unplayable: 'Le navigateur ne peut pas lire ce son.',
  unreachable: 'L’API est injoignable. Rechargez la page.',
};

export const dictation: Messages['dictation'] = {
  start: 'Dicter',
  end: 'Terminer la dictée',
  asking: 'En attente du microphone…',
  recording: (time) => `Enregistrement : ${time}`,
  writing: 'Transcription en cours…',
  silent: 'Rien n’a été dit.',
  notAllowed:
    'Le navigateur n’autorise pas cette page à utiliser le microphone. Autorisez-le dans les réglages de ce site et réessayez.',
  notFound: 'Aucun microphone trouvé.',
  notReadable: 'Le microphone est inutilisable : un autre programme s’en sert peut-être.',
  noHttps: 'Cette page ne peut pas utiliser de microphone : il faut HTTPS.',
  failed: (reason) => `Le microphone est inutilisable. ${reason}`,
};
