import type { FrameWords } from "../frame-words.ts";

const COLLEAGUE =
  "Vou passar isto a um colega, que recebe toda a conversa, por isso não precisa de repetir nada. A resposta chega aqui.";

export const frame: FrameWords = {
  disclosure: (shop) => `Sou o assistente de IA da ${shop}.`,
  hours: {
    open: (until) => `A nossa equipa está disponível hoje até às ${until}.`,
    later: (from) => `A nossa equipa volta a estar disponível hoje a partir das ${from}.`,
    opens: (when) => `A nossa equipa não está disponível neste momento; volta ${when}.`,
    at: (day, time) => `${day} às ${time}`,
  },
  waiting: "Obrigado, ficou registado na conversa. Um colega responde-lhe aqui.",
  handoff: {
    asked_for_person: `Com certeza. ${COLLEAGUE}`,
    not_understood: `Não tenho a certeza de compreender isto o suficiente para ajudar. ${COLLEAGUE}`,
    legal_or_safety: `Isto deve ser visto por uma pessoa. ${COLLEAGUE}`,
    policy_denied_contested: `Isso não posso decidir eu. ${COLLEAGUE}`,
    complaint: `Lamento. ${COLLEAGUE}`,
    no_progress: `Não consigo avançar mais nisto sozinho. ${COLLEAGUE}`,
    step_limit: `Não consigo avançar mais nisto sozinho. ${COLLEAGUE}`,
    deadline: `Isto está a demorar mais do que devia. ${COLLEAGUE}`,
    agent_failed: `Algo correu mal do meu lado e não foi feito nada. ${COLLEAGUE}`,
    outcome_uncertain: COLLEAGUE,
    outside_scope: `Isto está fora do que posso fazer. ${COLLEAGUE}`,
    low_confidence: `Não tenho certeza suficiente da minha resposta para a dar. ${COLLEAGUE}`,
    provider_unavailable: `Um dos nossos sistemas não responde e nada foi feito. ${COLLEAGUE}`,
    model_unavailable: `De momento não consigo responder a isto sozinho, e não foi feito nada. ${COLLEAGUE}`,
    safety_filter: `Não encontrei palavras para isto que lhe possa enviar. ${COLLEAGUE}`,
    negative_sentiment: `Lamento que isto esteja a ser tão frustrante. ${COLLEAGUE}`,
  },
  rating: {
    ask: "Como nos saímos?",
    scale: "1 é mau, 5 é muito bom",
    comment: "Quer acrescentar algo? (opcional)",
    send: "Enviar",
    thanks: "Obrigado pela sua avaliação.",
    given: "Esta conversa já foi avaliada. Obrigado.",
  },
  takingOver: "Obrigado por esperar. Li toda a conversa e vou tratar do assunto agora.",
  anotherTry: "Um momento, por favor: estou a verificar a minha resposta.",
  stopped: "Está bem, parei. Não foi feito nada de novo. Escreva aqui quando quiser continuar.",
  nothingConfirmed:
    "Não posso confirmar isso: não há aqui nenhum reembolso nem devolução em seu nome. Vemos uma encomenda em conjunto?",
  confirmed: (ledgerText) => `Eis o que está confirmado: ${ledgerText}`,
  signIn:
    "Só consulto encomendas e pagamentos para a pessoa a quem pertencem. Inicie sessão na loja: esta conversa mantém-se e respondo-lhe de imediato.",
  confirmByLink: (minutes) =>
    `Só consulto encomendas e pagamentos para a pessoa a quem pertencem. Confirme com a ligação abaixo que é o próprio; funciona uma única vez, durante ${minutes} minutos. Depois respondo à sua pergunta.`,
  mail: {
    noSubject: (shop) => `A sua mensagem para ${shop}`,
    confirm: "Confirmar que sou eu",
    ask: (address) =>
      `Escreve-nos de ${address}? Confirme, e respondemos à sua pergunta por e-mail. Se não nos escreveu, feche esta página: nada acontece.`,
    confirmed: "Obrigado. A sua resposta chega por e-mail dentro de momentos; pode fechar esta página.",
    transcript: {
      subject: (shop) => `A sua conversa com ${shop}`,
      you: "Você",
      assistant: "Assistente",
      asking: {
        subject: (shop) => `A sua conversa com ${shop}: enviamos-lha?`,
        text: (shop) =>
          `Alguém que conversou com ${shop} sem iniciar sessão pediu uma cópia para este endereço. Se foi você, abra a ligação e enviamos-lha. Se não foi, não faça nada: nada será enviado.`,
        confirm: "Enviar-me a cópia",
        page: (address) => `Enviamos a cópia da conversa para ${address}?`,
        sent: "A cópia vai a caminho. Pode fechar esta página.",
      },
    },
  },
  standing: {
    "no-clause-permits": "As nossas condições não o preveem.",
    "evaluation-failed":
      "Não consegui confirmar isto com as nossas condições, por isso não o posso fazer aqui.",
  },
  clauseQuoted: (text, inLanguage) => `As nossas condições dizem (${inLanguage}): «${text}»`,
  inLanguage: {
    en: "em inglês",
    es: "em espanhol",
    de: "em alemão",
    fr: "em francês",
    pt: "em português",
    it: "em italiano",
  },
};
