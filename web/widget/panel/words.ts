/** What the panel itself says, in the languages of the fixed workflows. What the agent says comes from the server. */
export interface Words {
  readonly title: string;
  readonly intro: string;
  readonly placeholder: string;
  readonly send: string;
  readonly close: string;
  readonly log: string;
  readonly you: string;
  readonly agent: string;
  readonly person: string;
  readonly typing: string;
  readonly sending: string;
  readonly notSent: string;
  readonly retry: string;
  readonly remove: string;
  readonly offline: string;
  readonly slow: (seconds: number) => string;
  readonly loading: string;
  readonly failed: string;
  readonly joined: string;
  readonly ended: string;
  readonly startOver: string;
  readonly unread: (n: number) => string;
  readonly newest: string;
  readonly rate: string;
  readonly rated: string;
  readonly stars: (n: number) => string;
  readonly comment: string;
  readonly sendRating: string;
  readonly order: (number: string) => string;
  readonly track: string;
  readonly arrives: (date: string) => string;
  readonly arrived: (date: string) => string;
  readonly source: string;
  readonly since: (date: string) => string;
  readonly tooLong: (max: number) => string;
  readonly refund: string;
  readonly return: string;
  readonly steps: {
    readonly asked: string;
    readonly person: string;
    readonly sent: string;
    readonly confirmed: string;
  };
  readonly checking: string;
  readonly states: Readonly<Record<string, string>>;
}

const en: Words = {
  title: "Chat with us",
  intro:
    "Ask about an order, a refund or a return. An AI assistant answers; a person joins when one is needed.",
  placeholder: "Write a message",
  send: "Send",
  close: "Close chat",
  log: "Conversation",
  you: "You",
  agent: "AI assistant",
  person: "Support team",
  typing: "The assistant is writing",
  sending: "Sending …",
  notSent: "Not sent.",
  retry: "Try again",
  remove: "Remove",
  offline: "You are offline. Messages are kept here and sent once you are back.",
  slow: (seconds) => `That was fast. The next message goes out in ${seconds} s.`,
  loading: "Loading the conversation",
  failed: "The chat cannot be reached.",
  joined: "A person has this conversation now.",
  ended: "This conversation has ended.",
  startOver: "Start a new one",
  unread: (n) => `${n} new ${n === 1 ? "message" : "messages"}`,
  newest: "To the newest message",
  rate: "How did we do?",
  rated: "Thank you for your rating.",
  stars: (n) => `${n} of 5`,
  comment: "Anything to add? (optional)",
  sendRating: "Send rating",
  order: (number) => `Order #${number}`,
  track: "Track the parcel",
  arrives: (date) => `Expected ${date}`,
  arrived: (date) => `Delivered ${date}`,
  source: "Source",
  since: (date) => `in force since ${date}`,
  tooLong: (max) => `A message has at most ${max} characters.`,
  refund: "Refund",
  return: "Return",
  steps: { asked: "Asked", person: "With a person", sent: "Sent", confirmed: "Confirmed" },
  checking: "Being checked",
  states: {
    in_transit: "On its way",
    delivered: "Delivered",
    unfulfilled: "Being prepared",
    partly_fulfilled: "Partly sent",
    cancelled: "Cancelled",
    failed: "Did not go through",
    rejected: "Declined",
    denied: "Not possible",
    expired: "Expired",
  },
};

const es: Words = {
  title: "Chatee con nosotros",
  intro:
    "Pregunte por un pedido, un reembolso o una devolución. Responde un asistente de IA; una persona interviene cuando hace falta.",
  placeholder: "Escriba un mensaje",
  send: "Enviar",
  close: "Cerrar el chat",
  log: "Conversación",
  you: "Usted",
  agent: "Asistente de IA",
  person: "Equipo de atención",
  typing: "El asistente está escribiendo",
  sending: "Enviando …",
  notSent: "No enviado.",
  retry: "Reintentar",
  remove: "Quitar",
  offline: "No tiene conexión. Los mensajes se guardan aquí y se envían en cuanto vuelva.",
  slow: (seconds) => `Ha ido muy rápido. El siguiente mensaje sale en ${seconds} s.`,
  loading: "Cargando la conversación",
  failed: "No se puede acceder al chat.",
  joined: "Una persona atiende ahora esta conversación.",
  ended: "Esta conversación ha terminado.",
  startOver: "Empezar otra",
  unread: (n) => `${n} ${n === 1 ? "mensaje nuevo" : "mensajes nuevos"}`,
  newest: "Ir al último mensaje",
  rate: "¿Qué tal lo hemos hecho?",
  rated: "Gracias por su valoración.",
  stars: (n) => `${n} de 5`,
  comment: "¿Quiere añadir algo? (opcional)",
  sendRating: "Enviar valoración",
  order: (number) => `Pedido n.º ${number}`,
  track: "Seguir el paquete",
  arrives: (date) => `Previsto para el ${date}`,
  arrived: (date) => `Entregado el ${date}`,
  source: "Fuente",
  since: (date) => `en vigor desde el ${date}`,
  tooLong: (max) => `Un mensaje tiene como máximo ${max} caracteres.`,
  refund: "Reembolso",
  return: "Devolución",
  steps: { asked: "Solicitado", person: "Con una persona", sent: "Enviado", confirmed: "Confirmado" },
  checking: "En comprobación",
  states: {
    in_transit: "En camino",
    delivered: "Entregado",
    unfulfilled: "En preparación",
    partly_fulfilled: "Enviado en parte",
    cancelled: "Cancelado",
    failed: "No se ha realizado",
    rejected: "Rechazado",
    denied: "No es posible",
    expired: "Caducado",
  },
};

