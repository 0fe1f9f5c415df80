/**
 * How claims and promises of effects are worded, language by language; matched on text without accents in
 * lower case (`reading.ts`). `done`: it has happened. `promised`: it will. What takes a match back: `denied`
 * in its clause, `supposed` at the start of its sentence, a question.
 */
import type { Language } from "../kernel/language.ts";

export interface ClaimWords {
  readonly done: readonly RegExp[];
  readonly promised: readonly RegExp[];
  /** In the clause of the match, up to its end: not, never, once, until. */
  readonly denied: RegExp;
  /** A whole sentence about what may come. */
  readonly supposed: RegExp;
  /** First words of a question; null: what ends with a question mark is one, but for "…, ok?". */
  readonly asked: RegExp | null;
  /** Words that start another clause: and, but, so. */
  readonly joins: RegExp;
  /** Denials that deny nothing: no problem, not only. */
  readonly reassuring: RegExp;
  /** How a match of somebody who speaks of what they did begins; there a denial stands inside, or close by. */
  readonly first: RegExp;
  /** Words before such a match among which a denial of it may stand: "no le he reembolsado". */
  readonly wordsBefore: number;
}

const words = (...sources: readonly string[]): readonly RegExp[] =>
  sources.map((source) => new RegExp(source, "gu"));
const B = "(?<![\\p{L}])";
const E = "(?![\\p{L}])";

// English
const STRONG = "refunded|credited|reimbursed|compensated|repaid";
const WEAK =
  "issued|processed|sent|initiated|completed|approved|returned|paid|transferred|registered|released|arranged|authori[sz]ed|granted|reversed|voided|wired|submitted|requested|triggered|finali[sz]ed|dispatched|deposited|put|given|made";
const DONE = `${STRONG}|issued|processed|sent|initiated|completed|approved|returned|paid|transferred|registered|released|arranged|authori[sz]ed|granted|reversed|voided|wired|submitted|finali[sz]ed|deposited`;
const LATELY =
  "(?:(?:now|just|already|also|then|gladly|happily|successfully|fully|gone ahead and|went ahead and)\\s+)*";
const MONEY = "refund|money|funds|amount|payment|return|credit|reimbursement|compensation";
const MY_MONEY =
  "(?:refund(?! requests?| polic| case| question| form| window| amount| of larger)|money|funds|reimbursement|compensation|credit(?! card)|cash|amount)";
const SOON =
  "(?:tomorrow|today|tonight|right away|immediately|shortly|soon|this week|next week|within (?:the hour|\\w+ (?:minutes?|hours?|days?|weeks?))|in (?:\\w+ )?(?:minutes?|hours?|days?|weeks?)|by (?:mon|tues|wednes|thurs|fri|satur|sun)day|by tomorrow)";

const EN_I_DID = `\\b(?:i|we)(?:'ve|'d|'ll have)?(?:\\s+(?:have|had))?\\s+${LATELY}`;

