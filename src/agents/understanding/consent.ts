/**
 * Whether a customer's own words accept an offer. The gateway asks this before money moves, so it is
 * strict: a yes is a message that consists of nothing but agreement and courtesy. Whatever adds,
 * limits, asks, counts or quotes is not a yes, and neither is a yes beside anything else.
 */
import type { Consent } from "../agent.ts";

/** Longer than any plain agreement. */
const LONGEST_ANSWER_CHARS = 120;
/** More messages than this since the offer are a discussion, not an answer. */
const MOST_ANSWERS = 10;

type Part = "yes" | "no" | "courtesy";

const PHRASES: ReadonlyMap<string, Part> = new Map(
  (
    [
      [
        "yes",
        "yes|yeah|yea|yep|yup|yessir|y|aye|sure|sure thing|of course|certainly|absolutely|definitely|ok|okay|okey|" +
          "confirm|confirmed|i confirm|i confirm it|i confirm that|agreed|i agree|correct|that's correct|thats correct|" +
          "that is correct|that's right|thats right|that is right|go ahead|go for it|go on|do it|do that|do so|" +
          "please do|proceed|please proceed|sounds good|that sounds good|looks good|that looks good|that works|" +
          "works for me|that's fine|thats fine|that is fine|that's ok|thats ok|that is ok|that's okay|let's do it|" +
          "lets do it|let's do that|let's go|i'd like that|i would like that|i want that|yes i do|yes i want that|" +
          "yes i am sure|yes i'm sure|yes that's it|make it so|approved|i accept|accept|accepted|" +
          "ja|jawohl|jap|klar|gerne|ja gerne|ja bitte|einverstanden|oui|d'accord|bien sûr|bien sur|ouais|" +
          "si|sí|claro|vale|de acuerdo|por supuesto|👍|👌|✅|✔|🆗|☑",
      ],
      [
        "no",
        "no|nope|nah|n|no way|not now|no thanks|no thank you|never|never mind|nevermind|nvm|don't|dont|do not|" +
          "don't do it|dont do it|do not do it|don't do that|dont do that|do not do that|please don't|stop|stop it|" +
          "cancel|cancel it|cancel that|forget it|forget that|leave it|rather not|i'd rather not|i would rather not|" +
          "i changed my mind|changed my mind|scrap that|abort|i don't want it|i don't want that|i dont want that|" +
          "i do not want that|no wait|wait no|nein|nein danke|lieber nicht|non|non merci|no gracias|👎|❌|🚫|✖|🛑",
      ],
      [
        "courtesy",
        "please|pls|plz|thanks|thank you|thank you very much|thank you so much|thanks a lot|many thanks|thx|ty|" +
          "cheers|great|perfect|awesome|wonderful|lovely|brilliant|that's great|that's perfect|bitte|danke|merci|" +
          "s'il vous plaît|s'il vous plait|gracias|por favor|hi|hello|🙏|🙂|😊|😀|😃|😄|❤|🎉|💯|🤝",
      ],
    ] as const
  ).flatMap(([part, phrases]) => phrases.split("|").map((text): [string, Part] => [text, part])),
);
const LONGEST_PHRASE_WORDS = 5;

/**
 * Judges the customer's messages since an offer, oldest first, as one answer.
 *
 * `yes`: at least one message agrees, and all of them hold nothing but agreement and courtesy.
 * `no`: they refuse, and say nothing else (a yes that a later message takes back is a no).
 * `other`: anything else, silence included.
 *
 * @example judgeConsent(["yes please"]) // "yes"
 * @example judgeConsent(["yes but only the socks"]) // "other"
 */
export function judgeConsent(texts: string[]): Consent {
  if (texts.length > MOST_ANSWERS) return "other";
  let answer: Consent = "other";
  for (const text of texts) {
    const said = judgeOne(text);
    if (said === "other") return "other";
    if (said === "courtesy") continue;
    // A no that a later yes takes back has been talked about: it is asked again.
    if (answer === "no" && said === "yes") return "other";
    answer = said;
  }
  return answer;
}

function judgeOne(text: string): Consent | "courtesy" {
  if (text.length > LONGEST_ANSWER_CHARS) return "other";
  const tokens = tokensOf(text);
  if (tokens === null) return "other";
  let answer: Consent | "courtesy" = "courtesy";
  for (let at = 0; at < tokens.length; ) {
    const match = longestPhrase(tokens, at);
    if (match === null) return "other";
    at += match.words;
    if (match.part === "courtesy") continue;
    if (answer !== "courtesy" && answer !== match.part) return "other";
    answer = match.part;
  }
  return answer;
}

function longestPhrase(tokens: readonly string[], at: number): { part: Part; words: number } | null {
  for (let words = Math.min(LONGEST_PHRASE_WORDS, tokens.length - at); words > 0; words -= 1) {
    const part = PHRASES.get(tokens.slice(at, at + words).join(" "));
    if (part !== undefined) return { part, words };
  }
  return null;
}

/** Words and emoji; null when the text holds anything that plain agreement has no use for. */
function tokensOf(text: string): string[] | null {
  const calm = text
    .normalize("NFC")
    .replace(/[\u200b\u200c]|\ufeff|\ufe0f|\p{Emoji_Modifier}/gu, "")
    .replace(/[’ʼ]/g, "'")
    .replace(/(?:^|\s)[:;]-?[)D](?=\s|$)/g, " ")
    .toLowerCase();
  const tokens: string[] = [];
  for (const [token] of calm.matchAll(/[\p{L}\p{M}]+(?:'[\p{L}\p{M}]+)*|[^\s]/gu)) {
    if (/^[\p{L}\p{M}]/u.test(token)) tokens.push(unstretched(token));
    else if (/^\p{Extended_Pictographic}$/u.test(token)) tokens.push(token);
    else if (!/^[.,!…]$/.test(token)) return null;
  }
  return tokens;
}

/** "yesss", "yeeees", "okkk", "nooo" are their words. */
function unstretched(word: string): string {
  return word
    .replace(/(.)\1+/gu, (run, letter: string) => (run.length > 2 ? letter : run))
    .replace(/^yess$/, "yes");
}