const de: Words = {
  title: "Chatten Sie mit uns",
  intro:
    "Fragen Sie nach einer Bestellung, Erstattung oder Rücksendung. Ein KI-Assistent antwortet; wenn nötig, übernimmt ein Mensch.",
  placeholder: "Nachricht schreiben",
  send: "Senden",
  close: "Chat schließen",
  log: "Gespräch",
  you: "Sie",
  agent: "KI-Assistent",
  person: "Kundendienst",
  typing: "Der Assistent schreibt",
  sending: "Wird gesendet …",
  notSent: "Nicht gesendet.",
  retry: "Noch einmal",
  remove: "Entfernen",
  offline: "Sie sind offline. Nachrichten bleiben hier und gehen hinaus, sobald Sie wieder verbunden sind.",
  slow: (seconds) => `Das war schnell. Die nächste Nachricht geht in ${seconds} s hinaus.`,
  loading: "Das Gespräch wird geladen",
  failed: "Der Chat ist nicht erreichbar.",
  joined: "Ein Mensch hat dieses Gespräch übernommen.",
  ended: "Dieses Gespräch ist beendet.",
  startOver: "Neues beginnen",
  unread: (n) => `${n} neue ${n === 1 ? "Nachricht" : "Nachrichten"}`,
  newest: "Zur neuesten Nachricht",
  rate: "Wie waren wir?",
  rated: "Danke für Ihre Bewertung.",
  stars: (n) => `${n} von 5`,
  comment: "Möchten Sie etwas ergänzen? (freiwillig)",
  sendRating: "Bewertung senden",
  order: (number) => `Bestellung #${number}`,
  track: "Paket verfolgen",
  arrives: (date) => `Erwartet am ${date}`,
  arrived: (date) => `Zugestellt am ${date}`,
  source: "Quelle",
  since: (date) => `gültig seit ${date}`,
  tooLong: (max) => `Eine Nachricht hat höchstens ${max} Zeichen.`,
  refund: "Erstattung",
  return: "Rücksendung",
  steps: { asked: "Angefragt", person: "Bei einem Menschen", sent: "Gesendet", confirmed: "Bestätigt" },
  checking: "Wird geprüft",
  states: {
    in_transit: "Unterwegs",
    delivered: "Zugestellt",
    unfulfilled: "In Vorbereitung",
    partly_fulfilled: "Teilweise versandt",
    cancelled: "Storniert",
    failed: "Nicht ausgeführt",
    rejected: "Abgelehnt",
    denied: "Nicht möglich",
    expired: "Abgelaufen",
  },
};

const fr: Words = {
  title: "Discutez avec nous",
  intro:
    "Posez une question sur une commande, un remboursement ou un retour. Un assistant IA répond ; une personne intervient si besoin.",
  placeholder: "Écrivez un message",
  send: "Envoyer",
  close: "Fermer le chat",
  log: "Conversation",
  you: "Vous",
  agent: "Assistant IA",
  person: "Service client",
  typing: "L'assistant écrit",
  sending: "Envoi …",
  notSent: "Non envoyé.",
  retry: "Réessayer",
  remove: "Retirer",
  offline: "Vous êtes hors ligne. Les messages sont gardés ici et partent dès votre retour.",
  slow: (seconds) => `C'était rapide. Le prochain message part dans ${seconds} s.`,
  loading: "Chargement de la conversation",
  failed: "Le chat est injoignable.",
  joined: "Une personne s'occupe maintenant de cette conversation.",
  ended: "Cette conversation est terminée.",
  startOver: "En commencer une autre",
  unread: (n) => `${n} ${n === 1 ? "nouveau message" : "nouveaux messages"}`,
  newest: "Vers le dernier message",
  rate: "Comment avons-nous fait ?",
  rated: "Merci pour votre note.",
  stars: (n) => `${n} sur 5`,
  comment: "Un mot à ajouter ? (facultatif)",
  sendRating: "Envoyer la note",
  order: (number) => `Commande n° ${number}`,
  track: "Suivre le colis",
  arrives: (date) => `Prévu le ${date}`,
  arrived: (date) => `Livré le ${date}`,
  source: "Source",
  since: (date) => `en vigueur depuis le ${date}`,
  tooLong: (max) => `Un message compte au plus ${max} caractères.`,
  refund: "Remboursement",
  return: "Retour",
  steps: { asked: "Demandé", person: "Chez une personne", sent: "Envoyé", confirmed: "Confirmé" },
  checking: "En vérification",
  states: {
    in_transit: "En route",
    delivered: "Livré",
    unfulfilled: "En préparation",
    partly_fulfilled: "Expédié en partie",
    cancelled: "Annulé",
    failed: "Non effectué",
    rejected: "Refusé",
    denied: "Pas possible",
    expired: "Expiré",
  },
};

