/**
 * The words of every lexicon in one index, and how a message is read with it. A word is read in the language
 * that most of the message is in when that language has it, else in any that has it: so "due" is no Italian
 * two in an English message, and a Spanish word in a German message is still understood.
 *
 * Built at the first message (some milliseconds), never before. Reading is linear in the message.
 */
import {
  type Lexicon,
  MEANINGS,
  type Meaning,
  type Phrases,
  phrasesOf,
  plainSpellings,
} from "./lexicon/lexicon.ts";
import { LEXICONS } from "./lexicon/lexicons.ts";
import { withinOneEdit } from "./spelling.ts";

/** What a word means to the rules. */
export interface Sense {
  readonly meanings: ReadonlySet<Meaning>;
  /** English names of products that the word can stand for. */
  readonly products: readonly string[];
  /** Null: no product word, or one whose number does not show. */
  readonly plural: boolean | null;
  /** Zero to ten. */
  readonly count: number | null;
  /** Place in a list from 0; {@link LAST} for the last. Null for a word that is none. */
  readonly ordinal: number | null;
  /** Bit by bit, the lexicons that the word was read in. */
  readonly languages: number;
  /** A further word of a phrase, whose first word has its sense. */
  readonly isContinued?: true;
}

export const LAST = 5;
export const NO_SENSE: Sense = {
  meanings: new Set(),
  products: [],
  plural: null,
  count: null,
  ordinal: null,
  languages: 0,
};

interface Entry {
  readonly meanings: Set<Meaning>;
  readonly products: string[];
  plural: boolean | null;
  count: number | null;
  ordinal: number | null;
}

interface Phrase {
  /** `stem*` ends open. */
  readonly words: readonly string[];
  readonly lexicon: number;
  readonly entry: Entry;
}

/** A word as the index is asked for it. */
export interface Token {
  /** Lower case, without accents. */
  readonly plain: string;
  /** Lower case, as typed. */
  readonly typed: string;
}

const MOST_RECENT = 2_000;
const SHORTEST_STEM = 3;
const LONGEST_STEM = 18;
const SHORTEST_HEAD = 4;
const SHORTEST_COMPOUND = 7;

type ByLexicon = (Entry | undefined)[];

const ALL_LANGUAGES = (1 << LEXICONS.length) - 1;
export const ENGLISH = 1 << LEXICONS.findIndex(({ language }) => language === "en");
export const isEnglishOnly = ({ languages }: Sense): boolean => languages === ENGLISH;

class Vocabulary {
  private readonly exact = new Map<string, ByLexicon>();
  /** Words that are themselves only with their accents. */
  private readonly accented = new Map<string, ByLexicon>();
  private readonly stems = new Map<string, ByLexicon>();
  private readonly phrases = new Map<string, Phrase[]>();
  private readonly partsOfPhrases = new Map<string, ByLexicon>();
  private readonly phraseEntries = new Map<string, Entry>();
  private readonly short: ReadonlyMap<string, readonly string[]>[] = [];
  private readonly spelled: readonly string[][];
  /** Product words by their length, for what is written together. */
  private readonly heads = new Map<string, Entry>();
  private readonly elided = new Set<string>();
  /** Words that were looked up lately: what is said is mostly said again. */
  private readonly recent = new Map<string, ByLexicon>();

  constructor() {
    this.spelled = LEXICONS.map(({ spelled }) => phrasesOf(spelled).flatMap(plainSpellings));
    for (const [index, lexicon] of LEXICONS.entries()) this.learn(lexicon, index);
  }

