/**
 * What a message asks for: one or more requests, each with the words that belong to it, and a few
 * signals that are no request. Patterns over {@link phrase} texts; their gaps are bounded, so reading
 * is linear in the message.
 */
import { bare, endsSentence, phrase, splitAfter, splitsClause, type Word } from "./words.ts";

/** What can be asked for. `problem`: something is wrong with an item, without saying what would help. */
export type Intent =
  | "order_status"
  | "money_status"
  | "return_status"
  | "refund"
  | "return"
  | "policy"
  | "beyond"
  | "problem";

export interface Request {
  readonly intent: Intent;
  /** The part of the message that is about it. */
  readonly words: readonly Word[];
  /** Of these, where the wish itself is said; the rest is its story ("the jacket is great but …"). */
  readonly core: readonly Word[];
}

const GREETING_START =
  "(?:hi |hello |hey |hey there |hi there |please |so |and |but |also |okay |um |, |just )*";
const ASKS = `^ ${GREETING_START}`;

const POLICY = [
  / (?:policy|policies|terms|return window|refund window) /,
  / (?:how long|how many days)(?: \S+){0,4} (?:return|refund|send) /,
  / do i (?:have|need) to(?: \S+){0,4} (?:return|send|pay|refund) /,
  / (?:who pays|do you (?:accept|offer|do|give|take|allow)(?: \S+){0,2} (?:returns?|refunds?)) /,
  / how (?:do|does) (?:your )?(?:returns|refunds) work /,
  / what (?:is|are) (?:your|the)(?: \S+){0,3} (?:rules?|conditions) /,
];

const MONEY = / (?:refund(?:s|ed|ing)?|reimburse(?:d|ment)?|money|cash back|repayment) /;
const MONEY_STATUS = [
  / (?:where|wher|whre|were) (?:is|are|the) (?:my|the|our|that|this)?(?: \S+)? ?(?:refund|money|reimbursement|cash) /,
  / (?:refund|reimbursement) (?:status|update|progress|yet) /,
  / (?:status|update|updates|news|progress|word)(?: (?:of|on|about|for|regarding|with|my|the|a))*(?: \S+){0,2} (?:refunds?|money|reimbursement) /,
  / when (?:will|do|does|should|can|is|am|are)(?: \S+){0,5} (?:refund|money|refunded|reimbursed|reimbursement) /,
  / (?:has|have|was|were|been|got|being|did) (?:not )?(?:\S+ ){0,3}(?:refunded|reimbursed) /,
  / (?:has|is|was|did|have) (?:my|the|that|this)(?: \S+){0,2} (?:refund|reimbursement|money) /,
  / (?:refund|money|it)(?: \S+){0,2} (?:gone|go|went|come|came) (?:through|in) /,
  / (?:did|have) you(?: \S+){0,2} (?:refund|refunded|issue|issued|send|sent|process|processed)(?: \S+){0,3} /,
  / (?:not|never|still)(?: \S+){0,4} (?:got|gotten|get|received|receive|seen|see|had|arrived|shown|appeared|waiting|have)(?: \S+){0,4} (?:refund|money|reimbursement) /,
  / (?:refund|money|reimbursement)(?: \S+){0,3} (?:not|never)(?: \S+){0,3} (?:arrived|come|came|received|shown|show|here|appeared|processed|hit|been) /,
  / waiting (?:for|on)(?: \S+){0,4} (?:refund|money|reimbursement) /,
  / (?:got|get|have|received) my (?:money|refund)(?: back)? yet /,
  / what happened (?:to|with)(?: \S+){0,2} (?:refund|money) /,
  / (?:check|track|checking|follow up|following up)(?: \S+){0,4} refund /,
];
/** "did you …" asks about money only when money is named. */
const REFUND = [
  / refund(?:s|ed|ing|able)? /,
  / reimburse(?:d|ment)? /,
  / (?:money|cash|payment) back /,
  / (?:want|need|give|get|have)(?: \S+){0,3} my money /,
  / (?:pay|paid) me back /,
  / (?:compensation|compensate|goodwill) /,
  / (?:paid|spent)(?: \S+){0,4} want(?: \S+){0,3} back /,
];
const NO_REFUND =
  / (?:do not|not|no longer) (?:want|need|asking for|ask for|looking for|after)(?: (?:a|the|any|my|to|be))* (?:refund|refunded|money back) | (?:no|not a|not the|not|instead of|rather than)(?: (?:a|the|getting))* (?:refund|money back) | do not refund /;