const pt: Words = {
  title: "Fale connosco",
  intro:
    "Pergunte por uma encomenda, um reembolso ou uma devolução. Responde um assistente de IA; uma pessoa entra quando é preciso.",
  placeholder: "Escreva uma mensagem",
  send: "Enviar",
  close: "Fechar o chat",
  log: "Conversa",
  you: "Você",
  agent: "Assistente de IA",
  person: "Equipa de apoio",
  typing: "O assistente está a escrever",
  sending: "A enviar …",
  notSent: "Não enviada.",
  retry: "Tentar de novo",
  remove: "Remover",
  offline: "Está sem ligação. As mensagens ficam guardadas aqui e seguem assim que voltar.",
  slow: (seconds) => `Foi rápido. A próxima mensagem segue dentro de ${seconds} s.`,
  loading: "A carregar a conversa",
  failed: "Não é possível aceder ao chat.",
  joined: "Uma pessoa tem agora esta conversa.",
  ended: "Esta conversa terminou.",
  startOver: "Começar outra",
  unread: (n) => `${n} ${n === 1 ? "mensagem nova" : "mensagens novas"}`,
  newest: "Para a última mensagem",
  rate: "Como estivemos?",
  rated: "Obrigado pela avaliação.",
  stars: (n) => `${n} de 5`,
  comment: "Quer acrescentar algo? (opcional)",
  sendRating: "Enviar avaliação",
  order: (number) => `Encomenda n.º ${number}`,
  track: "Seguir a encomenda",
  arrives: (date) => `Prevista para ${date}`,
  arrived: (date) => `Entregue em ${date}`,
  source: "Fonte",
  since: (date) => `em vigor desde ${date}`,
  tooLong: (max) => `Uma mensagem tem no máximo ${max} caracteres.`,
  refund: "Reembolso",
  return: "Devolução",
  steps: { asked: "Pedido", person: "Com uma pessoa", sent: "Enviado", confirmed: "Confirmado" },
  checking: "Em verificação",
  states: {
    in_transit: "A caminho",
    delivered: "Entregue",
    unfulfilled: "Em preparação",
    partly_fulfilled: "Enviada em parte",
    cancelled: "Cancelado",
    failed: "Não foi feito",
    rejected: "Recusado",
    denied: "Não é possível",
    expired: "Expirado",
  },
};

const it: Words = {
  title: "Chatti con noi",
  intro:
    "Chieda di un ordine, un rimborso o un reso. Risponde un assistente IA; quando serve interviene una persona.",
  placeholder: "Scriva un messaggio",
  send: "Invia",
  close: "Chiudi la chat",
  log: "Conversazione",
  you: "Lei",
  agent: "Assistente IA",
  person: "Servizio clienti",
  typing: "L'assistente sta scrivendo",
  sending: "Invio in corso …",
  notSent: "Non inviato.",
  retry: "Riprova",
  remove: "Rimuovi",
  offline: "È offline. I messaggi restano qui e partono appena torna online.",
  slow: (seconds) => `È stato veloce. Il prossimo messaggio parte tra ${seconds} s.`,
  loading: "Caricamento della conversazione",
  failed: "La chat non è raggiungibile.",
  joined: "Ora una persona segue questa conversazione.",
  ended: "Questa conversazione è terminata.",
  startOver: "Iniziane un'altra",
  unread: (n) => `${n} ${n === 1 ? "nuovo messaggio" : "nuovi messaggi"}`,
  newest: "All'ultimo messaggio",
  rate: "Come siamo andati?",
  rated: "Grazie per la valutazione.",
  stars: (n) => `${n} su 5`,
  comment: "Vuole aggiungere qualcosa? (facoltativo)",
  sendRating: "Invia valutazione",
  order: (number) => `Ordine n. ${number}`,
  track: "Segui il pacco",
  arrives: (date) => `Previsto per il ${date}`,
  arrived: (date) => `Consegnato il ${date}`,
  source: "Fonte",
  since: (date) => `in vigore dal ${date}`,
  tooLong: (max) => `Un messaggio ha al massimo ${max} caratteri.`,
  refund: "Rimborso",
  return: "Reso",
  steps: { asked: "Richiesto", person: "A una persona", sent: "Inviato", confirmed: "Confermato" },
  checking: "In verifica",
  states: {
    in_transit: "In viaggio",
    delivered: "Consegnato",
    unfulfilled: "In preparazione",
    partly_fulfilled: "Spedito in parte",
    cancelled: "Annullato",
    failed: "Non eseguito",
    rejected: "Rifiutato",
    denied: "Non possibile",
    expired: "Scaduto",
  },
};

const ALL: Readonly<Record<string, Words>> = { en, es, de, fr, pt, it };

/** By the first part of a language tag; English where there is none. */
export const wordsIn = (language: string): Words => ALL[language.toLowerCase().split("-")[0] ?? ""] ?? en;
