/**
 * English sentences. The text is lower case, contractions are written out, slips of words of requests are
 * put right; punctuation stands as words of its own where it says where a sentence ends. Gaps are bounded,
 * so reading is linear.
 */
import type { Patterns } from "./lexicon.ts";

const GREETING_START =
  "(?:hi |hello |hey |hey there |hi there |please |so |and |but |also |okay |um |, |just )*";
const ASKS = `^ ${GREETING_START}`;
const PERSON =
  "(?:humans?|person|people|agent|representative|rep|someone|somebody|manager|supervisor|operator|advisor|" +
  "adviser|colleague|coworker|staff|employee|team member|team|customer (?:service|support|care))";

export const ENGLISH_PATTERNS: Patterns = {
  policy: [
    / (?:policy|policies|terms|return window|refund window) /,
    / (?:how long|how many days)(?: \S+){0,4} (?:return|refund|send) /,
    / do i (?:have|need) to(?: \S+){0,4} (?:return|send|pay|refund) /,
    / (?:who pays|do you (?:accept|offer|do|give|take|allow)(?: \S+){0,2} (?:returns?|refunds?)) /,
    / how (?:do|does) (?:your )?(?:returns|refunds) work /,
    / what (?:is|are) (?:your|the)(?: \S+){0,3} (?:rules?|conditions) /,
  ],
  /** Only where money is named. */
  moneyStatus: [
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
  ],
  refund: [
    / refund(?:s|ed|ing|able)? /,
    / reimburse(?:d|ment)? /,
    / (?:money|cash|payment) back /,
    / (?:want|need|give|get|have)(?: \S+){0,3} my money /,
    / (?:pay|paid) me back /,
    / (?:compensation|compensate|goodwill) /,
    / (?:paid|spent)(?: \S+){0,4} want(?: \S+){0,3} back /,
  ],
  noRefund: [
    / (?:do not|not|no longer) (?:want|need|asking for|ask for|looking for|after)(?: (?:a|the|any|my|to|be))* (?:refund|refunded|money back) | (?:no|not a|not the|not|instead of|rather than)(?: (?:a|the|getting))* (?:refund|money back) | do not refund /,
  ],
  return: [
    / (?:return|returning|returns|returnable) /,
    / (?:send|sending|give|bring|take|ship|mail|post)(?: \S+){0,6} back /,
    / (?:want|need|like)(?: \S+){0,6} returned /,
    / be returned /,
  ],
  notReturn: [
    / (?:in return|return (?:policy|address|window)|give me(?: \S+){0,4} back|pay(?: \S+){0,3} back) /,
  ],
  noReturn: [
    / (?:do not|not|no longer|without|instead of|rather than)(?: (?:want|need|going|like|have|to|a|the|it|wanting))* (?:return|returning|send|sending) /,
  ],
  alreadyReturned: [
    / (?:i|we|have|already|was|were|has|been|got) (?:have |already |just )*(?:returned|sent(?: \S+){0,5} back|shipped(?: \S+){0,4} back|mailed(?: \S+){0,4} back) /,
  ],
  returnStatus: [
    / (?:where|status|update|news)(?: \S+){0,4} return /,
    / return (?:status|update|progress) /,
    / (?:did|have|has) (?:you|the warehouse|it|they|my return|the return)(?: \S+){0,3} (?:receive|received|get|got|arrived|arrive|processed)(?: \S+){0,3} (?:return|back) /,
    / (?:has|is|was) (?:my|the) return(?: \S+){0,3} (?:received|arrived|processed|complete|accepted|registered|there) /,
  ],
  listsOrders: [
    / (?:show|list|see|view|what|which|my|all)(?: \S+){0,2} (?:orders|purchases)(?: (?:do|did|have) i (?:have|made|make|place|placed))? /,
  ],
  orderStatus: [
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
    / says? (?:it is |it was |it has been |it |that it was )?delivered /,
    / (?:check|see|look at|look up|find)(?: \S+){0,3} (?:order|package|parcel|delivery|shipment) /,
  ],
  notReceived: [
    / (?:not|never)(?: \S+){0,4} (?:arrived|arrive|came|come|received|receive|recieved|got|gotten|get|turned up|showed up|show up|here|seen) | (?:lost|stolen|missing) (?:package|parcel|order|delivery|shipment) | (?:order|package|parcel|delivery|shipment|it) (?:is|was|has been|must be|seems) (?:lost|stolen|missing) | (?:do not|does not) have (?:it|the package|the parcel|my order|my package) | says? (?:it is |it was |it has been |it )?delivered but /,
  ],
  beyond: [
    / (?:charged|billed|debited|paid)(?: \S+){0,3} (?:twice|double|two times) | (?:double|duplicate|wrong) charge | overcharged /,
    / (?:exchange|swap|replace|replacement|replaced) /,
    / (?:different|another|bigger|smaller|larger) (?:size|color|one) (?:instead|please)? ?/,
    / cancel(?:ed|ing)?(?: \S+){0,3} (?:order|orders|purchase|#\d+|\d{3,}) /,
    / (?:change|update|correct|wrong|edit|fix)(?: \S+){0,4} (?:address|email|phone number) /,
    / (?:invoice|receipt|vat|password|log in|login|gift card|voucher|promo code|discount code|coupon|warranty|repair|price match|newsletter|unsubscribe|subscription) /,
    / (?:add|change|remove)(?: \S+){0,4} (?:to|in|from|on) (?:my|the) order /,
    / (?:in stock|restock|back in stock|do you sell|recommend|size guide|opening hours) /,
  ],
  problem: [
    / (?:damaged|damage|broken|broke|defective|faulty|ripped|torn|cracked|scratched|dirty|stained|leaking|unusable) | (?:does|do|did|is|are|has) not (?:work|fit|working|turn on|charge|match|what i)| stopped working | wrong (?:item|size|color|one|product|thing|order|items) | (?:too|so|much too) (?:small|big|large|tight|loose|short|long|wide) | not as described | (?:is|are|was|were) missing | (?:missing|forgot) (?:item|items|part|parts|something|a|one|the|my) | is missing /,
  ],
  retracts: [
    / (?:never mind|forget (?:it|that|about it|about that|this)|cancel (?:it|that|this|(?:the|my|this) (?:refund|return|request))|scrap (?:it|that)|do not bother|no wait|wait no|hold on|leave it|do not (?:do (?:it|that|anything)|go ahead|proceed|send it|want (?:it|that|this)(?: anymore| any more)?)) | (?:changed my mind|on second thought|on second thoughts) | stop (?:it|that|this|the (?:refund|return)) | (?:do not|not) (?:want|need) (?:a|the|to|any)? ?(?:refund|return)(?: \S+){0,3} (?:anymore|any more|after all) /,
  ],
  retractsWhole: [
    /^ (?:oh |okay |please |sorry |actually |no )*(?:stop|cancel|wait|abort|quit|nothing|no thanks|no thank you|forget|stop please|cancel please)(?: please| sorry| no| now)* $/,
  ],
  cancelsEffect: [/ (?:cancel|stop|reverse|undo|withdraw)(?: \S+){0,2} (?:refund|return)(?: request)? /],
  withdraws: [
    / (?:cancel|stop|withdraw|drop|revoke|call off|ignore|scrap|forget)(?: \S+){0,4} (?:my|the|that|this|previous|earlier)(?: \S+){0,4} (?:refund|return|exchange|rma|replacement)s?(?: request)? /,
    / (?:no longer|do not|dont|don t)(?: \S+){0,2} (?:want|need|require)(?: (?:a|the|any|my|to))* (?:refund|return|exchange)(?: \S+){0,3} (?:anymore|any more|after all|ill keep|i ll keep|i will keep|keeping) /,
  ],
  angry: [
    / (?:ridiculous|terrible|awful|worst|unacceptable|disgusting|disgrace|angry|furious|scam|scammers?|useless|disappointed|disappointing|joke|fed up|horrible|pathetic|frustrated|frustrating|annoyed|annoying|rubbish|garbage|crap|shit|bullshit|fuck|fucking|fuming|outrageous|shameful|incompetent|sick of|never (?:order|buy|buying|shop)(?:ing)? (?:\S+ ){0,3}again|complain|complaint|bad service|wtf|thieves|liars) /,
  ],
  general: [
    / (?:how (?:long|fast|quickly) (?:does|do|is|are) (?:the |your |standard |express |a )*(?:shipping|delivery|parcels?|packages?|orders?|you)(?: \S+){0,2} (?:take|ship|deliver)|(?:how (?:long|fast) (?:is|are)|what (?:is|are)) (?:the |your )*(?:shipping|delivery) (?:times?|costs?|fees?|prices?|options?)|do you (?:ship|deliver|offer|have|sell)|(?:shipping|delivery) (?:costs?|fees?|rates?|charges?|prices?|times?)|how much (?:is|are|does|do)(?: \S+){0,2} (?:shipping|delivery|postage)) /,
  ],
  wantsDone: [
    / (?:charged|billed|debited|overcharged|exchange|swap|replace|replaced|cancel|canceled|change|update|correct|wrong|edit|fix|password|log in|login|add|remove)(?: \S+)* /,
  ],
  howItStands: [
    / (?:is|was|has|did) (?:it|that|this|everything)(?: \S+){0,3} (?:done|approved|decided|through|finished|ready|confirmed|complete|completed|settled|processed|work|worked|ok|okay) /,
    / (?:any|what is the|what's the|whats the) (?:news|update|updates|status|progress) /,
    / (?:how does it look|how is it going|what is happening|what now|and now|still waiting) /,
    /^ status(?: \S+)? $/,
  ],
  legal: [
    / (?:report\w*)(?: \S+){0,4} (?:police|authorities) | police(?: \S+){0,4} report\w* /,
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
    / (?:lawyers?|attorneys?|solicitors?|barristers?|legal (?:action|steps|proceedings|counsel|advice|team|letter)|lawsuit|litigation|ombudsman|small claims|class action|sue you|sueing you|suing you|take you to court|in court) /,
    / (?:will|going to|gonna|to|might|i) sue /,
    / (?:consumer (?:protection|council|rights act|affairs|agency|ombudsman|authority)|trading standards|better business bureau|bbb|ftc|attorney general|data protection (?:authority|officer|commissioner)|information commissioner) /,
  ],
  noThreat: [
    / (?:i am|i m|im|as|my (?:wife|husband|son|daughter|father|mother|friend|sister|brother) is) (?:a |an )?(?:lawyer|attorney|solicitor) | (?:gift|present|suit|briefcase|book)(?: \S+){0,4} (?:lawyer|attorney|solicitor) | (?:no|not|without) (?:a )?(?:lawyer|legal action|lawsuit) /,
  ],
  safety: [
    / (?:kill|hurt|harm|cut|hang)(?:ing)? (?:myself|yourself|you all|you|him|her|them|someone|somebody|people) /,
    / (?:suicide|suicidal|self harm) /,
    / (?:end|take) (?:my|his|her) (?:own )?life /,
    / (?:want|going|ready) to die /,
    / (?:bomb|shoot|shooting|burn down|blow up) (?:you|your|the|this|up)\b/,
    / (?:caught|catch|on) fire /,
    / (?:exploded|exploding|electrocuted|electric shock|choked|choking|allergic reaction|hospital|injured|injury) /,
    / (?:burned|burnt|cut|hurt) (?:my|his|her|our) (?:hand|hands|face|skin|arm|leg|foot|feet|fingers?|child|kid|son|daughter|baby|dog|cat)\b/,
    / (?:battery|charger)(?: \S+){0,3} (?:swollen|swelled|smoke|smoking|melted|overheated) /,
  ],
  person: [
    / (?:no|not a|without) (?:bots?|robots?|machine|computer) (?:please|here|anymore) | (?:escalate|live chat) (?:this )?(?:please|now) |^ (?:escalate this|live chat)(?: \S+){0,2} $/,
    / (?:is there|are there|is not there|is any|got any)(?: \S+){0,3} (?:human|humans|person|people|somebody|someone|anybody|anyone)(?: \S+){0,4} (?:here|there|house|talk|speak|call|help|real|phone) /,
    / (?:put|get|pass) me (?:through|on) to | (?:someone|somebody|a human|human being|a person) (?:real|now|please) | whoever (?:is|s) in charge | (?:need|want|get|give me) (?:someone|somebody) (?:who|that) /,
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
  ],
  noPerson: [
    / (?:do not|not|no need|without|rather than|instead of|hate)(?: (?:want|need|like|having|have|to|a|talk|speak|talking|speaking|with|wanna|real|the))* (?:human|person|agent|someone|somebody|manager|representative) /,
  ],
  identity: [
    / (?:are|r) you (?:a |an )?(?:bot|robot|human|ai|real|machine|chatbot|real person) | who are you | what are you /,
  ],
  whatCanYouDo: [
    / what (?:can|do) you do | how (?:can|does) (?:you|this) (?:help|work) |^ (?:please )?(?:help|help me|i need help|can you help(?: me)?|i need some help|menu|options|support|i have a question|question)(?: please)? $/,
  ],
  damaged: [
    / (?:damaged|broken|broke|defective|faulty|ripped|torn|cracked|scratched|stained|leaking|stopped working|(?:does|do|did|is) not (?:work|working|turn on|charge)) /,
  ],
  notDescribed: [
    / (?:not as described|not what i (?:ordered|expected)|wrong (?:item|color|product|thing|one)|looks? (?:nothing|different)|different (?:from|than|to)|not like the (?:picture|photo)|misleading) /,
  ],
  tooSmall: [/ (?:too|so|bit|much too|little) (?:small|tight|short|narrow) /],
  tooBig: [/ (?:too|so|bit|much too|little) (?:big|large|loose|long|wide|baggy) /],
  doesNotFit: [/ (?:(?:does|do|did) not fit|wrong size|bad fit|poor fit|not my size) /],
  tooLate: [/ (?:too late|arrived late|came late|late delivery) /],
  unwanted: [
    / (?:changed? (?:my |our )?mind|(?:do not|no longer|not) (?:want|need|like) (?:it|them|this|these|the)|no longer (?:want|need|wanted|needed)|(?:do not|did not) like|by (?:mistake|accident)|unwanted|regret|buyer) /,
  ],
  agrees: [
    /^ (?:yes|yeah|yep|yup|sure|okay|y|please do|of course|correct|right|exactly|that is right|do it|go ahead|confirm)(?: (?:please|thanks|yes|okay|sure|do|that|it|go ahead|do it|of course))* $/,
  ],
  declines: [
    /^ (?:no|nope|nah|n|not really|no it is not|nothing else|that is all|that is it|all good)(?: (?:please|thanks|thank you|no|that is all|that is it|all good|for now|i am good))* $/,
  ],
  thanks: [
    / (?:thanks|thank you|cheers|appreciate it|much appreciated|great|perfect|awesome|wonderful|brilliant|cool|nice one|good bot) /,
  ],
  bye: [/ (?:bye|goodbye|see you|good night|have a (?:good|nice|great) (?:day|one|evening)) /],
  greets: [
    /^ (?:hi|hello|hey|hiya|yo|good (?:morning|afternoon|evening|day)|greetings|howdy)(?: (?:there|hi|hello|team|all|everyone|guys|you|how are you|again|support|folks|to you|good morning))*(?: \S+)? $/,
  ],
  beginsWithYes: [
    /^ (?:oh |well |hi |please )*(?:yes|yeah|yep|yup|sure|okay|go ahead|please do|do it|confirm|correct|i agree|try again|fine|that is fine|sounds good) /,
  ],
  beginsWithNo: [/^ (?:no|nope|nah|not|do not|rather not|i do not|i would rather not) /],
  accepts: [/^ (?:okay|fine|that is fine|alright|i see|understood|got it|thanks|thank you|no thanks) /],
  contests: [
    /^ (?:yes|yeah|please|yep|sure|do that|please do|ask|why) |(?:colleague|person|unfair|not fair|but|disagree|wrong|still|come on|exception|appeal) /,
  ],
  howLong: [/ how long (?:does|will|would|do) (?:it|that|this|the refund) /],
  terms: [
    / (?:which|what|my) (?:card|account|paypal)| original payment | where (?:will|does|would|do)(?: \S+){0,3} (?:money|refund|it) | how much | what (?:do you mean|exactly|would|is that|was that|offer) /,
  ],
  shippingBack: [
    / (?:shipping|postage|delivery) (?:fee|fees|cost|costs|charge|charges|price) | (?:refund|return|back|for|of)(?: (?:the|my|me|for))* (?:shipping|postage) /,
  ],
};