const RETURN = [
  / (?:return|returning|returns|returnable) /,
  / (?:send|sending|give|bring|take|ship|mail|post)(?: \S+){0,6} back /,
  / (?:want|need|like)(?: \S+){0,6} returned /,
  / be returned /,
];
const RETURN_WORDS_ONLY =
  / (?:in return|return (?:policy|address|window)|give me(?: \S+){0,4} back|pay(?: \S+){0,3} back) /;
const NO_RETURN =
  / (?:do not|not|no longer|without|instead of|rather than)(?: (?:want|need|going|like|have|to|a|the|it|wanting))* (?:return|returning|send|sending) /;
const ALREADY_RETURNED =
  / (?:i|we|have|already|was|were|has|been|got) (?:have |already |just )*(?:returned|sent(?: \S+){0,5} back|shipped(?: \S+){0,4} back|mailed(?: \S+){0,4} back) /;
const RETURN_STATUS = [
  / (?:where|status|update|news)(?: \S+){0,4} return /,
  / return (?:status|update|progress) /,
  / (?:did|have|has) (?:you|the warehouse|it|they|my return|the return)(?: \S+){0,3} (?:receive|received|get|got|arrived|arrive|processed)(?: \S+){0,3} (?:return|back) /,
  / (?:has|is|was) (?:my|the) return(?: \S+){0,3} (?:received|arrived|processed|complete|accepted|registered|there) /,
];

const LISTS_ORDERS =
  / (?:show|list|see|view|what|which|my|all)(?: \S+){0,2} (?:orders|purchases)(?: (?:do|did|have) i (?:have|made|make|place|placed))? /;
