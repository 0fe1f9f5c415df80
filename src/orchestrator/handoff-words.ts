/**
 * What code says around a handoff and at the start of a conversation, in each language: that an AI writes,
 * when people are there, and that somebody who waits has been heard. Pure.
 */
import { dateIn } from "../kernel/calendar.ts";
import type { Language } from "../kernel/language.ts";
import { LIMITS } from "../kernel/limits.ts";
import { openingAt } from "../kernel/opening-hours.ts";
import type { TenantFacts } from "../tools/tool.ts";
import type { Answer, ConversationState } from "./view.ts";

const DISCLOSURE: Readonly<Record<Language, (shop: string) => string>> = {
  en: (shop) => `I'm the AI assistant of ${shop}.`,
  es: (shop) => `Soy el asistente de IA de ${shop}.`,
  de: (shop) => `Ich bin der KI-Assistent von ${shop}.`,
  fr: (shop) => `Je suis l'assistant IA de ${shop}.`,
  pt: (shop) => `Sou o assistente de IA da ${shop}.`,
  it: (shop) => `Sono l'assistente IA di ${shop}.`,
};

/** The first words of a conversation, or null where the merchant says it elsewhere. */
export const disclosure = (tenant: TenantFacts, language: Language): string | null =>
  tenant.aiDisclosure === false ? null : DISCLOSURE[language](tenant.name);

/** The answers as they are kept: the first message of a conversation says first that an AI writes. */
export function disclosed(
  answers: readonly Answer[],
  state: ConversationState,
  tenant: TenantFacts,
  language: Language,
): readonly Answer[] {
  const words = disclosure(tenant, language);
  const hasSpoken =
    state.messages.length >= LIMITS.transcriptEntries ||
    state.messages.some(({ author }) => author === "agent");
  if (words === null || hasSpoken) return answers;
  let isSaid = false;
  return answers.map((answer) => ({
    ...answer,
    events: answer.events.map((event) => {
      if (isSaid || event.type !== "message") return event;
      isSaid = true;
      return { ...event, payload: { ...event.payload, text: `${words} ${String(event.payload.text)}` } };
    }),
  }));
}

interface HoursWords {
  readonly open: (until: string) => string;
  readonly later: (from: string) => string;
  readonly opens: (when: string) => string;
  readonly today: string;
  readonly tomorrow: string;
  readonly at: string;
  readonly on: (date: string) => string;
  readonly waiting: string;
  readonly locale: string;
}

const HOURS: Readonly<Record<Language, HoursWords>> = {
  en: {
    open: (until) => `Our team is here today until ${until}.`,
    later: (from) => `Our team is here again today from ${from}.`,
    opens: (when) => `Our team is not here right now; it is back ${when}.`,
    today: "today",
    tomorrow: "tomorrow",
    at: "at",
    on: (date) => `on ${date}`,
    waiting: "Thank you, that is added to the conversation. A colleague will answer you here.",
    locale: "en-GB",
  },
  es: {
    open: (until) => `Nuestro equipo atiende hoy hasta las ${until}.`,
    later: (from) => `Nuestro equipo vuelve a atender hoy a partir de las ${from}.`,
    opens: (when) => `Nuestro equipo no está disponible en este momento; vuelve ${when}.`,
    today: "hoy",
    tomorrow: "mañana",
    at: "a las",
    on: (date) => `el ${date}`,
    waiting: "Gracias, queda añadido a la conversación. Un compañero le responderá aquí.",
    locale: "es",
  },
  de: {
    open: (until) => `Unser Team ist heute bis ${until} Uhr da.`,
    later: (from) => `Unser Team ist heute ab ${from} Uhr wieder da.`,
    opens: (when) => `Unser Team ist gerade nicht da; es ist ${when} Uhr wieder erreichbar.`,
    today: "heute",
    tomorrow: "morgen",
    at: "ab",
    on: (date) => `am ${date}`,
    waiting: "Danke, das ist im Gespräch festgehalten. Ein Kollege antwortet Ihnen hier.",
    locale: "de",
  },
  fr: {
    open: (until) => `Notre équipe est là aujourd'hui jusqu'à ${until}.`,
    later: (from) => `Notre équipe est de nouveau là aujourd'hui à partir de ${from}.`,
    opens: (when) => `Notre équipe n'est pas là en ce moment ; elle revient ${when}.`,
    today: "aujourd'hui",
    tomorrow: "demain",
    at: "à",
    on: (date) => `le ${date}`,
    waiting: "Merci, c'est ajouté à la conversation. Un collègue vous répondra ici.",
    locale: "fr",
  },
  pt: {
    open: (until) => `A nossa equipa está disponível hoje até às ${until}.`,
    later: (from) => `A nossa equipa volta a estar disponível hoje a partir das ${from}.`,
    opens: (when) => `A nossa equipa não está disponível neste momento; volta ${when}.`,
    today: "hoje",
    tomorrow: "amanhã",
    at: "às",
    on: (date) => `em ${date}`,
    waiting: "Obrigado, ficou registado na conversa. Um colega responde-lhe aqui.",
    locale: "pt-PT",
  },
  it: {
    open: (until) => `Il nostro team è presente oggi fino alle ${until}.`,
    later: (from) => `Il nostro team è di nuovo presente oggi dalle ${from}.`,
    opens: (when) => `Il nostro team non è presente in questo momento; torna ${when}.`,
    today: "oggi",
    tomorrow: "domani",
    at: "alle",
    on: (date) => `il ${date}`,
    waiting: "Grazie, è stato aggiunto alla conversazione. Un collega le risponderà qui.",
    locale: "it",
  },
};

/** When people are there, for somebody who waits for one; empty where no hours are configured. */
export function hoursText(tenant: TenantFacts, nowMs: number, language: Language): string {
  if (tenant.openingHours === undefined) return "";
  const words = HOURS[language];
  const { timeZone } = tenant;
  const opening = openingAt(tenant.openingHours, timeZone, nowMs);
  const clock = (atMs: number) =>
    new Intl.DateTimeFormat(words.locale, {
      timeZone,
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
    }).format(atMs);
  switch (opening.state) {
    case "unknown":
      return "";
    case "open": {
      const until = clock(opening.untilMs);
      return words.open(until === "00:00" ? "24:00" : until);
    }
    case "closed": {
      const date = dateIn(timeZone, opening.opensAtMs);
      if (date === dateIn(timeZone, nowMs)) return words.later(clock(opening.opensAtMs));
      const isTomorrow = date === nextDate(dateIn(timeZone, nowMs));
      const day = isTomorrow
        ? words.tomorrow
        : words.on(
            new Intl.DateTimeFormat(words.locale, {
              timeZone,
              weekday: "long",
              day: "numeric",
              month: "long",
            }).format(opening.opensAtMs),
          );
      return words.opens(`${day} ${words.at} ${clock(opening.opensAtMs)}`);
    }
  }
}

const nextDate = (date: string): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);

/** For a customer who writes again while a person has the conversation. */
export function waitingText(tenant: TenantFacts, nowMs: number, language: Language): string {
  return [HOURS[language].waiting, hoursText(tenant, nowMs, language)].filter((it) => it !== "").join(" ");
}
