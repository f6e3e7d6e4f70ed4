import type { Messages } from '../en/index.ts';

export const app: Messages['app'] = {
  pages: {
    chat: 'Chat',
    models: 'Modèles',
    requests: 'Requêtes',
    keys: 'Clés',
    playground: 'Playground',
    device: 'Appareil',
  },
  navigation: 'Pages',
  starting: 'Démarrage…',
  language: 'Langue',
  languageFailed: 'Impossible de charger cette langue. Vérifiez le réseau et réessayez.',
  lightTheme: 'Thème clair',
  darkTheme: 'Thème sombre',
  bridge: {
    serving: 'Cette page sert de pont local.',
    servingLead:
      'Les programmes de cet ordinateur accèdent à son API par slashv1 serve. Le pont s’arrête quand cette page est fermée.',
    ended: 'Le pont est arrêté.',
    endedLead: 'Vous pouvez fermer cette page.',
  },
};

export const ui: Messages['ui'] = {
  copied: 'Copié',
  notCopied: 'Le navigateur n’autorise pas la copie',
  close: 'Fermer',
  cancel: 'Annuler',
  save: 'Enregistrer',
  stop: 'Arrêter',
  toEnd: 'Aller à la fin',
  bytes: (count) => `${count} o`,
  bytesOf: (part, whole) => `${part} sur ${whole}`,
  perSecond: (amount) => `${amount}/s`,
  seconds: (count) => `${count} s`,
  minutes: (count) => `${count} min`,
  hours: (count) => `${count} h`,
};

export const fromCode: Messages['fromCode'] = {
  title: 'Utiliser depuis du code',
  lead: 'Tout client OpenAI fonctionne avec cette URL de base et cette clé.',
  baseURL: 'URL de base',
  apiKey: 'Clé d’API',
  keyLife: 'La clé est valable tant que cet onglet est ouvert.',
  examples: 'Exemples',
  copy: (name) => `Copier : ${name}`,
  copyCode: 'Copier le code',
  openai: 'Paquet openai',
  openaiNote:
    'Dans toute page, tout cadre ou tout worker de ce site, tant que cet onglet est ouvert.',
  fetchNote: 'Rien à installer : collez-le dans les outils de développement de cet onglet.',
  ownSite: 'Votre propre site',
  ownSiteNote: 'Le paquet slashv1 met la même API dans votre page, avec sa propre clé.',
  curlNote:
    'Hors du navigateur, les programmes ont besoin du pont. Il expose l’API d’une page sur 127.0.0.1 et affiche son adresse et sa clé.',
};
