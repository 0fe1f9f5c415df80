import type { LedgerWords, RefundSaid, ReturnSaid } from "../ledger-words.ts";

const refund = ({ amount, order }: RefundSaid) => `remboursement de ${amount} pour la commande ${order}`;
const goods = ({ items, order }: ReturnSaid) => `retour de la commande ${order} (${items})`;
const after = (why: string | null) => (why === null ? "" : ` ${why}`);
const quoted = (note: string | null) => (note === null ? "" : ` Son explication : « ${note} »`);

export const ledger: LedgerWords = {
  language: "fr",
  refund: {
    denied: (it) => `Le ${refund(it)} n'était pas possible selon nos conditions. Rien n'a été versé.`,
    awaitingApproval: (it) =>
      `Votre ${refund(it)} (${it.items}) attend l'accord d'un collègue. Rien n'a encore été versé ; je vous écrirai ici dès que ce sera décidé.`,
    rejected: (it, note) =>
      `Un collègue a examiné votre ${refund(it)} et n'a pas pu l'accepter.${quoted(note)} Rien n'a été versé.`,
    expired: (it) =>
      `Votre ${refund(it)} n'a pas été décidé à temps, la demande est donc terminée. Rien n'a été versé. Si vous le souhaitez toujours, écrivez-moi ici et je recommencerai.`,
    underWay: (it) =>
      `Votre ${refund(it)} est en cours de transmission au prestataire de paiement. Il n'est pas encore confirmé ; je vous écrirai ici dès qu'il le sera.`,
    cancelled: (it, why) =>
      `Votre ${refund(it)} a été annulé avant tout envoi au prestataire de paiement. Rien n'a été versé.${after(why)}`,
    unknown: (it) =>
      `Votre ${refund(it)} est encore en cours de vérification : le prestataire de paiement ne nous a pas encore donné de réponse claire. Il ne peut pas être versé deux fois, et je vous écrirai ici dès que nous le saurons.`,
    needsPerson: (it) =>
      `Votre ${refund(it)} est encore en cours de vérification, désormais par un collègue avec le prestataire de paiement. Il ne peut pas être versé deux fois, et nous vous écrirons ici dès que nous le saurons.`,
    pending: (it) =>
      `Le prestataire de paiement a accepté votre ${refund(it)} et le traite. Il n'est pas encore définitif ; je vous écrirai ici quand il le sera.`,
    succeeded: (it) =>
      `Le prestataire de paiement a confirmé votre ${refund(it)} (${it.items}). L'argent revient par le moyen de paiement que vous avez utilisé et apparaît en général sur votre relevé sous 5 à 10 jours.`,
    failed: (it, why) =>
      `Votre ${refund(it)} n'a pas abouti et rien n'a été versé.${after(why)} Un collègue va s'en occuper.`,
    sentBackByBank: (it) =>
      `Le prestataire de paiement nous a informés que la banque a renvoyé votre ${refund(it)} : l'argent ne vous est donc pas parvenu. Un collègue vous contactera pour trouver une autre solution.`,
  },
  return: {
    denied: (it) => `Le ${goods(it)} n'était pas possible selon nos conditions.`,
    awaitingApproval: (it) =>
      `Votre ${goods(it)} attend l'accord d'un collègue. Je vous écrirai ici dès que ce sera décidé.`,
    rejected: (it, note) =>
      `Un collègue a examiné votre ${goods(it)} et n'a pas pu l'accepter.${quoted(note)}`,
    expired: (it) =>
      `Votre ${goods(it)} n'a pas été décidé à temps, la demande est donc terminée. Écrivez-moi ici si vous le souhaitez toujours.`,
    underWay: (it) =>
      `Votre ${goods(it)} est en cours d'enregistrement. Je vous écrirai ici dès qu'il sera confirmé.`,
    cancelled: (it, why) => `Votre ${goods(it)} a été annulé avant d'être enregistré.${after(why)}`,
    unknown: (it) =>
      `Votre ${goods(it)} est encore en cours de vérification : le système de la boutique ne nous a pas encore donné de réponse claire. Il ne peut pas être enregistré deux fois, et je vous écrirai ici dès que nous le saurons.`,
    pending: (it) => `Votre ${goods(it)} a été accepté et est en cours de traitement.`,
    succeeded: (it, instructions, labelUrl) =>
      `Votre ${goods(it)} est enregistré.${after(instructions)}${labelUrl === null ? "" : ` Votre étiquette de retour : ${labelUrl}`} Le remboursement sera décidé une fois le colis arrivé.`,
    failed: (it, why) =>
      `Votre ${goods(it)} n'a pas pu être enregistré.${after(why)} Un collègue va s'en occuper.`,
  },
  cause: {
    refunded_elsewhere: "La commande a entre-temps été remboursée par un autre moyen.",
    declined: "Le prestataire de paiement l'a refusé.",
    no_longer_permitted: "La commande ou nos conditions ont changé depuis votre demande.",
    customer_cancelled: "C'est ce que vous avez demandé.",
    amount_changed: "Un collègue a approuvé un autre montant à la place.",
    handed_back: "Un collègue l'a examiné et me l'a rendu : dites-moi comment vous souhaitez continuer.",
  },
  partOfAmount: "une partie du montant",
  restOfOrder: "le reste de la commande",
  reasons: {
    Damaged: "abîmé",
    "Not as described": "pas conforme à la description",
    "Too small": "trop petit",
    "Too big": "trop grand",
    "Does not fit": "ne me va pas",
    "Arrived too late": "arrivé trop tard",
    "Changed my mind": "j'ai changé d'avis",
    "No reason given": "non précisé",
  },
  offer: {
    changed: "Quelque chose a changé, voici donc la proposition à jour.",
    refund: ({ amount, order, items, shipping, needsApproval }) =>
      `Je peux vous rembourser ${amount} pour la commande ${order} (${items})${shipping === null ? "" : `, dont ${shipping} de frais de livraison`}. L'argent revient par le moyen de paiement que vous avez utilisé.${needsApproval ? " Un collègue doit d'abord donner son accord. Dois-je lui transmettre la demande ?" : " Dois-je le faire ?"}`,
    return: ({ order, items, reason, needsApproval }) =>
      `Je peux enregistrer un retour pour la commande ${order} : ${items}${reason === null ? "" : ` (motif : ${reason})`}. Vous recevrez des instructions pour le renvoi.${needsApproval ? " Un collègue doit d'abord donner son accord." : ""} Dois-je le faire ?`,
  },
};