  private learn(lexicon: Lexicon, index: number): void {
    for (const meaning of MEANINGS) {
      this.each(lexicon.words[meaning], index, (entry) => entry.meanings.add(meaning));
    }
    this.each(lexicon.plain, index, () => undefined);
    this.listed(lexicon.numbers, index, (entry, place) => {
      entry.count = place;
    });
    this.listed(lexicon.ordinals, index, (entry, place) => {
      entry.ordinal = place;
    });
    for (const [product, forms = ""] of Object.entries(lexicon.products)) {
      for (const form of phrasesOf(forms)) {
        for (const [place, spelling] of form.split(", ").entries()) {
          this.each(spelling, index, (entry) => {
            if (!entry.products.includes(product)) entry.products.push(product);
            // Where one word is both, its number does not show.
            entry.plural = form.includes(", ") && entry.plural !== false ? place > 0 : entry.plural;
          });
          if (!lexicon.compounds || spelling.includes(" ")) continue;
          for (const plain of plainSpellings(spelling)) {
            const entry = this.exact.get(plain)?.[index];
            if (plain.length >= SHORTEST_HEAD && entry !== undefined) this.heads.set(plain, entry);
          }
        }
      }
    }
    const short = new Map<string, readonly string[]>();
    for (const line of phrasesOf(lexicon.short)) {
      const [form = "", full = ""] = line.split("=");
      for (const plain of plainSpellings(form)) short.set(plain, full.split(" "));
    }
    this.short.push(short);
    for (const prefix of phrasesOf(lexicon.elided)) this.elided.add(prefix);
  }

  private listed(list: Phrases, index: number, set: (entry: Entry, place: number) => void): void {
    for (const [place, forms] of phrasesOf(list).entries()) {
      for (const form of forms.split(", ")) this.each(form, index, (entry) => set(entry, place));
    }
  }

