import { counted } from '../counted.ts';
import type { Messages } from '../en/index.ts';

export const chat: Messages['chat'] = {
  chats: 'Conversations',
  newChat: 'Nouveau chat',
  settings: 'Réglages de ce chat',
  dock: 'Votre question',
  message: 'Votre message',
  placeholder: 'Posez une question',
  send: 'Envoyer (Entrée)',
  stop: 'Arrêter (Échap)',
  you: 'Vous',
  answer: 'Réponse',
  thinking: 'Réflexion',
  leaves: (name) => `Vos questions quittent cet appareil : ${name} y répond.`,
  servedBy: (name) => `Produit par ${name}, pas sur cet appareil`,
  welcome: {
    title: 'Cette page est une API.',
    lead: 'Elle parle le protocole d’OpenAI, et le modèle derrière elle fonctionne sur votre appareil. Ce que vous écrivez reste sur cet appareil.',
    leadUpstreams: (names) =>
      `Elle parle le protocole d’OpenAI. Avec un modèle qui fonctionne sur votre appareil, ce que vous écrivez y reste. Avec un modèle d’un autre serveur (${names}), ce chat lui est envoyé.`,
    suggestions: 'Suggestions',
    capital: 'Quelle est la capitale de la France ?',
    poem: 'Écris un poème sur la mer.',
    sky: 'Pourquoi le ciel est-il bleu ?',
    copyURL: 'Copier l’URL de base',
  },
  list: {
    keep: 'Conserver les conversations sur cet appareil',
    kept: 'Elles sont enregistrées dans ce navigateur, et nulle part ailleurs.',
    notKept: 'Elles ne sont pas enregistrées : elles disparaissent avec cet onglet.',
    cannotKeep:
      'Le navigateur ne peut pas conserver les conversations : son stockage est plein ou bloqué.',
    none: 'Aucune conversation pour l’instant.',
    save: (title) => `Enregistrer ${title} en Markdown`,
    delete: (title) => `Supprimer ${title}`,
    saveAll: 'Tout enregistrer en JSON',
    deleteAll: 'Tout supprimer',
    reallyDelete: 'Vraiment tout supprimer ?',
  },
  turn: {
    copyAnswer: 'Copier la réponse',
    copyQuestion: 'Copier la question',
    editAnswer: 'Modifier la réponse',
    editQuestion: 'Modifier la question',
    deleteAnswer: 'Supprimer la réponse et la suite',
    deleteQuestion: 'Supprimer la question et la suite',
    deleteResults: 'Supprimer les résultats et la suite',
    readAloud: 'Lire à voix haute',
    again: 'Répondre à nouveau',
    branch: 'Continuer dans un nouveau chat',
    alternatives: 'Variantes',
    before: 'Afficher la variante précédente',
    next: 'Afficher la variante suivante',
    position: (at, all) => `${at} sur ${all}`,
    text: 'Texte',
  },
  notes: {
    stopped: 'Arrêté',
    edited: 'Modifié',
    cutOff: 'Coupé à la longueur limite',
    blind: 'Demandé sans les images : ce modèle ne voit pas',
    shortened: (count) => `Demandé sans les ${count} messages les plus anciens`,
    speed: (rate) => `${rate} tokens/s`,
    firstToken: (time) => `${time} jusqu’au premier token`,
    promptTokens: (count) => counted(count, { one: 'token de prompt', other: 'tokens de prompt' }),
    cached: (prompt, cached) => `${prompt}, dont ${cached} en cache`,
    queue: (count) =>
      counted(count, { one: 'requête avant la vôtre', other: 'requêtes avant la vôtre' }),
    reading: (percent) => `Lecture de la conversation : ${percent}`,
    isReading: 'Lecture de la conversation.',
    hasStopped: 'Arrêté.',
    end: 'Fin de la réponse.',
  },
  tools: {
    call: 'Appelle une fonction :',
    isCalling: (name) => `Appelle la fonction ${name}.`,
    result: 'Résultat de la fonction :',
    results: 'Résultats de fonctions',
    form: 'Résultats des fonctions',
    lead: 'La console n’appelle aucune fonction. Écrivez ce qu’elles renvoient.',
    resultOf: (name) => `Résultat de ${name}`,
    send: 'Envoyer les résultats',
    notList: 'Les outils doivent être une liste JSON.',
    noName: 'Chaque outil a besoin de function.name.',
  },
  options: {
    system: 'Prompt système',
    systemNote: 'Ce qui est dit au modèle avant la conversation.',
    temperature: 'Température',
    topP: 'Top p',
    maxTokens: 'Tokens par réponse, au plus',
    seed: 'Seed',
    thinking: 'Laisser réfléchir les modèles qui le peuvent',
    dropsOldest: 'Omettre les tours les plus anciens quand le chat devient trop long',
    tools: 'Fonctions que le modèle peut appeler',
    toolsNote:
      'Une liste JSON d’outils, comme dans l’API. Vous écrivez ce que les fonctions renvoient. Vide : aucune.',
    schema: 'Schéma JSON des réponses',
    schemaNote: 'Vide : texte libre.',
    notSchema: 'Un schéma JSON doit être un objet.',
  },
  export: {
    system: 'Système',
    servedBy: (name) => `Réponse produite par ${name}, pas sur cet appareil`,
  },
};