const en: ClaimWords = {
  done: words(
    `${EN_I_DID}(?:${STRONG})\\b`,
    `${EN_I_DID}(?:${WEAK})\\b.{0,40}\\b(?:${MY_MONEY}|(?:your|the|a) return(?! polic| window| period| question)|(?:it|you|\\d[\\d.,]*(?: \\w+)?) back)\\b`,
    `\\bconsider (?:it|that|this|your order) (?:refunded|done|sorted|credited)\\b`,
    `\\b(?:i'm|i am|we're|we are)\\s+${LATELY}(?:refunding|crediting|reimbursing|(?:issuing|processing|sending)\\s+(?:you\\s+)?(?:a|the|your)\\s+(?:refund|money|return))\\b`,
    `\\b(?:${MONEY})\\b.{0,60}\\b(?:has|have|had|was|were|is|are|been|got)\\s+${LATELY}(?:been\\s+)?${LATELY}(?:${DONE}|confirmed|done|complete|through|successful|on (?:its|the|their) way|back (?:on|in|with)\\b|in your (?:bank )?account)\\b`,
    `\\b(?:${MONEY})\\s+(?:of\\s+.{1,40}\\s+)?(?:went through|${DONE}|confirmed|successful|complete)\\b`,
    `(?:'ve|'s|\\b(?:has|have|is|are|was|were|got))\\s+${LATELY}(?:been\\s+)?${LATELY}(?:refunded|credited|reimbursed)\\b`,
    `\\b(?:successfully|fully)\\s+(?:refunded|processed|issued|returned|credited|reimbursed)\\b`,
    `\\b(?:refunded|processed|issued|credited|reimbursed)\\s+successfully\\b`,
    `^\\W*(?:(?:all )?done\\W+)?(?:refunded|reimbursed|credited)\\b`,
    `\\b(?:usd|eur|gbp|dollars?|euros?|pounds)\\b.{0,20}\\b(?:is|are)\\s+${LATELY}(?:back (?:on|in|with)|on (?:its|their|the) way|in your (?:bank )?account)\\b`,
    `\\byou\\s+(?:have|got)\\s+(?:now\\s+)?(?:your|the) (?:money|refund) back\\b`,
  ),
  promised: words(
    `\\b(?:i|we)(?:'ll| will| shall|'m going to| am going to|'re going to| are going to)\\s+(?:\\w+\\s+){0,3}?(?:refund|reimburse|credit|compensate)\\b`,
    `\\b(?:i|we)(?:'ll| will| shall|'m going to| am going to|'re going to| are going to)\\s+(?:\\w+\\s+){0,3}?(?:pay|send|transfer|wire|issue|process|initiate|start|arrange|approve|release|give|return|make sure)\\b.{0,40}\\b${MY_MONEY}`,
    `\\byou(?:'ll| will|'re going to| are going to| should)\\s+(?:\\w+\\s+){0,2}?(?:get|receive|have|see)\\b.{0,40}\\b(?:${MY_MONEY}|back)`,
    `\\byou(?:'ll| will|'re going to| are going to)\\s+(?:\\w+\\s+){0,2}?be\\s+(?:fully\\s+)?(?:refunded|reimbursed|credited|paid|compensated)\\b`,
    `\\b(?:your|the|this|that) ${MY_MONEY}\\b.{0,40}\\b(?:will|shall|is going to|should)\\b\\s+(?:\\w+\\s+){0,2}?(?:be|arrive|reach|show|land|go|come|appear|post|follow)\\b`,
    `\\b(?:i|we)\\s+(?:can\\s+)?(?:promise|guarantee|assure|swear)\\b`,
    `\\b(?:refund|money back)\\b.{0,20}\\bguaranteed\\b|\\bguaranteed\\b.{0,20}\\b(?:refund|money)\\b`,
    `\\byou\\s+(?:\\w+\\s+){0,2}?(?:get|have|receive)\\b.{0,30}\\b(?:${MY_MONEY}|it back)\\b.{0,20}\\b${SOON}`,
    `\\b(?:your|the) ${MY_MONEY}\\b.{0,30}\\b(?:arrives?|comes?|lands?|is there|is coming|hits?)\\b.{0,20}\\b${SOON}`,
    `\\b(?:expect|count on)\\b.{0,15}\\b(?:your|the|a) ${MY_MONEY}\\b.{0,30}\\b${SOON}`,
  ),
  denied:
    /\b(?:not|no|never|nothing|cannot|can't|couldn't|haven't|hasn't|isn't|aren't|wasn't|weren't|won't|wouldn't|don't|doesn't|didn't|unable|until|once|when|if|whether|before|unless|after|as soon as|would|could)\b/u,
  supposed: /^\W*(?:if|once|when|unless|until|before|after|as soon as|whether|should (?:you|we|it|the))\b/u,
  asked:
    /^\W*(?:(?:and|or|so|but|ok|okay)\W+)?(?:have|has|had|did|do|does|is|are|was|were|would|could|can|shall|should|will|may|what|which|where|how|why|who|when|if)\b/u,
  joins: /\b(?:and|but|so|because|since|that's why)\b/u,
  reassuring:
    /\b(?:no (?:problem|worries|worry|doubt|trouble|matter|need to (?:worry|wait))|not to worry|(?:don't|do not) (?:worry|you worry)|never mind|not only|no longer (?:worry|wait)|without (?:a )?(?:doubt|delay|problem))\b/gu,
  first: /^(?:i|we)\b/u,
  wordsBefore: 0,
};

// German
const DE_STRONG =
  "(?:zuruck|ruck)?(?:erstattet|uberwiesen|gutgeschrieben|gezahlt|ausgezahlt|gebucht|bezahlt)|entschadigt";
const DE_WEAK =
  "veranlasst|angewiesen|genehmigt|eingeleitet|bearbeitet|registriert|angelegt|abgeschlossen|erledigt|gesendet|geschickt|bestatigt|durchgefuhrt|ausgelost|angemeldet|freigegeben|verschickt|durch";
const DE_MONEY =
  "(?:ruck)?erstattung(?!san|sbe|sric|sfri)|ruckzahlung|geld(?!strafe)|betrag|gutschrift|rucksendung|retoure|ruckgabe|kaufpreis|zahlung|\\d(?:[.,]\\d\\d)? ?(?:€|eur|euro|usd|dollar)";
const DE_SOON =
  "(?:morgen|heute|ubermorgen|sofort|umgehend|gleich|bald|in kurze|noch diese woche|nachste woche|(?:in|binnen|innerhalb von) \\w+ (?:minuten|stunden|tagen|wochen)|bis (?:mon|diens|donners|frei|sams|sonn)tag|bis mittwoch|bis morgen)";
const de: ClaimWords = {
  done: words(
    `${B}(?:ich|wir)${E}.{0,20}${B}(?:habe?|haben|hatten?)${E}.{0,80}${B}(?:${DE_STRONG})${E}`,
    `${B}(?:habe?|haben)${E} (?:ich|wir)${E}.{0,80}${B}(?:${DE_STRONG})${E}`,
    `${B}(?:habe?|haben|hat)${E}.{0,40}${B}(?:${DE_MONEY}).{0,80}${B}(?:${DE_WEAK})${E}`,
    `${B}(?:wurden?|ist|sind|worden)${E}.{0,80}${B}(?:${DE_STRONG})${E}`,
    `(?:${DE_MONEY}).{0,60}${B}(?:wurden?|ist|sind)${E}.{0,30}${B}(?:${DE_WEAK}|unterwegs|auf dem weg zu|auf (?:ihrem|deinem|dem) konto|angekommen)${E}`,
    `${B}(?:wurden?|ist|sind)${E}.{0,30}${B}(?:${DE_MONEY}).{0,40}${B}(?:${DE_WEAK}|unterwegs)${E}`,
    `(?:${DE_MONEY}).{0,40}${B}(?:${DE_STRONG}|${DE_WEAK}) (?:wurden?|worden|ist)${E}`,
    `^\\W*(?:(?:erledigt|fertig|gerne?)\\W+)?(?:zuruck)?erstattet${E}`,
    `^\\W*(?:die |ihre )?(?:${DE_MONEY}) (?:${DE_WEAK}|${DE_STRONG})\\W*$`,
    `${B}(?:ich|wir) (?:erstatte|uberweise|schreibe) (?:ihnen|dir)${E}.{0,40}(?:gerade|jetzt|soeben)${E}`,
    `${B}sie haben (?:ihr|das) geld (?:jetzt |nun |bereits |schon )?(?:zuruck|erhalten)${E}`,
  ),
  promised: words(
    `${B}(?:(?:ich|wir) werden?|werden? (?:ich|wir))${E}.{0,80}${B}(?:zuruck)?(?:erstatten|uberweisen|zahlen|gutschreiben|auszahlen|entschadigen)${E}`,
    `${B}(?:(?:ich|wir) werden?|werden? (?:ich|wir))${E}.{0,40}(?:${DE_MONEY}).{0,40}${B}(?:veranlassen|anweisen|genehmigen|senden|schicken|auslosen|freigeben)${E}`,
    `${B}(?:(?:ich|wir) (?:erstatte|uberweise|zahle)n?|(?:erstatte|uberweise|zahle)n? (?:ich|wir)) (?:ihnen|dir|es|das)${E}`,
    `${B}(?:sie|du|ihnen) (?:bekommen|bekommst|erhalten|erhaltst|haben|hast|werden)${E}.{0,60}(?:${DE_MONEY}).{0,40}(?:${DE_SOON}|zuruckbekommen|zuruckerhalten)`,
    `${B}(?:bekommen|bekommst|erhalten|haben|hast) (?:sie|du)${E}.{0,20}(?:ihr|dein|das) geld`,
    `${DE_SOON}${E}.{0,30}(?:bekommen|erhalten|haben|ist|kommt).{0,30}(?:${DE_MONEY})`,
    `(?:ihre?|deine?|das|der|die) (?:${DE_MONEY}).{0,50}${B}(?:wird|werden)${E}.{0,60}(?:erstattet|uberwiesen|gutgeschrieben|ausgezahlt|zuruckgezahlt|eintreffen|ankommen|da sein|sein)${E}`,
    `(?:ihre?|deine?|das|der|die) (?:${DE_MONEY}) (?:ist|kommt|trifft|geht)${E}.{0,30}${DE_SOON}`,
    `${B}(?:verspreche|versprechen|garantiere|garantieren|versichere)${E}`,
  ),
  denied:
    /(?<!\p{L})(?:nicht|nichts|nie|niemals|kein\p{L}*|noch nicht|sobald|wenn|falls|nachdem|bevor|erst|ob|bis (?:die|der|das)|konnen|kann|konnte\p{L}*|wurde gern|nach (?:eingang|erhalt|prufung|der|dem))(?!\p{L})/u,
  supposed: /^\W*(?:wenn|falls|sobald|nachdem|bevor|sollten?|ob|erst)(?!\p{L})/u,
  asked: null,
  joins: /(?<!\p{L})(?:und|aber|denn|sondern|deshalb|daher|also)(?!\p{L})/u,
  reassuring:
    /(?<!\p{L})(?:kein\p{L}* (?:problem|sorgen?|zweifel|angst|ursache)|nicht nur|ohne (?:zweifel|probleme?))(?!\p{L})/gu,
  first: /^(?:(?:ich|wir)|habe?n? (?:ich|wir))(?!\p{L})/u,
  wordsBefore: 0,
};

// French
const FR_MONEY =
  "remboursement|argent|somme|montant|avoir|virement|paiement|credit|retour|\\d(?:[.,]\\d\\d)? ?(?:€|eur|euros?|usd|dollars?)";
const FR_STRONG = "rembourse(?:e|s|es)?|credite(?:e|s|es)?|recredite(?:e|s|es)?|reverse(?:e|s|es)?";
const FR_WEAK =
  "emise?s?|effectuee?s?|traitee?s?|validee?s?|approuvee?s?|envoyee?s?|confirmee?s?|terminee?s?|enregistree?s?|lancee?s?|versee?s?|virees?|faite?s?|procede|accordee?s?|transferee?s?|initiee?s?|autorisee?s?";
const FR_SOON =
  "(?:demain|aujourd'hui|ce soir|tout de suite|immediatement|bientot|rapidement|cette semaine|la semaine prochaine|(?:sous|dans|d'ici) (?:\\w+ )?(?:minutes?|heures?|jours?|semaines?|\\d+ ?h)|d'ici (?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|demain))";
const fr: ClaimWords = {
  done: words(
    `(?:${B}|')(?:ai|avons)${E}.{0,40}${B}(?:${FR_STRONG})${E}`,
    `(?:${B}|')(?:ai|avons)${E}.{0,30}${B}(?:${FR_WEAK})${E}.{0,40}(?:${FR_MONEY})`,
    `${B}(?:a|ont|avez|est|sont|etes)${E} (?:(?:ete|bien|deja|entierement|integralement|maintenant) ){0,3}(?:${FR_STRONG})${E}`,
    `(?:${FR_MONEY}).{0,60}${B}(?:a|ont|est|sont)${E} .{0,24}(?:${FR_WEAK}|en route|parti|en chemin|sur votre compte|en cours d'envoi)${E}`,
    `^\\W*(?:(?:c'est fait|voila|fait)\\W+)?(?:${FR_STRONG})${E}`,
    `^\\W*(?:votre |le )?(?:remboursement|virement)(?: de .{1,20})? (?:${FR_WEAK})\\W*$`,
    `${B}vous avez (?:deja )?recu votre (?:argent|remboursement)`,
  ),
  promised: words(
    `${B}(?:rembourserai|rembourserons|verserai|verserons|crediterai|crediterons|recrediterons|indemniserons)${E}`,
    `${B}(?:vais|allons|va)${E} (?:\\w+ ){0,3}?(?:rembourser|crediter|recrediter|indemniser|(?:verser|envoyer|emettre|proceder a?u?|effectuer|lancer|valider) .{0,20}(?:${FR_MONEY}))`,
    `${B}(?:je|nous) vous rembours(?:e|ons)${E}`,
    `${B}vous (?:recevrez|aurez|verrez|obtiendrez|allez (?:recevoir|avoir))${E}.{0,40}(?:${FR_MONEY})`,
    `${B}vous (?:serez|allez etre) (?:\\w+ )?(?:${FR_STRONG}|indemnise)`,
    `(?:votre|le|l'|cette|la) ?(?:${FR_MONEY}).{0,40}${B}(?:sera|seront|arrivera|parviendra|apparaitra|va arriver)${E}`,
    `(?:votre|l'|la) ?(?:${FR_MONEY}).{0,20}${B}(?:arrive|est la|tombe)${E}.{0,20}${FR_SOON}`,
    `${B}(?:promets|promettons|garantis|garantissons|assure|assurons)${E}`,
  ),
  denied:
    /(?<!\p{L})(?:ne|n'(?:a|ai|est|ont|avons)|pas|jamais|rien|aucune?|des que|quand|lorsque?|si|apres|avant|une fois|tant que|jusqu'\p{L}*|peux|peut|pouvons|pourr\p{L}+)(?!\p{L})/u,
  supposed: /^\W*(?:si|s'il|des que|quand|lorsque?|une fois|apres|avant|tant que|au cas ou)(?!\p{L})/u,
  asked: null,
  joins: /(?<!\p{L})(?:et|mais|car|donc|parce qu)(?!\p{L})/u,
  reassuring:
    /(?<!\p{L})(?:(?:pas|aucun) (?:de )?(?:probleme|souci|quoi)s?|ne vous (?:inquietez|en faites) pas|ne t'inquiete pas|sans (?:aucun )?(?:probleme|souci|doute)|non seulement)(?!\p{L})/gu,
  first: /^'?(?:ai|avons|je|nous)(?!\p{L})/u,
  wordsBefore: 0,
};

// Spanish
const ES_MONEY =
  "reembolso|devolucion|dinero|importe|abono|pago|cantidad|reintegro|saldo|\\d(?:[.,]\\d\\d)? ?(?:€|eur|euros?|usd|dolares)";
const ES_STRONG = "reembolsad[oa]s?|reintegrad[oa]s?|abonad[oa]s?|devuelt[oa]s?";
const ES_WEAK =
  "emitid[oa]|procesad[oa]|enviad[oa]|aprobad[oa]|tramitad[oa]|realizad[oa]|efectuad[oa]|completad[oa]|registrad[oa]|hech[oa]|gestionad[oa]|transferid[oa]|ingresad[oa]|confirmad[oa]|acreditad[oa]|autorizad[oa]|iniciad[oa]";
const ES_SOON =
  "(?:manana|hoy|ahora mismo|enseguida|inmediatamente|pronto|esta semana|la proxima semana|en (?:\\w+ )?(?:minutos?|horas?|dias?|semanas?)|el (?:lunes|martes|miercoles|jueves|viernes|sabado|domingo))";
const es: ClaimWords = {
  done: words(
    `${B}(?:he|hemos)${E}.{0,40}${B}(?:${ES_STRONG}|devuelto)${E}`,
    `${B}(?:he|hemos)${E}.{0,30}${B}(?:${ES_WEAK}|emitido|procesado|hecho|realizado)${E}.{0,40}(?:${ES_MONEY})`,
    `${B}(?:le|te|les|os) (?:ha|han|hemos|he)${E}.{0,30}${B}(?:${ES_STRONG})${E}`,
    `${B}(?:ha|han|fue|fueron) (?:sido )?(?:ya )?(?:${ES_STRONG})${E}.{0,30}`,
    `(?:${ES_MONEY}).{0,60}${B}(?:ha|han|fue|fueron|esta|estan)${E} (?:(?:sido|ya|siendo) ){0,2}(?:${ES_STRONG}|${ES_WEAK}|en camino|list[oa]|en su cuenta|en tu cuenta)${E}`,
    `${B}(?:ya )?(?:le|te|les|os) (?:reembolse|reembolsamos|devolvi|devolvimos|abone|abonamos)${E}`,
    `^\\W*(?:(?:listo|hecho|yes)\\W+)?(?:reembolsad[oa]|reembolso (?:${ES_WEAK}))${E}`,
    `^\\W*(?:devolucion|reembolso)(?: de .{1,20})? (?:${ES_WEAK})`,
    `${B}(?:estoy|estamos) (?:reembolsando|devolviendo|abonando)`,
    `${B}ya (?:tiene|tienes) (?:su|tu|el) (?:dinero|reembolso)${E}`,
  ),
  promised: words(
    `${B}(?:reembolsare|reembolsaremos|devolvere|devolveremos|abonare|abonaremos|reintegraremos|compensaremos|indemnizaremos)${E}`,
    `${B}(?:voy|vamos|va) a (?:reembolsar|devolver|abonar|reintegrar|compensar)(?:le|te|les|os)?(?:lo|la)?${E}(?! (?:el )?(?:articulo|producto|paquete))`,
    `${B}(?:voy|vamos) a (?:emitir|hacer|enviar|procesar|tramitar|aprobar)(?:le|te)?${E}.{0,30}(?:${ES_MONEY})`,
    `${B}(?:recibira|recibiras|tendra|tendras|vera|veras|obtendra|obtendras|va a (?:recibir|tener)|vas a (?:recibir|tener))${E}.{0,40}(?:${ES_MONEY})`,
    `(?:${ES_MONEY}).{0,40}${B}(?:llegara|estara|sera|aparecera|se (?:le |te )?(?:abonara|reembolsara|devolvera|enviara|ingresara)|va a llegar)${E}`,
    `(?:su|tu|el) (?:${ES_MONEY}).{0,20}${B}(?:llega|esta)${E}.{0,20}${ES_SOON}`,
    `${B}(?:prometo|prometemos|garantizo|garantizamos|aseguro|aseguramos)${E}`,
  ),
  denied:
    /(?<!\p{L})(?:no|nunca|nada|ningun\p{L}*|tampoco|sin|todavia no|aun no|hasta que|cuando|una vez|si|antes de|despues de|tras|en cuanto|podria\p{L}*|puedo|puede|podemos)(?!\p{L})/u,
  supposed: /^\W*(?:si|cuando|una vez|en cuanto|hasta que|antes de|despues de|tras|en caso de)(?!\p{L})/u,
  asked: null,
  joins: /(?<!\p{L})(?:y|pero|porque|asi que|por eso)(?!\p{L})/u,
  reassuring:
    /(?<!\p{L})(?:no (?:se|te) preocup\p{L}+|sin (?:ningun )?(?:problema|duda)s?|no hay (?:ningun )?problema|ningun problema|no solo)(?!\p{L})/gu,
  first: /^(?:he|hemos)(?!\p{L})/u,
  wordsBefore: 2,
};

// Portuguese
const PT_MONEY =
  "reembolso|dinheiro|estorno|valor|devolucao|pagamento|quantia|montante|credito|\\d(?:[.,]\\d\\d)? ?(?:€|eur|euros?|usd|reais|dolares)";
const PT_STRONG = "reembolsad[oa]s?|devolvid[oa]s?|estornad[oa]s?|creditad[oa]s?|ressarcid[oa]s?";
const PT_WEAK =
  "emitid[oa]|processad[oa]|efetuad[oa]|efectuad[oa]|realizad[oa]|aprovad[oa]|enviad[oa]|concluid[oa]|registad[oa]|registrad[oa]|confirmad[oa]|feit[oa]|transferid[oa]|autorizad[oa]|iniciad[oa]";
const PT_SOON =
  "(?:amanha|hoje|agora mesmo|imediatamente|em breve|esta semana|na proxima semana|em (?:\\w+ )?(?:minutos?|horas?|dias?|semanas?)|(?:na|ate) (?:segunda|terca|quarta|quinta|sexta)|no (?:sabado|domingo))";
const pt: ClaimWords = {
  done: words(
    `${B}(?:reembolsei|estornei|devolvi|ressarci|creditei)${E}`,
    `${B}(?:ja|acabamos de|lhe|te) (?:lhe )?(?:reembolsamos|estornamos|devolvemos|creditamos|reembolsar)${E}`,
    `${B}(?:fiz|fizemos|realizei|realizamos|processei|processamos|emiti|emitimos|efetuei|efetuamos|efectuei|efectuamos|aprovei|aprovamos|enviei|enviamos|conclui|concluimos|transferi|transferimos|confirmei|confirmamos|confirmou|confirmaram)${E}.{0,40}(?:${PT_MONEY})`,
    `${B}(?:foi|foram|isv|esta|estao|ficou)${E} (?:(?:ja|totalmente|integralmente) ){0,2}(?:${PT_STRONG})${E}`,
    `(?:${PT_MONEY}).{0,60}${B}(?:foi|foram|esta|ja|ficou)${E} (?:(?:ja|sido|foi) ){0,2}(?:${PT_STRONG}|${PT_WEAK}|a caminho|na sua conta|pronto)${E}`,
    `^\\W*(?:(?:pronto|feito)\\W+)?(?:${PT_STRONG})${E}`,
    `^\\W*(?:reembolso|estorno|devolucao)(?: de .{1,20})? (?:${PT_WEAK})`,
    `${B}(?:estou|estamos) (?:a )?(?:reembolsar|reembolsando|devolver|devolvendo|estornando)`,
    `${B}ja tem (?:o seu |o )?(?:dinheiro|reembolso)${E}`,
  ),
  promised: words(
    `${B}(?:vou|vamos|irei|iremos) (?:lhe |te )?(?:reembolsar|devolver|estornar|creditar|ressarcir|compensar)(?:-\\w+)?${E}(?! (?:o )?(?:artigo|produto|pacote))`,
    `${B}(?:vou|vamos) (?:fazer|emitir|enviar|processar|aprovar|transferir)${E}.{0,30}(?:${PT_MONEY})`,
    `${B}(?:reembolsarei|reembolsaremos|reembolsa-lo-emos|devolveremos|devolverei|estornaremos|creditaremos)${E}`,
    `${B}(?:recebera|recebe|tera|vera|obtera|vai (?:receber|ter|ver)|vais (?:receber|ter))${E}.{0,40}(?:${PT_MONEY})`,
    `(?:${PT_MONEY}).{0,40}${B}(?:chegara|estara|sera|aparecera|vai (?:chegar|estar|cair)|cai na)${E}`,
    `(?:seu|teu|o) (?:${PT_MONEY}).{0,20}${B}(?:chega|esta)${E}.{0,20}${PT_SOON}`,
    `${B}(?:prometo|prometemos|garanto|garantimos|asseguro|asseguramos)${E}`,
  ),
  denied:
    /(?<!\p{L})(?:nao|nunca|nada|nenhum\p{L}*|tampouco|sem|ainda nao|ate que|quando|uma vez|assim que|se|antes de|depois de|apos|caso|poderia|posso|pode|podemos)(?!\p{L})/u,
  supposed: /^\W*(?:se|quando|assim que|uma vez|ate que|antes de|depois de|apos|caso)(?!\p{L})/u,
  asked: null,
  joins: /(?<!\p{L})(?:e|mas|porque|por isso)(?!\p{L})/u,
  reassuring:
    /(?<!\p{L})(?:nao (?:se|te) preocup\p{L}+|sem (?:qualquer )?(?:problema|duvida)s?|nao ha (?:nenhum )?problema|nenhum problema|nao (?:so|apenas))(?!\p{L})/gu,
  first: /^(?:\p{L}+(?:ei|amos|emos|imos)|fiz|devolvi|ressarci|emiti|conclui|transferi)(?!\p{L})/u,
  wordsBefore: 2,
};

// Italian
const IT_MONEY =
  "rimborso|denaro|soldi|importo|somma|accredito|reso|pagamento|bonifico|\\d(?:[.,]\\d\\d)? ?(?:€|eur|euro|usd|dollari)";
const IT_STRONG =
  "rimborsat[oaie]|riaccreditat[oaie]|accreditat[oaie]|stornat[oaie]|restituit[oaie]|risarcit[oaie]";
const IT_WEAK =
  "emess[oa]|effettuat[oa]|elaborat[oa]|inviat[oa]|approvat[oa]|avviat[oa]|process?at[oa]|dispost[oa]|completat[oa]|registrat[oa]|confermat[oa]|fatt[oa]|eseguit[oa]|autorizzat[oa]|trasferit[oa]";
const IT_SOON =
  "(?:domani|oggi|subito|immediatamente|presto|a breve|questa settimana|la prossima settimana|(?:entro|in|tra|fra) (?:\\w+ )?(?:minuti|ore|giorni|settimane|ora)|entro (?:lunedi|martedi|mercoledi|giovedi|venerdi|sabato|domenica|domani))";
const it: ClaimWords = {
  done: words(
    `${B}(?:ho|abbiamo|ha|hanno)${E}.{0,30}${B}(?:${IT_STRONG})${E}`,
    `${B}(?:ho|abbiamo|ha|hanno)${E}.{0,30}${B}(?:${IT_WEAK})${E}.{0,40}(?:${IT_MONEY})`,
    `${B}(?:isv|sono|sei|siete) (?:gia )?stat[oaie]${E}.{0,20}${B}(?:${IT_STRONG})${E}`,
    `(?:${IT_MONEY}).{0,60}${B}(?:isv|sono|risulta)${E} (?:(?:gia|stat[oaie]) ){0,3}(?:${IT_STRONG}|${IT_WEAK}|in arrivo|partit[oi]|in viaggio|sul (?:tuo|suo) conto|andato a buon fine)${E}`,
    `^\\W*(?:(?:fatto|ecco)\\W+)?(?:rimborsat[oaie])${E}`,
    `^\\W*(?:rimborso|bonifico|reso)(?: di .{1,20})? (?:${IT_WEAK})`,
    `${B}(?:sto|stiamo) (?:rimborsando|accreditando|restituendo)`,
    `${B}ha gia (?:i suoi soldi|il suo denaro|il rimborso)`,
  ),
  promised: words(
    `${B}(?:rimborsero|rimborseremo|accrediteremo|accreditero|riaccrediteremo|restituiremo|restituiro|risarciremo)${E}`,
    `${B}(?:provvedero|provvederemo|procedero|procederemo|invieremo|inviero|effettueremo|effettuero|emetteremo)${E}.{0,40}(?:${IT_MONEY})`,
    `${B}(?:ti|vi|la|le) (?:rimborso|rimborsiamo|restituisco|restituiamo)${E}`,
    `${B}(?:ricevera|riceverai|avra|avrai|vedra|vedrai|otterra|otterrai|ricevi|sara rimborsat\\w|verra rimborsat\\w)${E}.{0,40}(?:${IT_MONEY}|$)`,
    `(?:${IT_MONEY}).{0,40}${B}(?:arrivera|arriveranno|sara|saranno|verra|verranno|comparira)${E}`,
    `(?:suo|tuo|il|i) (?:suoi )?(?:${IT_MONEY}).{0,20}${B}(?:arriva|arrivano|isv)${E}.{0,20}${IT_SOON}`,
    `${B}(?:prometto|promettiamo|garantisco|garantiamo|assicuro|assicuriamo)${E}`,
  ),
  denied:
    /(?<!\p{L})(?:non|mai|niente|nulla|nessun\p{L}*|ancora non|finche|quando|una volta|(?<!(?:ho|ha|hanno|abbiamo) )appena|se|prima di|prima che|dopo|potrebbe|potrei|posso|puo|possiamo)(?!\p{L})/u,
  supposed: /^\W*(?:se|quando|una volta|appena|non appena|finche|prima di|dopo|qualora|nel caso)(?!\p{L})/u,
  asked: null,
  joins: /(?<!\p{L})(?:e|ma|perche|quindi|percio)(?!\p{L})/u,
  reassuring:
    /(?<!\p{L})(?:non si preoccupi|non ti preoccupare|nessun problema|senza (?:alcun )?(?:problemi|problema|dubbio)|non solo)(?!\p{L})/gu,
  first: /^(?:ho|abbiamo)(?!\p{L})/u,
  wordsBefore: 2,
};

export const CLAIM_WORDS: Readonly<Record<Language, ClaimWords>> = { en, es, de, fr, pt, it };
