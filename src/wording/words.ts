/**
 * Room `wording`: every sentence that code says to a customer, in each language. May import `kernel`.
 * A language is a folder with three files of one shape each, so that a sentence that is missing does not
 * compile: `ledger.ts` (offers and outcomes: the only place where a sentence may say that money moved, G2),
 * `talk.ts` (the workflows) and `frame.ts` (what surrounds answers: disclosure, handoff, denial).
 *
 * Promises: no sentence outside `ledger.ts` claims or promises an effect (a test renders all of them through
 * the safety filter). The polite form everywhere; no machine translated these, so none is to be added by one.
 */
import type { Language } from "../kernel/language.ts";
import { frame as deFrame } from "./de/frame.ts";
import { ledger as deLedger } from "./de/ledger.ts";
import { talk as deTalk } from "./de/talk.ts";
import { frame as enFrame } from "./en/frame.ts";
import { ledger as enLedger } from "./en/ledger.ts";
import { talk as enTalk } from "./en/talk.ts";
import { frame as esFrame } from "./es/frame.ts";
import { ledger as esLedger } from "./es/ledger.ts";
import { talk as esTalk } from "./es/talk.ts";
import { frame as frFrame } from "./fr/frame.ts";
import { ledger as frLedger } from "./fr/ledger.ts";
import { talk as frTalk } from "./fr/talk.ts";
import type { FrameWords } from "./frame-words.ts";
import { frame as itFrame } from "./it/frame.ts";
import { ledger as itLedger } from "./it/ledger.ts";
import { talk as itTalk } from "./it/talk.ts";
import type { LedgerWords } from "./ledger-words.ts";
import { frame as ptFrame } from "./pt/frame.ts";
import { ledger as ptLedger } from "./pt/ledger.ts";
import { talk as ptTalk } from "./pt/talk.ts";
import type { TalkWords } from "./talk-words.ts";

export interface Words {
  readonly language: Language;
  readonly ledger: LedgerWords;
  readonly talk: TalkWords;
  readonly frame: FrameWords;
}

const WORDS: Readonly<Record<Language, Words>> = {
  en: { language: "en", ledger: enLedger, talk: enTalk, frame: enFrame },
  es: { language: "es", ledger: esLedger, talk: esTalk, frame: esFrame },
  de: { language: "de", ledger: deLedger, talk: deTalk, frame: deFrame },
  fr: { language: "fr", ledger: frLedger, talk: frTalk, frame: frFrame },
  pt: { language: "pt", ledger: ptLedger, talk: ptTalk, frame: ptFrame },
  it: { language: "it", ledger: itLedger, talk: itTalk, frame: itFrame },
};

/** @example wordsOf("de").talk.buttons.everything // "Alles" */
export const wordsOf = (language: Language): Words => WORDS[language];