export const failure: Messages['failure'] = {
  failed: 'La requête a échoué.',
  brokeOff: 'La réponse s’est interrompue.',
  retry: 'Réessayer',
  dropOldest: 'Omettre les tours les plus anciens',
  messageTooLong:
    'À lui seul, votre dernier message, avec ses fichiers et le prompt système, dépasse ce que ce modèle peut contenir. Raccourcissez-le, ou choisissez un modèle au contexte plus long.',
  chatTooLong:
    'Votre dernier message tient, mais le chat entier dépasse ce que ce modèle peut contenir.',
  hints: {
    model_not_found: 'Choisissez un autre modèle sous le champ de texte.',
    out_of_memory:
      'Choisissez un modèle plus petit, ou fermez d’autres onglets gourmands en mémoire.',
    load_crashed:
      'Choisissez un modèle plus petit, ou fermez d’autres onglets gourmands en mémoire, puis reposez la question.',
    webgpu_unavailable: 'Choisissez un autre modèle sous le champ de texte.',
    storage_full:
      'Supprimez un modèle dont vous n’avez plus besoin, ou libérez de l’espace disque.',
    rate_limit_exceeded: 'D’autres requêtes attendent ce modèle. Réessayez dans un instant.',
    invalid_api_key:
      'La clé de cette page n’est plus valable. Rechargez la page pour en obtenir une nouvelle.',
    connection:
      'La page a peut-être perdu son service worker. Si réessayer ne suffit pas, rechargez la page.',
  },
};

export const attachments: Messages['attachments'] = {
  attach: 'Joindre des fichiers',
  attached: 'Pièces jointes',
  remove: (name) => `Retirer ${name}`,
  blind: 'Ce modèle ne voit pas les images. Retirez-les, ou choisissez un modèle qui les voit.',
  fits: (whole, context) =>
    `Cela tient : avec ces fichiers, le chat a ${whole} des ${context} tokens que le modèle peut contenir.`,
  tooLong: (whole, context) =>
    `Trop long : avec ces fichiers, le chat a ${whole} tokens, et le modèle en contient ${context}. Retirez un fichier, ou choisissez un modèle au contexte plus long.`,
  farTooLong: (context) =>
    `Beaucoup trop long : le modèle ne contient que ${context} tokens. Retirez un fichier, ou choisissez un modèle au contexte plus long.`,
  tooLarge: (name) => `${name} est trop volumineux.`,
  noText: (name) => `${name} ne contient aucun texte.`,
  unknownKind: (name) => `${name} n’est ni une image, ni un PDF, ni du texte en UTF-8.`,
  notPicture: (name) => `${name} n’est pas une image que ce navigateur sait lire.`,
  cannotScale: 'Le navigateur ne peut pas réduire l’image.',
  noReader: 'La partie de cette page qui lit les PDF n’a pas pu être chargée.',
  password: (name) => `${name} est protégé par un mot de passe.`,
  notPdf: (name) => `${name} n’est pas un PDF lisible.`,
};
