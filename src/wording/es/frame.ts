import type { FrameWords } from "../frame-words.ts";

const COLLEAGUE =
  "Se lo paso a un compañero, que recibe toda la conversación, así que no tiene que repetir nada. Le responderá aquí.";

export const frame: FrameWords = {
  disclosure: (shop) => `Soy el asistente de IA de ${shop}.`,
  hours: {
    open: (until) => `Nuestro equipo atiende hoy hasta las ${until}.`,
    later: (from) => `Nuestro equipo vuelve a atender hoy a partir de las ${from}.`,
    opens: (when) => `Nuestro equipo no está disponible en este momento; vuelve ${when}.`,
    at: (day, time) => `${day} a las ${time}`,
  },
  waiting: "Gracias, queda añadido a la conversación. Un compañero le responderá aquí.",
  handoff: {
    asked_for_person: `Por supuesto. ${COLLEAGUE}`,
    not_understood: `No estoy seguro de entenderlo lo bastante bien como para ayudarle. ${COLLEAGUE}`,
    legal_or_safety: `Esto debe verlo una persona. ${COLLEAGUE}`,
    policy_denied_contested: `Eso no puedo decidirlo yo. ${COLLEAGUE}`,
    complaint: `Lo siento. ${COLLEAGUE}`,
    no_progress: `No consigo avanzar con esto por mi cuenta. ${COLLEAGUE}`,
    step_limit: `No consigo avanzar con esto por mi cuenta. ${COLLEAGUE}`,
    deadline: `Esto está tardando más de lo debido. ${COLLEAGUE}`,
    agent_failed: `Algo ha fallado por mi parte y no se ha hecho nada. ${COLLEAGUE}`,
    outcome_uncertain: COLLEAGUE,
    outside_scope: `Esto queda fuera de lo que puedo hacer. ${COLLEAGUE}`,
    low_confidence: `No estoy lo bastante seguro de mi respuesta como para dársela. ${COLLEAGUE}`,
    provider_unavailable: `Uno de nuestros sistemas no responde y no se ha hecho nada. ${COLLEAGUE}`,
    model_unavailable: `En este momento no puedo responder a esto por mi cuenta y no se ha hecho nada. ${COLLEAGUE}`,
    safety_filter: `No he encontrado palabras para esto que pueda enviarle. ${COLLEAGUE}`,
    negative_sentiment: `Siento que esto le esté resultando tan frustrante. ${COLLEAGUE}`,
  },
  rating: {
    ask: "¿Qué tal lo hemos hecho?",
    scale: "1 es malo, 5 es muy bueno",
    comment: "¿Quiere añadir algo? (opcional)",
    send: "Enviar",
    thanks: "Gracias por su valoración.",
    given: "Esta conversación ya se valoró. Gracias.",
  },
  takingOver: "Gracias por esperar. He leído toda la conversación y me ocupo de ello ahora mismo.",
  anotherTry: "Un momento, por favor: estoy revisando mi respuesta.",
  stopped: "De acuerdo, lo he dejado. No se ha hecho nada nuevo. Escríbame aquí cuando quiera continuar.",
  nothingConfirmed:
    "No puedo confirmarlo: aquí no consta ningún reembolso ni devolución a su nombre. ¿Miramos juntos un pedido?",
  confirmed: (ledgerText) => `Esto es lo que está confirmado: ${ledgerText}`,
  signIn:
    "Solo consulto pedidos y pagos para la persona a la que pertenecen. Inicie sesión en la tienda: esta conversación se conserva y le responderé enseguida.",
  confirmByLink: (minutes) =>
    `Solo consulto pedidos y pagos para la persona a la que pertenecen. Confirme con el enlace de abajo que es usted; sirve una sola vez, durante ${minutes} minutos. Después responderé a su pregunta.`,
  mail: {
    noSubject: (shop) => `Su mensaje a ${shop}`,
    confirm: "Confirmar que soy yo",
    ask: (address) =>
      `¿Nos escribe desde ${address}? Confírmelo y responderemos a su pregunta por correo. Si no nos ha escrito, cierre esta página: no ocurrirá nada.`,
    confirmed: "Gracias. Su respuesta llegará por correo en un momento; puede cerrar esta página.",
    transcript: {
      subject: (shop) => `Su conversación con ${shop}`,
      you: "Usted",
      assistant: "Asistente",
      asking: {
        subject: (shop) => `Su conversación con ${shop}: ¿se la enviamos?`,
        text: (shop) =>
          `Alguien que chateó con ${shop} sin iniciar sesión pidió una copia en esta dirección. Si fue usted, abra el enlace y se la enviaremos. Si no, no haga nada: no se enviará nada.`,
        confirm: "Enviarme la copia",
        page: (address) => `¿Enviamos la copia de la conversación a ${address}?`,
        sent: "La copia está en camino. Puede cerrar esta página.",
      },
    },
  },
  standing: {
    "no-clause-permits": "Nuestras condiciones no lo contemplan.",
    "evaluation-failed": "No he podido comprobarlo con nuestras condiciones, así que no puedo hacerlo aquí.",
  },
  clauseQuoted: (text, inLanguage) => `Nuestras condiciones dicen (${inLanguage}): «${text}»`,
  inLanguage: {
    en: "en inglés",
    es: "en español",
    de: "en alemán",
    fr: "en francés",
    pt: "en portugués",
    it: "en italiano",
  },
};