const ORDER_STATUS = [
  / (?:where|wher|whre) (?:is|are|the|my|has|have) /,
  / were (?:is|the|my) (?:my|order|package|parcel|stuff|things) /,
  / (?:track|tracking|trackin|eta|whereabouts|wismo) /,
  / status /,
  / when (?:will|does|do|is|are|can|should|would|am|did)(?: \S+){0,7} (?:arrive|arriving|come|coming|get|ship|shipping|delivered|deliver|here|there|shipped|receive|reach|expect|expected|sent|due) /,
  new RegExp(
    `${ASKS}(?:has|have|did|is|was|are|will|does)(?: \\S+){0,6} (?:shipped|ship|sent|dispatched|left|delivered|arrived|arrive|arriving|coming|on its way|on the way|on time|out for delivery|sent out|here) (?!damaged|broken|wrong)`,
  ),
  / (?:not|never|yet to)(?: \S+){0,4} (?:arrived|arrive|come|came|received|receive|recieved|shipped|delivered|got|gotten|get|here|turned up|showed up|show up|moved|seen|dispatched) /,
  / (?:still )?waiting (?:for|on|since) /,
  / (?:update|updates|news|information|info)(?: \S+){0,2} (?:on|about|for|regarding)(?: \S+){0,3} (?:order|package|parcel|delivery|shipment|purchase|#?\d+) /,
  / (?:update|status) please /,
  / how long(?: \S+){0,5} (?:delivery|arrive|shipping|here|arrives|take|deliver|come) /,
  / (?:order|package|parcel|delivery|shipment|it) (?:is|has been|was|seems|must be) (?:very |so |really )?(?:late|delayed|lost|stolen|missing|stuck|overdue) /,
  / (?:lost|stolen|missing|late|delayed) (?:package|parcel|order|delivery|shipment) /,
  / (?:expected|estimated) (?:delivery|arrival) /,
  / delivery (?:date|day|estimate|status) /,
  / (?:what|which) day /,
  LISTS_ORDERS,
  / says? (?:it is |it was |it has been |it |that it was )?delivered /,
  / (?:check|see|look at|look up|find)(?: \S+){0,3} (?:order|package|parcel|delivery|shipment) /,
];
const NOT_RECEIVED =
  / (?:not|never)(?: \S+){0,4} (?:arrived|arrive|came|come|received|receive|recieved|got|gotten|get|turned up|showed up|show up|here|seen) | (?:lost|stolen|missing) (?:package|parcel|order|delivery|shipment) | (?:order|package|parcel|delivery|shipment|it) (?:is|was|has been|must be|seems) (?:lost|stolen|missing) | (?:do not|does not) have (?:it|the package|the parcel|my order|my package) | says? (?:it is |it was |it has been |it )?delivered but /;

const BEYOND = [
  / (?:charged|billed|debited|paid)(?: \S+){0,3} (?:twice|double|two times) | (?:double|duplicate|wrong) charge | overcharged /,
  / (?:exchange|swap|replace|replacement|replaced) /,
  / (?:different|another|bigger|smaller|larger) (?:size|color|one) (?:instead|please)? ?/,
  / cancel(?:ed|ing)?(?: \S+){0,3} (?:order|orders|purchase|#\d+|\d{3,}) /,
  / (?:change|update|correct|wrong|edit|fix)(?: \S+){0,4} (?:address|email|phone number) /,
  / (?:invoice|receipt|vat|password|log in|login|gift card|voucher|promo code|discount code|coupon|warranty|repair|price match|newsletter|unsubscribe|subscription) /,
  / (?:add|change|remove)(?: \S+){0,4} (?:to|in|from|on) (?:my|the) order /,
  / (?:in stock|restock|back in stock|do you sell|recommend|size guide|opening hours) /,
];

const PROBLEM =
  / (?:damaged|damage|broken|broke|defective|faulty|ripped|torn|cracked|scratched|dirty|stained|leaking|unusable) | (?:does|do|did|is|are|has) not (?:work|fit|working|turn on|charge|match|what i)| stopped working | wrong (?:item|size|color|one|product|thing|order|items) | (?:too|so|much too) (?:small|big|large|tight|loose|short|long|wide) | not as described | (?:is|are|was|were) missing | (?:missing|forgot) (?:item|items|part|parts|something|a|one|the|my) | is missing /;

function intentsOf(piece: readonly Word[]): Intent[] {
  const text = phrase(piece);
  const any = (patterns: readonly RegExp[]) => patterns.some((pattern) => pattern.test(text));
  if (any(POLICY)) return ["policy"];
  if (MONEY.test(text) && any(MONEY_STATUS)) return ["money_status"];
  if (any(RETURN_STATUS)) return ["return_status"];
  const found: Intent[] = [];
  const returned = ALREADY_RETURNED.test(text);
  const wantsReturn = any(RETURN) && !RETURN_WORDS_ONLY.test(text) && !NO_RETURN.test(text) && !returned;
  const wantsRefund = any(REFUND) && !NO_REFUND.test(text);
  if (wantsReturn) found.push("return");
  // "send it back for a refund" is one wish: the return.
  if (wantsRefund && !wantsReturn) found.push("refund");
  if (found.length === 0 && any(BEYOND)) return ["beyond"];
  if (found.length === 0 && any(ORDER_STATUS)) return ["order_status"];
  if (found.length === 0 && PROBLEM.test(text)) return ["problem"];
  return found;
}

/** Enough for anything a person asks in one message; more is noise. */
const MOST_REQUESTS = 4;

interface Piece {
  readonly words: readonly Word[];
  /** Index of its sentence. */
  readonly sentence: number;
}

/** Clauses, or whole sentences where only the whole makes sense ("send the socks and the jacket back"). */
function piecesOf(words: readonly Word[]): Piece[] {
  return splitAfter(words, endsSentence).flatMap((sentence, index) => {
    const clauses = splitAfter(sentence, splitsClause);
    const readable = clauses.some((clause) => intentsOf(clause).some((intent) => intent !== "problem"));
    const pieces = readable || clauses.length > MOST_CLAUSES ? clauses : [sentence];
    return pieces.map((piece) => ({ words: piece, sentence: index }));
  });
}
const MOST_CLAUSES = 12;

/** "And the socks.", "Only the jacket.": a sentence that goes on with the wish before it. */
const GOES_ON = /^ (?:and|also|plus|only|just|not|except|but|without) /;

/** The requests of a message in order of mention. A part that asks for nothing belongs to its neighbour. */
export function requestsIn(words: readonly Word[]): Request[] {
  const open: { intent: Intent; words: Word[]; core: Word[]; sentence: number }[] = [];
  let before: Word[] = [];
  const read = piecesOf(words).map((piece) => ({ ...piece, intents: intentsOf(piece.words) }));
  const asks = read.some(({ intents }) => intents.some((intent) => intent !== "problem"));
  for (const { words: piece, sentence, intents } of read) {
    const intent = intents.find((it) => !asks || it !== "problem");
    const last = open.at(-1);
    if (intent === undefined) {
      if (last === undefined) before.push(...piece);
      else {
        last.words.push(...piece);
        if (sentence === last.sentence || GOES_ON.test(phrase(piece))) last.core.push(...piece);
      }
    } else if (last !== undefined && (last.intent === intent || open.length >= MOST_REQUESTS)) {
      last.words.push(...piece);
      last.core.push(...piece);
      last.sentence = sentence;
    } else {
      open.push({ intent, words: [...before, ...piece], core: [...piece], sentence });
      before = [];
    }
  }
  return withoutEchoes(open);
}

const GENERIC =
  /^(?: (?:i|would|want|like|to|get|getting|a|an|the|my|me|full|please|refund|refunded|money|back|and|for|it|them|that|this|give|can|could|you|be|have|need|so|then|or|also|all|of|in|just|will|how|do|is|possible|now|asap|want|credited|reimbursed)| [.,!?\n])+ $/;

/** "return the jacket and get my money back" is one wish; so is a status question asked twice. */
function withoutEchoes(requests: readonly Request[]): Request[] {
  const wantsReturn = requests.some(({ intent }) => intent === "return");
  const kept = requests.filter(({ intent, words }) => {
    return !(intent === "refund" && wantsReturn && GENERIC.test(phrase(words)));
  });
  const merged: { intent: Intent; words: Word[]; core: Word[] }[] = [];
  for (const { intent, words, core } of kept) {
    const same = merged.find((it) => it.intent === intent && intent !== "refund" && intent !== "return");
    if (same === undefined) merged.push({ intent, words: [...words], core: [...core] });
    else {
      same.words.push(...words);
      same.core.push(...core);
    }
  }
  return merged;
}

/** "Show me my orders." */
export const asksForList = (words: readonly Word[]): boolean => LISTS_ORDERS.test(phrase(words));

/** The customer says that something which should be there is not. */
export const saysNotReceived = (words: readonly Word[]): boolean => NOT_RECEIVED.test(phrase(words));

const RETRACTS =
  / (?:never mind|forget (?:it|that|about it|about that|this)|cancel (?:it|that|this|(?:the|my|this) (?:refund|return|request))|scrap (?:it|that)|do not bother|no wait|wait no|hold on|leave it|do not (?:do (?:it|that|anything)|go ahead|proceed|send it|want (?:it|that|this)(?: anymore| any more)?)) | (?:changed my mind|on second thought|on second thoughts) | stop (?:it|that|this|the (?:refund|return)) | (?:do not|not) (?:want|need) (?:a|the|to|any)? ?(?:refund|return)(?: \S+){0,3} (?:anymore|any more|after all) /;
const RETRACTS_WHOLE =
  /^ (?:oh |okay |please |sorry |actually |no )*(?:stop|cancel|wait|abort|quit|nothing|no thanks|no thank you|forget|stop please|cancel please)(?: please| sorry| no| now)* $/;

/** "never mind", "stop", "no wait": what was begun is not wanted (any more). */
export const retracts = (words: readonly Word[]): boolean =>
  RETRACTS.test(phrase(words)) || RETRACTS.test(bare(words)) || RETRACTS_WHOLE.test(bare(words));

/** "cancel my refund": of something that was asked for before. */
export const cancelsEffect = (words: readonly Word[]): boolean =>
  / (?:cancel|stop|reverse|undo|withdraw)(?: \S+){0,2} (?:refund|return)(?: request)? /.test(phrase(words));

const ANGRY =
  / (?:ridiculous|terrible|awful|worst|unacceptable|disgusting|disgrace|angry|furious|scam|scammers?|useless|disappointed|disappointing|joke|fed up|horrible|pathetic|frustrated|frustrating|annoyed|annoying|rubbish|garbage|crap|shit|bullshit|fuck|fucking|fuming|outrageous|shameful|incompetent|sick of|never (?:order|buy|buying|shop)(?:ing)? (?:\S+ ){0,3}again|complain|complaint|bad service|wtf|thieves|liars) /;
export const isAngry = (words: readonly Word[]): boolean => ANGRY.test(bare(words));

const GENERAL =
  / (?:how (?:long|fast|quickly) (?:does|do|is|are) (?:the |your |standard |express |a )*(?:shipping|delivery|parcels?|packages?|orders?|you)(?: \S+){0,2} (?:take|ship|deliver)|(?:how (?:long|fast) (?:is|are)|what (?:is|are)) (?:the |your )*(?:shipping|delivery) (?:times?|costs?|fees?|prices?|options?)|do you (?:ship|deliver|offer|have|sell)|(?:shipping|delivery) (?:costs?|fees?|rates?|charges?|prices?|times?)|how much (?:is|are|does|do)(?: \S+){0,2} (?:shipping|delivery|postage)) /;
/** A question about how the shop works, not about an order of one's own. */
export const asksInGeneral = (words: readonly Word[]): boolean => {
  const text = phrase(words);
  return GENERAL.test(text) && !/ (?:my|mine|it|#\d+|\d{3,}) /.test(text);
};

const WANTS_DONE =
  / (?:charged|billed|debited|overcharged|exchange|swap|replace|replaced|cancel|canceled|change|update|correct|wrong|edit|fix|password|log in|login|add|remove)(?: \S+)* /;
/** Of what is beyond the workflows: something to be told, not something to be done. */
export const asksForInformation = (words: readonly Word[]): boolean => !WANTS_DONE.test(phrase(words));

export type Courtesy = "greeting" | "thanks" | "bye" | "identity" | "help" | "yes" | "no";

const COURTESIES: readonly (readonly [Courtesy, RegExp])[] = [
  [
    "identity",
    / (?:are|r) you (?:a |an )?(?:bot|robot|human|ai|real|machine|chatbot|real person) | who are you | what are you /,
  ],
  [
    "help",
    / what (?:can|do) you do | how (?:can|does) (?:you|this) (?:help|work) |^ (?:please )?(?:help|help me|i need help|can you help(?: me)?|i need some help|menu|options|support|i have a question|question)(?: please)? $/,
  ],
  [
    "yes",
    /^ (?:yes|yeah|yep|yup|sure|okay|y|please do|of course|correct|right|exactly|that is right|si|ja|oui|do it|go ahead|confirm)(?: (?:please|thanks|yes|okay|sure|do|that|it|go ahead|do it|of course))* $/,
  ],
  [
    "no",
    /^ (?:no|nope|nah|n|not really|no it is not|nothing else|that is all|that is it|all good|nein|non)(?: (?:please|thanks|thank you|no|that is all|that is it|all good|for now|i am good))* $/,
  ],
  [
    "thanks",
    / (?:thanks|thank you|cheers|appreciate it|much appreciated|great|perfect|awesome|wonderful|brilliant|cool|nice one|good bot|danke|gracias|merci) /,
  ],
  ["bye", / (?:bye|goodbye|see you|good night|have a (?:good|nice|great) (?:day|one|evening)) /],
  [
    "greeting",
    /^ (?:hi|hello|hey|hiya|yo|good (?:morning|afternoon|evening|day)|greetings|howdy|hallo|hola|bonjour)(?: (?:there|hi|hello|team|all|everyone|guys|you|how are you|again|support|folks|to you|good morning))*(?: \S+)? $/,
  ],
];

/** What a message is when it asks for nothing. */
export function courtesyIn(words: readonly Word[]): Courtesy | null {
  const text = bare(words);
  return COURTESIES.find(([, pattern]) => pattern.test(text))?.[0] ?? null;
}

const REASONS: readonly (readonly [string, RegExp])[] = [
  [
    "Damaged",
    / (?:damaged|broken|broke|defective|faulty|ripped|torn|cracked|scratched|stained|leaking|stopped working|(?:does|do|did|is) not (?:work|working|turn on|charge)) /,
  ],
  [
    "Not as described",
    / (?:not as described|not what i (?:ordered|expected)|wrong (?:item|color|product|thing|one)|looks? (?:nothing|different)|different (?:from|than|to)|not like the (?:picture|photo)|misleading) /,
  ],
  ["Too small", / (?:too|so|bit|much too|little) (?:small|tight|short|narrow) /],
  ["Too big", / (?:too|so|bit|much too|little) (?:big|large|loose|long|wide|baggy) /],
  ["Does not fit", / (?:(?:does|do|did) not fit|wrong size|bad fit|poor fit|not my size) /],
  ["Arrived too late", / (?:too late|arrived late|came late|late delivery) /],
  [
    "Changed my mind",
    / (?:changed? (?:my |our )?mind|(?:do not|no longer|not) (?:want|need|like) (?:it|them|this|these|the)|no longer (?:want|need|wanted|needed)|(?:do not|did not) like|by (?:mistake|accident)|unwanted|regret|buyer) /,
  ],
];

/** The reason for a return that a message gives, in a few fixed words; null when it gives none of them. */
export function reasonIn(words: readonly Word[]): string | null {
  const text = bare(words);
  return REASONS.find(([, pattern]) => pattern.test(text))?.[0] ?? null;
}

/** "Is it done?", "any news?": about whatever is on record, said without naming it. */
export function asksHowItStands(words: readonly Word[]): boolean {
  return (
    words.length <= LONGEST_STATUS_QUESTION_WORDS &&
    HOW_IT_STANDS.some((pattern) => pattern.test(phrase(words)))
  );
}
const LONGEST_STATUS_QUESTION_WORDS = 12;
const HOW_IT_STANDS: readonly RegExp[] = [
  / (?:is|was|has|did) (?:it|that|this|everything)(?: \S+){0,3} (?:done|approved|decided|through|finished|ready|confirmed|complete|completed|settled|processed|work|worked|ok|okay) /,
  / (?:any|what is the|what's the|whats the) (?:news|update|updates|status|progress) /,
  / (?:how does it look|how is it going|what is happening|what now|and now|still waiting) /,
  /^ status(?: \S+)? $/,
];
