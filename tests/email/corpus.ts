/**
 * Mails of the shapes that real programs send, each with what has to come of it. Shapes are from RFC 3834, 3464, 2369,
 * 2919 and from what mail programs are publicly known to write; the words are ours.
 */
import type { Written } from "./kit.ts";

const REPORT = 'multipart/report; report-type="delivery-status"; boundary=b';

/** No person wrote these. */
export const AUTOMATIC: readonly (readonly [
  name: string,
  kind: "automatic" | "bounce" | "own",
  mail: Written,
])[] = [
  ["an absence notice (RFC 3834)", "automatic", { headers: { "auto-submitted": "auto-replied" } }],
  ["a generated notice", "automatic", { headers: { "auto-submitted": "auto-generated" } }],
  [
    "with a comment and parameters",
    "automatic",
    { headers: { "auto-submitted": "auto-replied; owner-email=x@y" } },
  ],
  ["Exchange, away", "automatic", { headers: { "x-auto-response-suppress": "All" } }],
  ["Exchange, several", "automatic", { headers: { "x-auto-response-suppress": "DR, OOF, AutoReply" } }],
  ["an old autoresponder", "automatic", { headers: { "x-autoreply": "yes" } }],
  ["another", "automatic", { headers: { "x-autorespond": "out" } }],
  ["bulk", "automatic", { headers: { precedence: "bulk" } }],
  ["junk", "automatic", { headers: { precedence: "Junk" } }],
  ["auto_reply", "automatic", { headers: { precedence: "auto_reply" } }],
  ["a list", "automatic", { headers: { "list-id": "<talk.lists.example>" } }],
  ["a list's post", "automatic", { headers: { "list-post": "<mailto:talk@lists.example>" } }],
  ["a newsletter", "automatic", { headers: { "list-unsubscribe": "<https://news.example/u>" } }],
  ["no return path", "automatic", { returnPath: "" }],
  [
    "a read receipt",
    "automatic",
    { headers: { "content-type": "multipart/report; report-type=disposition-notification; boundary=b" } },
  ],
  ["noreply", "automatic", { from: "noreply@shipping.example" }],
  ["no-reply", "automatic", { from: "no-reply@shipping.example" }],
  ["donotreply", "automatic", { from: "DoNotReply@shipping.example" }],
  ["a bounce handler", "automatic", { from: "bounces+17@shipping.example" }],
  ["postmaster", "automatic", { from: "postmaster@shipping.example" }],
  ["away, English subject", "automatic", { subject: "Automatic reply: Your order" }],
  ["away, English subject 2", "automatic", { subject: "Out of Office: Your order" }],
  ["away, German subject", "automatic", { subject: "Automatische Antwort: Ihre Bestellung" }],
  ["away, German subject 2", "automatic", { subject: "Abwesenheitsnotiz: Ihre Bestellung" }],
  [
    "away, French subject",
    "automatic",
    {
      subject: "Réponse automatique : Votre commande",
      headers: { subject: "=?utf-8?q?R=C3=A9ponse_automatique_=3A_Votre_commande?=" },
    },
  ],
  [
    "away, Spanish subject",
    "automatic",
    { headers: { subject: "=?utf-8?q?Respuesta_autom=C3=A1tica=3A_Su_pedido?=" } },
  ],
  ["away, Italian subject", "automatic", { subject: "Risposta automatica: Il Suo ordine" }],
  [
    "away, Portuguese subject",
    "automatic",
    { headers: { subject: "=?utf-8?b?UmVzcG9zdGEgYXV0b23DoXRpY2E6IEEgc3VhIGVuY29tZW5kYQ==?=" } },
  ],
  [
    "a delivery report",
    "bounce",
    { from: "MAILER-DAEMON@mx.example", returnPath: "", headers: { "content-type": REPORT } },
  ],
  ["a delivery report with a return path", "bounce", { headers: { "content-type": REPORT } }],
  ["a daemon without a report", "bounce", { from: "Mailer-Daemon@mx.example" }],
  ["our own address", "own", { from: "support@northwind.example" }],
  ["another tenant's address", "own", { from: "Support@Kestrel.example" }],
  ["our own mail, come back", "own", { headers: { "x-recourse-conversation": "conv_1" } }],
];

/** People wrote these, whatever they look like. */
export const PERSONAL: readonly (readonly [name: string, mail: Written])[] = [
  ["a plain mail", {}],
  ["Auto-Submitted: no", { headers: { "auto-submitted": "no" } }],
  ["normal precedence", { headers: { precedence: "normal" } }],
  ["a subject about an office", { subject: "Your office is out of stock?" }],
  ["a subject with automatic in it", { subject: "Question about automatic reply settings" }],
  ["an address that begins like a robot", { from: "reply.anna@example.com" }],
  ["a plus address", { from: "ada+shop@example.com" }],
];

