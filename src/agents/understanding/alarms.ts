/** Words after which a person must take over, whatever else the message says. */
import { bare, type Word } from "./words.ts";

export type Alarm = "legal" | "safety";

const LEGAL = [
  / (?:lawyers?|attorneys?|solicitors?|lawsuit|litigation|barrister|ombudsman|chargebacks?) /,
  / (?:charge back|legal (?:action|advice|department|steps|proceedings|team)|small claims|class action) /,
  / (?:sue|suing) (?:you|your|the|this|them|company|over|for)\b/,
  / (?:will|going to|gonna|to|might|could|can) sue /,
  / (?:in|to|through) (?:the )?court /,
  / (?:see|take|taking) (?:you|them)(?: \S+){0,2} (?:court|tribunal) /,
  / (?:dispute|disputing|contest|reverse)(?: \S+){0,4} (?:charge|payment|transaction|bank|card) /,
  / (?:my|the) bank(?: \S+){0,4} (?:dispute|reverse|reversed|charge) /,
  / consumer (?:protection|rights|affairs|council|advice|law) /,
  / (?:trading standards|better business bureau|bbb|ftc|attorney general) /,
  / (?:gdpr|ccpa|data protection|dsgvo|right to be forgotten|subject access|data request|personal data) /,
  / (?:delete|erase|remove)(?: \S+){0,3} (?:data|account|personal information) /,
  / (?:report|reporting|reported)(?: \S+){0,4} (?:police|authorities|regulator|fraud) /,
  / (?:call|calling|contact|go to|involve)(?: \S+){0,1} police /,
];

const SAFETY = [
  / (?:kill|hurt|harm|cut|hang)(?:ing)? (?:myself|yourself|you all|you|him|her|them|someone|somebody|people) /,
  / (?:suicide|suicidal|self harm) /,
  / (?:end|take) (?:my|his|her) (?:own )?life /,
  / (?:want|going|ready) to die /,
  / (?:bomb|shoot|shooting|burn down|blow up) (?:you|your|the|this|up)\b/,
  / (?:caught|catch|on) fire /,
  / (?:exploded|exploding|electrocuted|electric shock|choked|choking|allergic reaction|hospital|injured|injury) /,
  / (?:burned|burnt|cut|hurt) (?:my|his|her|our) (?:hand|hands|face|skin|arm|leg|foot|feet|fingers?|child|kid|son|daughter|baby|dog|cat)\b/,
  / (?:battery|charger)(?: \S+){0,3} (?:swollen|swelled|smoke|smoking|melted|overheated) /,
];

/** The first alarm in a message, or null. */
export function alarmIn(words: readonly Word[]): Alarm | null {
  const text = bare(words);
  if (SAFETY.some((pattern) => pattern.test(text))) return "safety";
  return LEGAL.some((pattern) => pattern.test(text)) ? "legal" : null;
}

const PERSON =
  "(?:humans?|person|people|agent|representative|rep|someone|somebody|manager|supervisor|operator|advisor|" +
  "adviser|colleague|coworker|staff|employee|team member|team|customer (?:service|support|care))";
const WISHES_PERSON = [
  new RegExp(
    ` (?:talk|speak|speaking|talking|chat|connect|transfer|put|escalate|forward|pass|hand)(?: \\S+){0,5} ${PERSON} `,
  ),
  / (?:want|need|get|give|prefer|like|have|see)(?: \S+){0,3} (?:human|real person|live agent|representative|manager|supervisor|human being|live person|live chat|an agent) /,
  / (?:want|need|get|prefer) (?:me )?(?:a|an|another|real|actual|the) (?:person|agent|operator|human) /,
  / (?:real|live|actual) (?:human|person|agent|people|human being|support) /,
  new RegExp(`^ (?:please )?(?:a |an |the )?${PERSON}(?: now)?(?: please)?(?: now)? $`),
  /^ (?:human|agent|representative|operator) (?:human|agent|representative|operator) /,
  / (?:call|phone|ring) me(?: back| please| now| on| at)* /,
  / ask (?:a |an |your )?(?:person|colleague|human|manager|supervisor|someone) /,
  / (?:person|colleague|human|someone)(?: else)? (?:should|to|please|could|can|must|needs to) (?:look|help|check|call|answer|decide) /,
];
const NO_PERSON =
  / (?:do not|not|no need|without|rather than|instead of|hate)(?: (?:want|need|like|having|have|to|a|talk|speak|talking|speaking|with|wanna|real|the))* (?:human|person|agent|someone|somebody|manager|representative) /;

/** True when the customer would rather have a person. */
export function wishesPerson(words: readonly Word[]): boolean {
  const text = bare(words);
  return WISHES_PERSON.some((pattern) => pattern.test(text)) && !NO_PERSON.test(text);
}
