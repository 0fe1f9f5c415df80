import type { TalkWords } from "../talk-words.ts";

const ABILITIES =
  "Je peux vous dire où se trouve une commande, préparer un retour ou vous aider pour un remboursement";
const withCarrier = (carrier: string | null) => (carrier === null ? "" : ` avec ${carrier}`);
const started = (order: string | null) => (order === null ? "" : `La commande ${order} `);

export const talk: TalkWords = {
  buttons: {
    whereIsMyOrder: "Où est ma commande ?",
    returnSomething: "Retourner un article",
    getRefund: "Être remboursé",
    person: "Parler à une personne",
    whereIsIt: "Où est-elle ?",
    sendItBack: "Le renvoyer",
    tryAgain: "Réessayer",
    askColleague: "Demander à un collègue",
    thatIsFine: "C'est bon",
    yes: "Oui",
    no: "Non",
    yesPlease: "Oui, s'il vous plaît",
    noThanks: "Non, merci",
    everything: "Tout",
    only: (title) => `Seulement : ${title}`,
    the: (title) => `Pour : ${title}`,
    somethingElse: "Autre chose",
    justOne: "Un seul",
    both: "Les deux",
    all: (count) => `Les ${count}`,
    neverMind: "Laissez tomber",
    lookIntoIt: "Oui, recherchez-le s'il vous plaît",
    foundIt: "Je l'ai trouvé, merci",
    setUpReturn: "Préparer un retour",
    tooSmall: "Trop petit",
    tooBig: "Trop grand",
    notAsDescribed: "Pas conforme à la description",
    damaged: "Abîmé",
    changedMind: "J'ai changé d'avis",
  },
  where: {
    cancelled: (order) => `La commande ${order} a été annulée, rien n'est donc en route.`,
    delivered: (order) => `La commande ${order} a été livrée.`,
    onItsWay: (order) => `La commande ${order} est en route. Je n'ai pas encore d'informations de suivi.`,
    preparing: (order) =>
      `La commande ${order} est confirmée et en préparation. Elle n'a pas encore été remise à un transporteur, il n'y a donc pas encore de numéro de suivi.`,
    inParcels: (order, count) => `La commande ${order} arrive en ${count} colis.`,
    thatParcelHas: (items) => `Ce colis contient : ${items}.`,
    stillPreparing: (items) => `Encore en préparation : ${items}.`,
    parcel: {
      packed: (it, carrier) =>
        `${it === null ? "emballé" : `${started(it)}est emballée`}, en attente d'enlèvement par ${carrier ?? "le transporteur"}.`,
      inTransit: (it, carrier) => `${started(it)}est en route${withCarrier(carrier)}.`,
      outForDelivery: (it, carrier) =>
        `${started(it)}est en cours de livraison${withCarrier(carrier)} et devrait arriver bientôt.`,
      delivered: (it, carrier, day) =>
        `${it === null ? "livré" : `${started(it)}a été livrée`}${day === null ? "" : ` ${day}`}${carrier === null ? "" : ` par ${carrier}`}.`,
      failed: (it, carrier) =>
        `${carrier ?? "Le transporteur"} a essayé de livrer ${it === null ? "le colis" : `la commande ${it}`} sans y parvenir.`,
    },
    howToGetIt: "La page de suivi indique comment obtenir une nouvelle livraison ou où retirer le colis.",
    shouldArrive: (day) => `L'arrivée est prévue ${day}.`,
    late: (day) => `L'arrivée était prévue ${day}, il y a donc du retard. J'en suis désolé.`,
    lastUpdate: (day, what, where) =>
      `Dernière mise à jour ${day} : ${what}${where === null ? "" : `, ${where}`}.`,
    tracking: (number, url) =>
      number === null ? `Suivi : ${url}` : `Numéro de suivi : ${number}${url === null ? "" : ` (${url})`}.`,
  },

  greeting: (name) => `Bonjour${name === null ? "" : ` ${name}`}, comment puis-je vous aider ?`,
  welcome: "Je vous en prie. Puis-je faire autre chose pour vous ?",
  bye: "Prenez soin de vous, et écrivez quand vous voulez.",
  identity: (shop) =>
    `Je suis l'assistant automatique de ${shop}. ${ABILITIES}, et je peux faire appel à une personne.`,
  help: `Bien sûr. ${ABILITIES}. Que souhaitez-vous ?`,
  noFurther: "Très bien. Je suis là si vous avez besoin de quelque chose.",
  whatNext: `Bien. ${ABILITIES}. Que souhaitez-vous faire ?`,
  leftAlone: {
    nothing: "D'accord, je m'arrête là. Rien n'a été modifié.",
    refund: "D'accord, je laisse le remboursement. Rien n'a été modifié.",
    return: "D'accord, je laisse le retour. Rien n'a été modifié.",
  },
  whatAboutOrder: (order) => `Que souhaitez-vous pour la commande ${order} ?`,
  notUnderstood: `Je ne suis pas certain d'avoir compris. ${ABILITIES}. Que souhaitez-vous ?`,
  whatHelps:
    "J'en suis désolé. Souhaitez-vous le renvoyer, ou préférez-vous un remboursement ? Un collègue peut aussi s'en occuper.",
  complaint:
    "Je suis désolé, cela n'aurait pas dû se passer ainsi. Qu'est-ce qui vous aiderait le plus maintenant ?",
  sorry: "Je suis désolé pour ce désagrément.",
  ordersUnreachable:
    "Je n'arrive pas à joindre notre système de commandes pour le moment. Rien n'a été modifié. Réessayez dans quelques minutes, ou je peux transmettre votre demande à un collègue.",

  toldWhenConfirmed: "Je vous écrirai ici dès que le résultat sera confirmé.",
  contestHint: "Si vous n'êtes pas d'accord, je peux demander à un collègue de regarder.",
  orderBusy:
    "Une autre demande pour cette commande est en cours de traitement. Patientez un instant, puis écrivez-moi de nouveau.",
  alreadyRequested: {
    refund: "Il y a déjà une demande pour ces articles, je ne peux donc pas ajouter un second remboursement.",
    return: "Il y a déjà une demande pour ces articles, je ne peux donc pas ajouter un second retour.",
  },
  systemUnreachable: {
    refund:
      "Je n'arrive pas à joindre l'un de nos systèmes pour le moment, rien n'a donc encore été fait pour votre remboursement. Réessayez dans quelques minutes, ou je peux transmettre votre demande à un collègue.",
    return:
      "Je n'arrive pas à joindre l'un de nos systèmes pour le moment, rien n'a donc encore été fait pour votre retour. Réessayez dans quelques minutes, ou je peux transmettre votre demande à un collègue.",
  },
  orderGone:
    "Je ne trouve plus cette commande dans votre compte, rien n'a donc été fait. Pourriez-vous vérifier le numéro de commande ?",
  orderChanged: {
    refund:
      "La commande a changé depuis que je l'ai consultée, je n'ai donc pas poursuivi le remboursement. Dois-je regarder de nouveau et vous dire ce qui est possible maintenant ?",
    return:
      "La commande a changé depuis que je l'ai consultée, je n'ai donc pas poursuivi le retour. Dois-je regarder de nouveau et vous dire ce qui est possible maintenant ?",
  },

  noOrders:
    "Je ne vois aucune commande dans votre compte. Si vous avez commandé avec une autre adresse e-mail ou sans compte, un collègue peut la rechercher.",
  notFound: (order) => `Je ne trouve pas de commande ${order} dans votre compte.`,
  whichOrderAgain: "Désolé, je n'ai pas compris de quelle commande il s'agit.",
  noOtherOrders:
    "Je n'y vois pas non plus d'autres commandes. Si elle a été passée avec une autre adresse e-mail, un collègue peut la rechercher.",
  thisOne: "Est-ce celle-ci ?",
  whichOrder: "De quelle commande s'agit-il ?",
  olderOne: "S'il s'agit d'une commande plus ancienne, indiquez-moi son numéro.",
  orderLine: (order, day, items, total) => `• ${order}, passée ${day} : ${items} (${total})`,

  item: "article",
  everything: "tout",
  andMore: (items, count) => `${items} et ${count} de plus`,
  orderHas: (order) => `La commande ${order} contient :`,
  refundAllOrSome: (amount, withShipping) =>
    `Le remboursement concerne-t-il tout (${amount}${withShipping ? " avec la livraison" : ""}), ou seulement une partie ?`,
  returnAllOrSome: "Souhaitez-vous tout renvoyer, ou seulement une partie ?",
  onlySoMany: {
    refund: (_, what, order) => `Dans ${order}, il reste ${what} pour un remboursement.`,
    return: (_, what, order) => `Dans ${order}, il reste ${what} à renvoyer.`,
  },
  takeThatOne: "Dois-je prendre celui-là ?",
  oneOrBoth: (what) => `Est-ce pour un seul${what === null ? "" : ` (${what})`} ou pour les deux ?`,
  howMany: (what) => `Combien d'articles${what === null ? "" : ` (${what})`} sont concernés ?`,
  whichOne: (names) => `Lequel voulez-vous dire : ${names} ?`,
  notCaught: "Désolé, je n'ai pas compris.",

  backTo: { refund: "Pour revenir au remboursement :", return: "Pour revenir au retour :" },
  backQuestion: {
    order: "de quelle commande s'agit-il ?",
    items: "est-ce pour tout, ou seulement une partie ?",
    quantity: "combien d'articles sont concernés ?",
    reason: "quel est le motif ?",
    amount: "à quoi correspond le montant ?",
    other: "dois-je continuer ?",
  },
  thanksForUnderstanding: "Merci de votre compréhension. Puis-je faire autre chose ?",
  goodToHear: "Tant mieux. Puis-je faire autre chose ?",
  onlyBackTheWay: {
    refund:
      "Je ne peux renvoyer un remboursement que par le moyen de paiement que vous avez utilisé. Pour le reste, il faut un collègue. Dois-je continuer comme indiqué, ou faire appel à quelqu'un ?",
    return:
      "Pour cette partie, il faut un collègue. Dois-je continuer le retour comme indiqué, ou faire appel à quelqu'un ?",
  },
  wroteMore: {
    refund:
      "Je vois que vous avez écrit autre chose ensuite, je n'ai donc pas poursuivi le remboursement. Laissez-moi d'abord le lire.",
    return:
      "Je vois que vous avez écrit autre chose ensuite, je n'ai donc pas poursuivi le retour. Laissez-moi d'abord le lire.",
  },
  comeBack: { refund: "Dois-je revenir au remboursement ?", return: "Dois-je revenir au retour ?" },
  notStarted:
    "Le remboursement n'a pas encore commencé. Une fois qu'il est confirmé, je vous l'écris ici ; votre banque peut ensuite mettre quelques jours à l'afficher.",
  prepareNow: {
    refund:
      "Pour le remboursement : dois-je le préparer maintenant ? Vous verrez les détails avant que quoi que ce soit ne se passe.",
    return:
      "Pour le retour : dois-je le préparer maintenant ? Vous verrez les détails avant que quoi que ce soit ne se passe.",
  },
  restNeedsColleague:
    "Pour le reste de votre demande, il faut un collègue. Dois-je faire appel à quelqu'un ?",

  policySays: (inLanguage) =>
    `Voici ce que disent nos conditions${inLanguage === null ? "" : ` (${inLanguage})`} :`,
  onlyHaveIt: (inLanguage) => `Je n'ai ceci qu'${inLanguage} :`,
  noPolicyAtHand: "Je n'ai pas les conditions sous la main. Un collègue peut vous dire ce qui s'applique.",

  noSuchOrder: {
    refund: (order) =>
      `Je ne trouve pas de commande ${order} dans votre compte, ni donc de remboursement correspondant. Pourriez-vous vérifier le numéro ?`,
    return: (order) =>
      `Je ne trouve pas de commande ${order} dans votre compte, ni donc de retour correspondant. Pourriez-vous vérifier le numéro ?`,
  },
  noOrdersNoRefund:
    "Je ne vois aucune commande dans votre compte, il n'y a donc pas non plus de remboursement.",
  noRefundNothingLeft: (order) =>
    `Je ne vois aucun remboursement pour la commande ${order}, et il n'y reste rien à rembourser.`,
  noRefundSoFar: (order) =>
    `Je ne vois aucun remboursement${order === null ? "" : ` pour la commande ${order}`} pour l'instant. Voulez-vous que j'en commence un ?`,
  providerConfirms: (order, amount) =>
    `Commande ${order} : selon le prestataire de paiement, ${amount} sont repartis vers vous. Votre banque peut mettre quelques jours à l'afficher.`,
  refundUnderWay: (order, amount) => `Commande ${order} : un remboursement de ${amount} est encore en cours.`,
  returnStates: {
    open: "dans l'attente de votre colis",
    in_transit: "en chemin vers nous",
    received: "chez nous",
    closed: "clos",
    cancelled: "abandonné",
    other: "en cours",
  },
  noReturn: (order) =>
    `Je ne vois aucun retour${order === null ? "" : ` pour la commande ${order}`}. Si vous avez déjà renvoyé quelque chose, un collègue peut rechercher le colis ; sinon, je peux préparer un retour.`,
  yourReturns: (count) => `Voici ce que je vois de ${count === 1 ? "votre retour" : "vos retours"} :`,

  sorryNotThereYet: "Je suis désolé que vous ne l'ayez pas encore.",
  latestOrders: "Voici vos dernières commandes :",
  whichCanIHelpWith: "Pour laquelle puis-je vous aider ?",
  alsoOnTheWay: (orders, andMore) => `Également en route : ${orders}${andMore ? " et d'autres" : ""}.`,
  noneOnTheWay: "Aucune de vos commandes n'est en route en ce moment. Pour la dernière :",
  saysDelivered: (record) =>
    `Je suis désolé que vous ne l'ayez pas. Le suivi du transporteur dit autre chose : ${record} Le colis est peut-être chez un voisin ou dans un endroit sûr. Si vous avez déjà cherché, un collègue peut s'adresser au transporteur. Dois-je lui transmettre ?`,

  priceOrWanted: (order, items, price, wanted) =>
    `Dans la commande ${order}, le prix est de ${price} (${items}). Le remboursement doit-il être de ${price}, ou de ${wanted} ?`,
  whatIsItFor: (wanted, order) =>
    `À quoi correspondent les ${wanted} de la commande ${order} ? Si c'est pour un article, dites-moi lequel ; sinon, un bref motif suffit.`,
  atMost: (order, most, wanted) =>
    `Pour la commande ${order}, le remboursement peut être de ${most} au maximum, ${wanted} n'est donc pas possible.`,
  nothingPaid: (order) =>
    `Rien n'a été payé pour cette partie de la commande ${order}, il n'y a donc pas d'argent à rendre. Si vous le souhaitez, un collègue peut regarder.`,
  onlyLeft: (order, items, price, left) =>
    `Dans la commande ${order}, le prix est de ${price} (${items}), mais il ne reste que ${left} à rembourser. Est-ce que je prends ces ${left} ?`,
  lineSpent: (title, order) => `Pour « ${title} », dans la commande ${order}, il ne reste rien à rembourser.`,
  underWayNothingLeft: (order, amount) =>
    `Commande ${order} : un remboursement de ${amount} est encore en cours, il ne reste donc rien à rembourser.`,
  confirmedNothingLeft: (order, amount) =>
    `Commande ${order} : selon le prestataire de paiement, ${amount} sont repartis vers vous, il ne reste donc rien à rembourser.`,
  noPayment: (order) =>
    `Je ne vois pas de paiement à rendre pour la commande ${order}. Si vous le souhaitez, un collègue peut regarder.`,

  whatReason: (what) => `Je vous aide volontiers à renvoyer : ${what}. Quel est le motif ?`,
  wholeOrder: (order) => `la commande ${order}`,
  lineCannotGoBack: (title) => `« ${title} » ne peut pas être renvoyé (une nouvelle fois).`,
  cancelledNothingToSend: (order) => `La commande ${order} a été annulée, il n'y a donc rien à renvoyer.`,
  nothingToSend: (order) =>
    `Il ne reste rien à renvoyer dans la commande ${order}. Si vous pensez que c'est une erreur, un collègue peut regarder.`,
  notShippedNothingToSend: (order) =>
    `La commande ${order} n'a pas encore été expédiée, il n'y a donc rien à renvoyer pour l'instant. Un collègue peut voir si elle peut encore être arrêtée.`,
  onceItIsThere: "Une fois que vous l'aurez, je pourrai préparer le retour.",
};
