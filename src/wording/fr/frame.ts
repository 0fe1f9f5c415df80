import type { FrameWords } from "../frame-words.ts";

const COLLEAGUE =
  "Je transmets votre demande à un collègue, qui reçoit toute la conversation : vous n'avez rien à répéter. Il vous répondra ici.";

export const frame: FrameWords = {
  disclosure: (shop) => `Je suis l'assistant IA de ${shop}.`,
  hours: {
    open: (until) => `Notre équipe est là aujourd'hui jusqu'à ${until}.`,
    later: (from) => `Notre équipe est de nouveau là aujourd'hui à partir de ${from}.`,
    opens: (when) => `Notre équipe n'est pas là pour le moment ; elle revient ${when}.`,
    at: (day, time) => `${day} à ${time}`,
  },
  waiting: "Merci, c'est ajouté à la conversation. Un collègue vous répondra ici.",
  handoff: {
    asked_for_person: `Bien sûr. ${COLLEAGUE}`,
    not_understood: `Je ne suis pas certain de comprendre assez bien pour vous aider. ${COLLEAGUE}`,
    legal_or_safety: `Une personne doit s'en occuper. ${COLLEAGUE}`,
    policy_denied_contested: `Je ne peux pas en décider moi-même. ${COLLEAGUE}`,
    complaint: `J'en suis désolé. ${COLLEAGUE}`,
    no_progress: `Je n'avance plus seul sur ce point. ${COLLEAGUE}`,
    step_limit: `Je n'avance plus seul sur ce point. ${COLLEAGUE}`,
    deadline: `Cela prend plus de temps que prévu. ${COLLEAGUE}`,
    agent_failed: `Quelque chose s'est mal passé de mon côté et rien n'a été fait. ${COLLEAGUE}`,
    outcome_uncertain: COLLEAGUE,
    outside_scope: `Cela dépasse ce que je peux faire. ${COLLEAGUE}`,
    low_confidence: `Je ne suis pas assez sûr de ma réponse pour vous la donner. ${COLLEAGUE}`,
    provider_unavailable: `L'un de nos systèmes ne répond pas, et rien n'a été fait. ${COLLEAGUE}`,
    model_unavailable: `Je ne peux pas y répondre seul pour le moment, et rien n'a été fait. ${COLLEAGUE}`,
    safety_filter: `Je n'ai pas trouvé de formulation que je puisse vous envoyer. ${COLLEAGUE}`,
    negative_sentiment: `Je suis désolé que ce soit aussi contrariant. ${COLLEAGUE}`,
  },
  rating: {
    ask: "Comment avons-nous été ?",
    scale: "1 est mauvais, 5 est très bien",
    comment: "Quelque chose à ajouter ? (facultatif)",
    send: "Envoyer",
    thanks: "Merci pour votre évaluation.",
    given: "Cette conversation a déjà été évaluée. Merci.",
  },
  takingOver: "Merci de votre patience. J'ai lu toute la conversation et je m'en occupe maintenant.",
  anotherTry: "Un instant, s'il vous plaît : je vérifie ma réponse.",
  stopped:
    "D'accord, je me suis arrêté. Rien de nouveau n'a été fait. Écrivez-moi ici quand vous voudrez continuer.",
  nothingConfirmed:
    "Je ne peux pas le confirmer : aucun remboursement ni retour à votre nom ne figure ici. Voulez-vous que nous regardions une commande ensemble ?",
  confirmed: (ledgerText) => `Voici ce qui est confirmé : ${ledgerText}`,
  signIn:
    "Je ne consulte les commandes et les paiements que pour la personne à qui ils appartiennent. Connectez-vous à la boutique : cette conversation est conservée et je vous répondrai aussitôt.",
  confirmByLink: (minutes) =>
    `Je ne consulte les commandes et les paiements que pour la personne à qui ils appartiennent. Confirmez avec le lien ci-dessous que c'est bien vous ; il fonctionne une seule fois, pendant ${minutes} minutes. Je répondrai ensuite à votre question.`,
  mail: {
    noSubject: (shop) => `Votre message à ${shop}`,
    confirm: "Confirmer que c'est bien moi",
    ask: (address) =>
      `Nous écrivez-vous depuis ${address} ? Confirmez-le, et nous répondrons à votre question par e-mail. Si vous ne nous avez pas écrit, fermez cette page : il ne se passera rien.`,
    confirmed: "Merci. Votre réponse arrive par e-mail dans un instant ; vous pouvez fermer cette page.",
    transcript: {
      subject: (shop) => `Votre conversation avec ${shop}`,
      you: "Vous",
      assistant: "Assistant",
      asking: {
        subject: (shop) => `Votre conversation avec ${shop} : faut-il vous l'envoyer ?`,
        text: (shop) =>
          `Une personne a échangé avec ${shop} sans se connecter et a demandé une copie à cette adresse. Si c'est vous, ouvrez le lien et nous vous l'enverrons. Sinon, ne faites rien : rien ne sera envoyé.`,
        confirm: "M'envoyer la copie",
        page: (address) => `Faut-il envoyer la copie de la conversation à ${address} ?`,
        sent: "La copie est en route. Vous pouvez fermer cette page.",
      },
    },
  },
  standing: {
    "no-clause-permits": "Nos conditions ne le prévoient pas.",
    "evaluation-failed": "Je n'ai pas pu le vérifier dans nos conditions, je ne peux donc pas le faire ici.",
  },
  clauseQuoted: (text, inLanguage) => `Nos conditions précisent (${inLanguage}) : « ${text} »`,
  inLanguage: {
    en: "en anglais",
    es: "en espagnol",
    de: "en allemand",
    fr: "en français",
    pt: "en portugais",
    it: "en italien",
  },
};