  private each(list: Phrases, index: number, set: (entry: Entry) => void): void {
    for (const phrase of phrasesOf(list)) {
      const needsAccents = phrase.endsWith("!");
      const words = phrase.replace("!", "").replace(/['-]/g, " ").split(" ");
      const [only, ...more] = words;
      if (only === undefined) continue;
      if (more.length > 0) {
        for (const spelling of combined(words)) set(this.phraseEntry(spelling, index));
        // Its words are words of the language, whatever else they mean.
        for (const part of words) {
          if (!part.endsWith("*"))
            for (const plain of plainSpellings(part)) entryIn(this.partsOfPhrases, plain, index);
        }
      } else if (needsAccents) {
        set(entryIn(this.accented, only.toLowerCase().normalize("NFC"), index));
      } else if (only.endsWith("*")) {
        for (const stem of plainSpellings(only.slice(0, -1))) set(entryIn(this.stems, stem, index));
      } else {
        for (const plain of plainSpellings(only)) set(entryIn(this.exact, plain, index));
      }
    }
  }

  private phraseEntry(words: readonly string[], lexicon: number): Entry {
    const key = `${lexicon} ${words.join(" ")}`;
    const known = this.phraseEntries.get(key);
    if (known !== undefined) return known;
    const entry = emptyEntry();
    this.phraseEntries.set(key, entry);
    const first = words[0] ?? "";
    const list = this.phrases.get(first) ?? [];
    list.push({ words, lexicon, entry });
    this.phrases.set(first, list);
    return entry;
  }

  /** The entry of every lexicon that has the word; the longest stem where no whole word is there. */
  private entriesOf(token: Token): ByLexicon {
    const known = this.recent.get(token.typed);
    if (known !== undefined) return known;
    const found = this.look(token);
    if (this.recent.size >= MOST_RECENT) this.recent.clear();
    this.recent.set(token.typed, found);
    return found;
  }

  private look({ plain, typed }: Token): ByLexicon {
    const found: ByLexicon = [];
    const take = (entries: ByLexicon | undefined): void => {
      for (const [index, entry] of (entries ?? []).entries()) found[index] ??= entry;
    };
    if (typed !== plain) take(this.accented.get(typed));
    take(this.exact.get(plain));
    for (let length = Math.min(plain.length, LONGEST_STEM); length >= SHORTEST_STEM; length -= 1) {
      take(this.stems.get(plain.slice(0, length)));
    }
    take(this.partsOfPhrases.get(plain));
    return found;
  }

  /** The parts of a word that has lost its end before another: `l'ordine`, `qu'il`. */
  partsOf(typed: string): readonly string[] {
    const at = typed.indexOf("'");
    if (at <= 0 || this.short.some((short) => short.has(typed))) return [typed];
    const first = typed.slice(0, at);
    const rest = typed.slice(at + 1);
    return this.elided.has(first) && rest !== "" ? [first, ...this.partsOf(rest)] : [typed];
  }

  /** The languages that most of the words are in, bit by bit: all of them where no word tells. */
  languagesOf(tokens: readonly Token[]): number {
    const scores = LEXICONS.map(() => 0);
    for (const token of tokens) {
      const entries = this.entriesOf(token);
      const knows = (index: number) =>
        entries[index] !== undefined || this.short[index]?.has(token.plain) === true;
      let count = 0;
      for (let index = 0; index < scores.length; index += 1) if (knows(index)) count += 1;
      // A word that only one language has tells more.
      for (let index = 0; index < scores.length; index += 1) {
        if (knows(index)) scores[index] = (scores[index] ?? 0) + 1 / count + 0.5;
      }
    }
    const most = Math.max(...scores);
    if (most === 0) return ALL_LANGUAGES;
    return scores.reduce((bits, score, index) => (score >= most - 1e-9 ? bits | (1 << index) : bits), 0);
  }

  /** The word as it is meant: written out where it is short for others, its slip put right. */
  meant(token: Token, languages: number): readonly string[] {
    const entries = this.entriesOf(token);
    const isIn = (index: number) => (languages & (1 << index)) !== 0;
    for (const [index, short] of this.short.entries()) {
      const full = isIn(index) ? short.get(token.plain) : undefined;
      if (full !== undefined) return full;
    }
    if (entries.some((entry, index) => entry !== undefined && isIn(index))) return [token.typed];
    const { plain } = token;
    if (plain.length >= SHORTEST_SLIP && plain.length <= LONGEST_SLIP) {
      for (const [index, words] of this.spelled.entries()) {
        const right = isIn(index) ? words.find((word) => isSlipOf(plain, word)) : undefined;
        if (right !== undefined) return [right];
      }
    }
    if (entries.some((entry) => entry !== undefined)) return [token.typed];
    for (const short of this.short) {
      const full = short.get(plain);
      if (full !== undefined) return full;
    }
    return [token.typed];
  }

  /** What the words mean in `languages`, one by one; null where something else than a word stands. */
  sensesOf(tokens: readonly (Token | null)[], languages: number): Sense[] {
    const senses: Sense[] = [];
    for (let at = 0; at < tokens.length; ) {
      const token = tokens[at];
      if (token === null || token === undefined) {
        senses.push(NO_SENSE);
        at += 1;
        continue;
      }
      const phrases = this.phrasesAt(tokens, at, languages);
      const length = phrases[0]?.words.length ?? 0;
      if (length > 0) {
        const bits = phrases.reduce((sum, { lexicon }) => sum | (1 << lexicon), 0);
        senses.push(
          senseOf(
            phrases.map(({ entry }) => entry),
            bits,
          ),
        );
        for (let word = 1; word < length; word += 1) {
          senses.push({ ...NO_SENSE, languages: bits, isContinued: true });
        }
        at += length;
        continue;
      }
      senses.push(this.senseOfWord(token, languages));
      at += 1;
    }
    return senses;
  }

  private senseOfWord(token: Token, languages: number): Sense {
    const entries = this.entriesOf(token);
    const own = entries.map((entry, index) => ((languages & (1 << index)) === 0 ? undefined : entry));
    const read = own.some((entry) => entry !== undefined) ? own : entries;
    const used = read.flatMap((entry) => entry ?? []);
    const bits = read.reduce((sum, entry, index) => (entry === undefined ? sum : sum | (1 << index)), 0);
    if (used.length > 0) return senseOf(used, bits);
    const head = this.headOf(token.plain);
    if (head === null) return NO_SENSE;
    const { products, plural } = head;
    return { ...NO_SENSE, products, plural };
  }

  /** `wollsocken` ends in `socken`. */
  private headOf(plain: string): Entry | null {
    if (plain.length < SHORTEST_COMPOUND) return null;
    for (let start = 2; start <= plain.length - SHORTEST_HEAD; start += 1) {
      const entry = this.heads.get(plain.slice(start));
      if (entry !== undefined) return entry;
    }
    return null;
  }

  /** The longest phrases that begin here: of the message's own languages where they have one. */
  private phrasesAt(tokens: readonly (Token | null)[], at: number, languages: number): readonly Phrase[] {
    const first = tokens[at]?.plain ?? "";
    const found: Phrase[] = [];
    const consider = (list: readonly Phrase[] | undefined): void => {
      for (const phrase of list ?? []) if (this.fits(phrase, tokens, at, languages)) found.push(phrase);
    };
    consider(this.phrases.get(first));
    for (let length = Math.min(first.length, LONGEST_STEM); length >= SHORTEST_STEM; length -= 1) {
      consider(this.phrases.get(`${first.slice(0, length)}*`));
    }
    const longest = found.reduce((most, { words }) => Math.max(most, words.length), 0);
    const best = found.filter(({ words }) => words.length === longest);
    const own = best.filter(({ lexicon }) => (languages & (1 << lexicon)) !== 0);
    return own.length > 0 ? own : best;
  }

  private fits({ words, lexicon }: Phrase, tokens: readonly (Token | null)[], at: number, languages: number) {
    const all = words.every((word, index) => {
      const plain = tokens[at + index]?.plain;
      if (plain === undefined) return false;
      return word.endsWith("*") ? plain.startsWith(word.slice(0, -1)) : plain === word;
    });
    if (!all) return false;
    if ((languages & (1 << lexicon)) !== 0) return true;
    // Another language's phrase counts only when the message's own does not know all of its words.
    return words.some((_, index) => {
      const token = tokens[at + index];
      if (token === null || token === undefined) return true;
      return !this.entriesOf(token).some(
        (entry, language) => entry !== undefined && (languages & (1 << language)) !== 0,
      );
    });
  }
}

const SHORTEST_SLIP = 4;
const LONGEST_SLIP = 18;
const SHORTEST_RIGHT = 5;
const isSlipOf = (plain: string, word: string): boolean =>
  word.length >= SHORTEST_RIGHT && withinOneEdit(plain, word);

const emptyEntry = (): Entry => ({
  meanings: new Set(),
  products: [],
  plural: null,
  count: null,
  ordinal: null,
});

function entryIn(map: Map<string, ByLexicon>, word: string, index: number): Entry {
  const entries = map.get(word) ?? [];
  const entry = entries[index] ?? emptyEntry();
  entries[index] = entry;
  map.set(word, entries);
  return entry;
}

function combined(words: readonly string[]): readonly (readonly string[])[] {
  let ways: readonly (readonly string[])[] = [[]];
  for (const word of words) {
    const star = word.endsWith("*") ? "*" : "";
    const spellings = plainSpellings(word.replace("*", ""));
    ways = ways.flatMap((way) => spellings.map((it) => [...way, `${it}${star}`]));
  }
  return ways;
}

function senseOf(entries: readonly Entry[], languages: number): Sense {
  const [only, ...more] = entries;
  if (only !== undefined && more.length === 0) {
    const { meanings, products, plural, count, ordinal } = only;
    return { meanings, products, plural, count, ordinal, languages };
  }
  const first = <T>(pick: (entry: Entry) => T | null): T | null =>
    entries.map(pick).find((value) => value !== null) ?? null;
  return {
    meanings: new Set(entries.flatMap(({ meanings }) => [...meanings])),
    products: [...new Set(entries.flatMap(({ products }) => products))],
    plural: first(({ plural }) => plural),
    count: first(({ count }) => count),
    ordinal: first(({ ordinal }) => ordinal),
    languages,
  };
}

let built: Vocabulary | null = null;
export function theVocabulary(): Vocabulary {
  built ??= new Vocabulary();
  return built;
}
