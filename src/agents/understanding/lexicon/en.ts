/** English. */
import { ENGLISH_PATTERNS } from "./en-patterns.ts";
import { ENGLISH_PRODUCTS } from "./en-products.ts";
import type { Lexicon } from "./lexicon.ts";

export const ENGLISH: Lexicon = {
  language: "en",
  answers: {
    yes: `yes|yeah|yea|yep|yup|yessir|y|aye|sure|sure thing|of course|certainly|absolutely|definitely|ok|okay|okey|
      confirm|confirmed|i confirm|i confirm it|i confirm that|agreed|i agree|correct|that's correct|thats correct|
      that is correct|that's right|thats right|that is right|go ahead|go for it|go on|do it|do that|do so|
      please do|proceed|please proceed|sounds good|that sounds good|looks good|that looks good|that works|
      works for me|that's fine|thats fine|that is fine|that's ok|thats ok|that is ok|that's okay|let's do it|
      lets do it|let's do that|let's go|i'd like that|i would like that|i want that|yes i do|yes i want that|
      yes i am sure|yes i'm sure|yes that's it|make it so|approved|i accept|accept|accepted`,
    no: `no|nope|nah|n|no way|not now|no thanks|no thank you|never|never mind|nevermind|nvm|don't|dont|do not|
      don't do it|dont do it|do not do it|don't do that|dont do that|do not do that|please don't|stop|stop it|
      cancel|cancel it|cancel that|forget it|forget that|leave it|rather not|i'd rather not|i would rather not|
      i changed my mind|changed my mind|scrap that|abort|i don't want it|i don't want that|i dont want that|
      i do not want that|no wait|wait no`,
    courtesy: `please|pls|plz|thanks|thank you|thank you very much|thank you so much|thanks a lot|many thanks|thx|ty|
      cheers|great|perfect|awesome|wonderful|lovely|brilliant|that's great|that's perfect|hi|hello`,
    neither: "no problem|no worries|not sure",
  },
  words: {
    where: "where|wher|whre",
    when: "when",
    howLong: "how long|how many days|how quickly|how fast|what time frame",
    how: "how",
    order: "order|parcel|package|purchase|shipment|delivery|ordernumber",
    orders: "orders|parcels|packages|purchases|shipments",
    money: "money|cash",
    shipping: "shipping|delivery|postage",
    cost: "cost|costs|fee|fees|price|prices|charges",
    refund: "refund|refunds|refunding|refundable|reimburse|reimbursement|repayment",
    refunded: "refunded|reimbursed",
    return: "return|returning|returns|returnable",
    returned: "returned",
    giveBack: "",
    repay: "",
    give: "give|transfer",
    back: "back",
    send: "send|sending|bring|take|ship|mail|post",
    exchange: "exchange|swap|replace|replacement|replaced",
    cancel: "cancel|canceled|canceling|cancelling|cancellation",
    compensation: "compensation|compensate|goodwill",
    goodwill: `compensation|compensate|goodwill|good will|partial refund|partially|trouble|inconvenience|apology|gesture|discount|price difference|price match|price drop|price adjustment|late delivery|arrived late|overcharged|damaged`,
    outside: `invoice|receipt|vat|password|log in|login|gift card|voucher|promo code|discount code|coupon|warranty|repair|
      price match|newsletter|unsubscribe|subscription|in stock|restock|size guide|opening hours`,
    charged: "charged|billed|debited|paid|overcharged",
    twice: "twice|double|two times",
    change: "change|update|correct|edit|fix",
    address: "address|email|phone number",
    want: "want|would like|need|wish|can you|could you|can i|could i|may i",
    please: "please",
    arrive: `arrive|arrives|arrived|arriving|come|comes|came|coming|received|receive|recieved|got|gotten|get|delivered|
      deliver|here|turned up|showed up|reach|reached|seen|shown|appeared`,
    ship: "shipped|dispatched|sent|on its way|on the way|out for delivery",
    track: "track|tracking|trackin|eta|whereabouts|wismo",
    status: "status|progress",
    news: "update|updates|news|information|info|word",
    late: "late|delayed|overdue|delay",
    lost: "lost|stolen|missing|stuck",
    wait: "waiting|wait|waited",
    says: "says|said|say|claims|shows",
    delivered: "delivered",
    is: "is|are|was|were",
    have: "have|has|had",
    my: "my|our|mine",
    show: "show|list|see|view|which",
    policy: "policy|policies|return window|refund window",
    must: "do i have to|do i need to|must i",
    accepts: "do you accept|do you offer|do you give|do you take|do you allow",
    whoPays: "who pays",
    delivers: "do you ship|do you deliver",
    not: "not|never",
    still: "still|yet",
    already: "already",
    anymore: "anymore|any more|no longer",
    instead: "instead of|rather than",
    and: "and|or|plus",
    clause: "and|but|also|then|plus|because|since|so|though|although|however",
    broken: `damaged|damage|broken|broke|defective|faulty|ripped|torn|cracked|scratched|dirty|stained|leaking|unusable`,
    wrong: "wrong",
    rejected: "rejected|refused|turned down",
    missing: "missing|forgot",
    too: "too|much too",
    small: "small|tight|short|narrow",
    big: "big|large|loose|long|wide|baggy",
    fit: "fit|fits",
    works: "work|works|working|charge|turn on",
    described: "as described|what i ordered|what i expected|like the picture|like the photo",
    dislike: "like|likes",
    mistake: "by mistake|by accident",
    changedMind: "changed my mind|change my mind|changed our mind",
    noReason: "no reason|rather not say|none of your business",
    forget: "never mind|forget it|forget that|forget about it|leave it|scrap that",
    stop: "stop|cancel|wait|abort|quit|nothing",
    angry: "",
    again: "again|retry|try again",
    yes: "yes|yeah|yep|yup|sure|okay|go ahead|correct|of course",
    no: "no|nope|nah",
    thanks: "thanks|thank you|cheers",
    bye: "bye|goodbye|good night",
    greeting: "hi|hello|hey|hiya|good morning|good afternoon|good evening",
    help: "help|help me",
    latest: "latest|newest|most recent|last|recent|previous",
    oldest: "oldest|earliest",
    other: "other",
    number: "number|no|nr|num|id",
    placed: "ordered|bought|placed|purchased",
    otherNumber: `size|sku|model|phone|tel|zip|code|postcode|plz|since|year|january|february|march|april|may|june|july|august|
      september|october|november|december`,
    period: "week|month|year|time|night|day|weekend",
    today: "today|today's",
    yesterday: "yesterday|yesterday's",
    dayBefore: "day before yesterday|the day before yesterday",
    whole: "",
    every: "all|every|each",
    both: "both",
    also: "",
    one: "a|an|single|another|one",
    pair: "pair",
    pairs: "pairs",
    between: "of|the|my|those|these|your|this|that|pieces|piece|pcs|pc|x|units|unit|new|more",
    except: "except|excluding|without|minus|apart from|other than|leave out|instead of",
    keep: "keep|keeping",
    only: "only|just",
    currency: `usd|eur|gbp|jpy|kwd|chf|cad|aud|dollar|dollars|bucks|euro|euros|pound|pounds|quid|yen|dinar|dinars`,
    of: "refund|me|back|of|amount|get|only|just|pay|for|return|on|from|to|please|in",
    elsewhere: `store credit|gift card|voucher|paypal|cash|bank account|different card|other card|another card|new card|
      different account|other account|another account|new account|iban|venmo|crypto|bitcoin`,
    terms: "",
    found: "",
    contest: "colleague|person|unfair|not fair|but|disagree|wrong|still|come on|exception|appeal|ask|why",
    accepted: "okay|fine|alright|i see|understood|got it|thanks|thank you",
  },
  patterns: ENGLISH_PATTERNS,
  numbers: "zero|one|two|three|four|five|six|seven|eight|nine|ten",
  ordinals: "first|second|third|fourth|fifth|last",
  products: ENGLISH_PRODUCTS,
  compounds: false,
  plain: `i|you|he|she|it|we|they|me|him|her|us|them|your|his|its|their|this|these|those|there|the|of|to|in|on|at|by|for|
    with|from|about|into|over|after|before|as|if|than|what|who|why|be|been|being|am|do|does|did|done|will|would|could|should|
    can|may|might|must|shall|make|made|go|went|gone|going|say|know|think|take|took|see|look|give|find|tell|told|ask|use|
    try|call|keep|let|put|buy|bought|ordered|ordering|item|items|thing|things|product|day|days|week|weeks|month|months|
    year|time|today|now|just|very|really|some|any|one|once|due|come|son|main|sale|date|pour|car|die|war|hat|bald|gift|mist|
    rot|sin|also|pan|dove|cane|estate|camera|parent|chat|note|petite|retard|ours|mine|line|place|plain|brand|size|color|
    dear|team|sir|madam|regards|sincerely|shop|store|more|most|much|many|few|other|another|same|such|own|so|then|too|
    only|even|still|here|well|good|great|nice|new|old|first|up|down|out|off|through|while|until|during|when|how|all|not|
    older|elder|odder|border|ordeal|honey|monkey|truck|crack|trick|trace|tracks|tracked|shopped|slipped|skipped|whipped|
    shopping|slipping|skipping|statue|statues|stats|spoken|damages|dressed|persons|humans|agents|managers|manage|later|
    latent|fastest|pleased|pleases|cancels|exchanged|exchanges|delivers|receives|receiver|arrival|refunding|aged|urgent|
    gent|tenant|whose|hole|attire|retire|detract|retract|refine|refined|layer|layers|english|cut|fin|tout|fort|large|pas|reste|
    son's|comment|plus|or|on|an|am|hast|links|brief|fast|rat|elf|tag|art|rock|herd|stern|tier|wand|handy|see|legs|mess|
    not|note|once|red|pie|sea|sale|salsa|pie|as|dos|use|mire|real|fan|sud|par|pair|lit|fin|coin|four|dent|rang|sort|tire`,
  short: `i'm=i am|im=i am|i'd=i would|i've=i have|ive=i have|i'll=i will|you've=you have|you're=you are|
    they're=they are|we're=we are|it's=it is|that's=that is|thats=that is|what's=what is|whats=what is|
    where's=where is|wheres=where is|when's=when is|how's=how is|who's=who is|there's=there is|here's=here is|
    let's=let us|don't=do not|dont=do not|doesn't=does not|doesnt=does not|didn't=did not|didnt=did not|won't=will not|
    wont=will not|can't=can not|cant=can not|cannot=can not|couldn't=could not|wouldn't=would not|shouldn't=should not|
    isn't=is not|isnt=is not|aren't=are not|arent=are not|wasn't=was not|wasnt=was not|weren't=were not|
    hasn't=has not|hasnt=has not|haven't=have not|havent=have not|hadn't=had not|ain't=is not|aint=is not|
    wanna=want to|gonna=going to|gotta=got to|gimme=give me|lemme=let me|pls=please|plz=please|u=you|ur=your|
    thx=thanks|tnx=thanks|ty=thanks|nvm=never mind|nevermind=never mind|ok=okay|okey=okay|k=okay|ya=yeah|
    colour=color|cancelled=canceled|c'mon=come on`,
  elided: "",
  spelled: `refund|refunds|refunded|return|returns|returning|returned|order|orders|ordered|money|track|tracking|delivery|
    delivered|arrive|arrived|arrives|shipped|shipping|parcel|package|packages|received|receive|status|person|human|agent|
    everything|cancel|exchange|please|reimburse|reimbursement|lawyer|attorney|chargeback|damaged|broken|address|
    representative|manager|latest|whole|entire`,
};