const wrote =
  "On Mon, Nov 30, 2026 at 5:00 PM Northwind <support@northwind.example> wrote:\n> Shall I go ahead?\n";

/** What was written now, and what stands below it. */
export const VISIBLE: readonly (readonly [name: string, full: string, visible: string])[] = [
  ["Gmail, English", `Yes please\n\n${wrote}`, "Yes please"],
  [
    "Gmail, German",
    "Ja bitte\n\nAm Mo., 30. Nov. 2026 um 17:00 Uhr schrieb Northwind <a@b.example>:\n\n> Soll ich?",
    "Ja bitte",
  ],
  [
    "Gmail, French",
    "Oui\n\nLe lun. 30 nov. 2026 à 17:00, Northwind <a@b.example> a écrit :\n\n> Dois-je ?",
    "Oui",
  ],
  [
    "Gmail, Spanish",
    "Sí\n\nEl lun, 30 nov 2026 a las 17:00, Northwind (<a@b.example>) escribió:\n\n> ¿Procedo?",
    "Sí",
  ],
  [
    "Gmail, Italian",
    "Sì\n\nIl giorno lun 30 nov 2026 alle ore 17:00 Northwind <a@b.example> ha scritto:\n\n> Procedo?",
    "Sì",
  ],
  [
    "Gmail, Portuguese",
    "Sim\n\nEm seg., 30 de nov. de 2026 às 17:00, Northwind <a@b.example> escreveu:\n\n> Avanço?",
    "Sim",
  ],
  [
    "Outlook, English",
    "No thanks\n\nFrom: Northwind <a@b.example>\nSent: Monday, November 30, 2026 5:00 PM\nTo: Ada\nSubject: Re: Refund\n\nShall I go ahead?",
    "No thanks",
  ],
  [
    "Outlook, German",
    "Nein\n\nVon: Northwind\nGesendet: Montag, 30. November 2026 17:00\nAn: Ada\nBetreff: AW: Erstattung\n\nSoll ich?",
    "Nein",
  ],
  [
    "Outlook, French",
    "Non\n\nDe : Northwind\nEnvoyé : lundi 30 novembre 2026 17:00\nÀ : Ada\nObjet : Re: Remboursement\n\nDois-je ?",
    "Non",
  ],
  [
    "Outlook, Spanish",
    "No\n\nDe: Northwind\nEnviado: lunes, 30 de noviembre\nPara: Ada\nAsunto: Re: Reembolso\n\n¿Procedo?",
    "No",
  ],
  [
    "Outlook, Italian",
    "No\n\nDa: Northwind\nInviato: lunedì 30 novembre\nA: Ada\nOggetto: R: Rimborso\n\nProcedo?",
    "No",
  ],
  [
    "Outlook, Portuguese",
    "Não\n\nDe: Northwind\nEnviada: segunda-feira\nPara: Ada\nAssunto: Re: Reembolso\n\nAvanço?",
    "Não",
  ],
  [
    "Outlook, Danish",
    "Tak\n\nFra: Northwind\nSendt: 30. november 2026 17:00\nTil: Ada\nEmne: Re: x\n\nplease refund",
    "Tak",
  ],
  [
    "Outlook, Swedish",
    "Tack\n\nFrån: Northwind\nSkickat: den 30 november\nTill: Ada\nÄmne: Re: x\n\nplease refund",
    "Tack",
  ],
  [
    "Outlook, Dutch",
    "Dank\n\nVan: Northwind\nVerzonden: maandag 30 november\nAan: Ada\nOnderwerp: Re: x\n\nplease refund",
    "Dank",
  ],
  [
    "Outlook, Polish",
    "Tak\n\nOd: Northwind\nWysłano: poniedziałek\nDo: Ada\nTemat: Re: x\n\nplease refund",
    "Tak",
  ],
  [
    "Outlook, Czech",
    "Ano\n\nOd: Northwind\nOdesláno: pondělí\nKomu: Ada\nPředmět: Re: x\n\nplease refund",
    "Ano",
  ],
  [
    "Outlook, Finnish",
    "Kyllä\n\nLähettäjä: Northwind\nLähetetty: maanantai\nVastaanottaja: Ada\nAihe: Re: x\n\nplease refund",
    "Kyllä",
  ],
  [
    "Outlook, Turkish",
    "Evet\n\nKimden: Northwind\nGönderildi: Pazartesi\nKime: Ada\nKonu: Re: x\n\nplease refund",
    "Evet",
  ],
  [
    "Outlook, Russian",
    "Да\n\nОт: Northwind\nОтправлено: понедельник\nКому: Ada\nТема: Re: x\n\nplease refund",
    "Да",
  ],
  [
    "Outlook, Japanese",
    "はい\n\n差出人: Northwind\n送信日時: 2026年11月30日\n宛先: Ada\n件名: Re: x\n\nplease refund",
    "はい",
  ],
  [
    "Outlook, Chinese",
    "好的\n\n发件人: Northwind\n发送时间: 2026年11月30日\n收件人: Ada\n主题: Re: x\n\nplease refund",
    "好的",
  ],
  ["answers between quoted lines", "> Which size?\nMedium\n> Which colour?\nBlue", "Medium\nBlue"],
  ["a signature", "Where is it?\n\n-- \nAda Lovelace\n+44 20 1234 5678", "Where is it?"],
  ["a phone's line", "Where is it?\n\nSent from my iPhone", "Where is it?"],
  ["quotes only", "> Shall I go ahead?", "> Shall I go ahead?"],
  [
    "nothing to cut",
    "From: the beginning I liked it.\nWhere is it?",
    "From: the beginning I liked it.\nWhere is it?",
  ],
];

const found = (verdict: string) => ({
  "authentication-results": `mx.northwind.example; spf=pass smtp.mailfrom=example.com; dmarc=${verdict} header.from=example.com`,
});
const answered = { verdict: "accepted", text: "And what about gifts?", isAnswered: true } as const;
const more = { text: "And what about gifts?" };
const refused = {
  verdict: "unauthentic",
  text: null,
  identity: null,
  thread: "none",
  isAnswered: false,
} as const;

/** How sure we are of who wrote (RFC 7489, RFC 8601), and which conversation it goes on with (RFC 5322 §3.6.4). */
export const THREADS = [
  {
    name: "to the address of its thread",
    mail: more,
    isAnswerTo: "address",
    expected: { ...answered, identity: "anonymous", thread: "same" },
  },
  {
    name: "to the plain address, with In-Reply-To only",
    mail: more,
    isAnswerTo: "reference",
    expected: { ...answered, identity: "anonymous", thread: "same" },
  },
  {
    name: "with nothing but our subject",
    mail: more,
    isAnswerTo: "subject",
    expected: { ...answered, identity: "anonymous", thread: "new" },
  },
  {
    name: "with a reference that nobody has sent",
    mail: { ...more, headers: { references: "<made-up@northwind.example>" } },
    isAnswerTo: "nothing of it",
    expected: { ...answered, identity: "anonymous", thread: "new" },
  },
  {
    name: "an address of a thread in capitals, as some servers write it",
    mail: { ...more, from: "Capital@Example.com" },
    isAnswerTo: "address",
    expected: { ...answered, identity: "anonymous", thread: "same" },
  },
  {
    name: "DMARC passed at our server",
    mail: { ...more, headers: found("pass") },
    isAnswerTo: null,
    expected: { ...answered, identity: "claimed", thread: "new" },
  },
  {
    name: "a domain without a policy",
    mail: { ...more, headers: found("none") },
    isAnswerTo: null,
    expected: { ...answered, identity: "anonymous", thread: "new" },
  },
  {
    name: "DMARC could not be looked up just then",
    mail: { ...more, headers: found("temperror") },
    isAnswerTo: null,
    expected: { ...answered, identity: "anonymous", thread: "new" },
  },
  {
    name: "DMARC failed at our server",
    mail: { ...more, headers: found("fail") },
    isAnswerTo: null,
    expected: refused,
  },
  {
    name: "DMARC failed, into a thread of that address",
    mail: { ...more, headers: found("fail") },
    isAnswerTo: "address",
    expected: refused,
  },
  {
    name: "a domain's record that cannot be read",
    mail: { ...more, headers: found("permerror") },
    isAnswerTo: null,
    expected: refused,
  },
  {
    name: "a pass that the sender wrote itself",
    mail: { ...more, headers: { "authentication-results": "mx.evil.example; dmarc=pass" } },
    isAnswerTo: null,
    expected: { ...answered, identity: "anonymous", thread: "new" },
  },
  {
    name: "an absence notice into a thread of that address",
    mail: { ...more, headers: { "auto-submitted": "auto-replied" } },
    isAnswerTo: "address",
    expected: { verdict: "automatic", text: null, identity: "anonymous", thread: "same", isAnswered: false },
  },
] as const satisfies readonly {
  readonly name: string;
  readonly mail: Written;
  readonly isAnswerTo: null | "address" | "reference" | "subject" | "nothing of it";
  readonly expected: object;
}[];
