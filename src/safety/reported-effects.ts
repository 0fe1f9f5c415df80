/**
 * Effects told in passing, language by language: a charge that is gone, money that is the customer's again, a
 * superior who agreed, a return that is booked, money that should be there any minute. Beside the plain wordings of
 * `claim-words.ts` and `effect-words.ts`, and matched like them. Written from answers that had passed the door.
 */
import type { Language } from "../kernel/language.ts";
import type { EffectWords } from "./effect-words.ts";

const words = (...sources: readonly string[]): readonly RegExp[] =>
  sources.map((source) => new RegExp(source, "gu"));
const B = "(?<![\\p{L}])";
const E = "(?![\\p{L}])";
const SUM =
  "\\d[\\d.,]{0,12} ?(?:€|\\$|£|usd|eur|gbp|euros?|dollars?|dollari|dolares|pounds?|reais)|(?:€|\\$|£|usd|eur|gbp) ?\\d[\\d.,]{0,12}";

const EN_DID =
  "\\b(?:i|we)(?:'ve|'d)?(?: have)? (?:(?:now|just|already|also|then|gladly|simply|personally|gone ahead and|went ahead and|successfully) ){0,3}";
const EN_MONEY = `(?:money|funds|refund|${SUM}|full amount|(?:full|whole) price)`;
const EN_BEEN = "(?:has|have|was|were|is|are|got|gets)";
const EN_NOW = "(?:(?:now|just|already|also|been|being|all|fully) ){0,3}";
const en: Pick<EffectWords, "done" | "promised"> = {
  done: words(
    `${EN_DID}(?:reversed|voided|undone|dropped|removed|cancell?ed|stopped|refunded|lifted|waived) .{0,24}\\b(?:charges?|debit|payment|fees?|transaction|billing|shipping|costs?)\\b`,
    `${EN_DID}(?:took care of|taken care of|dealt with|sorted(?: out)?|handled|settled|fixed|arranged|pushed|rushed) .{0,24}\\b(?:refund|return|money|charge|cancell?ation|reimbursement)\\b`,
    `${EN_DID}(?:sent|put|paid|moved|transferred|wired|released|given|gave) .{0,30}\\bback (?:to|on|in|into|onto)\\b`,
    `${EN_DID}(?:compensated|reimbursed|upgraded|made it up to) (?:you|your)\\b`,
    `\\b(?:charges?|debit|transaction)\\b.{0,40}\\b${EN_BEEN} ${EN_NOW}(?:cancell?ed|reversed|voided|dropped|removed|undone|refunded|returned|credited|waived)\\b`,
    `\\byour (?:\\w+ ){0,2}(?:address|subscription|membership|account|e-?mail|phone number|plan|payment method|order)\\b.{0,12}\\b(?:has|have|was|were|is) (?:(?:now|just|already|been|successfully) ){1,3}(?:updated|changed|corrected|terminated|ended|closed|deleted|upgraded|edited|amended)\\b`,
    `\\b(?:replacement|exchange|new|spare)(?: (?:pair|one|item|set|unit|order|parcel))?(?: for you)? ${EN_BEEN} ${EN_NOW}(?:packed|sent|shipped|prepared|dispatched|ordered|booked|arranged|on (?:its|the|their) way)\\b`,
    `\\breturn\\b (?:label )?(?:is|was|has been) ${EN_NOW}(?:booked|set up|arranged|created|in your (?:inbox|mail|e-?mail))`,
    `\\b(?:reversal|refund|cancell?ation|reimbursement|chargeback) (?:(?:is|was|has been) )?${EN_NOW}(?:completed?|done|finished|through|successful|sorted|settled|taken care of)\\b`,
    `\\b${EN_MONEY} .{0,24}\\b(?:is|are) ${EN_NOW}(?:yours|back with you|gone out|winging|heading|coming (?:to|back))\\b`,
    `\\b(?:my|our|the) (?:manager|boss|supervisor|team ?lead|team|colleague)s? (?:(?:has|have|just|already) ){0,2}(?:signed off|approved|authori[sz]ed|cleared|agreed to|okayed|granted) .{0,16}\\b(?:refund|return|request|payment|money|exception)\\b`,
    `\\band (?:the|your) (?:fee|money|amount|charge|payment|deposit) (?:(?:has been|was) )?(?:returned|refunded|credited|reversed|waived)\\b`,
  ),
  promised: words(
    `\\b${EN_MONEY} .{0,24}\\bshould ${EN_NOW}(?:hit|land|arrive|reach|be (?:in|on|back|with|there)|show up|appear|come)\\b`,
    `\\b(?:every|each|the last) (?:single )?(?:cent|penny|dollar|euro)\\b.{0,24}\\bback\\b`,
    "\\b(?:i|we)(?:'ll| will|'m going to|'re going to| are going to| am going to) (?:\\w+ ){0,2}?(?:(?:see to it|make sure|ensure) .{0,30}\\b(?:money|refund\\w*|paid|amount|reimbursed|compensated)|pay you back|make it up to you)\\b",
    `\\b(?:rest assured|you have my word|trust me)\\b.{0,50}\\b(?:refund|money|paid|amount)\\b`,
    `\\brefund\\b .{0,16}\\b(?:guaranteed|certain|a sure thing|safe)\\b`,
    `\\b(?:has|have|'ll have|will have) .{0,24}\\b(?:money|refund|${SUM})\\b.{0,16}\\b(?:by|before|until|within|in) (?:tomorrow|tonight|\\w+day|the end|\\d+|a few|two|three)\\b`,
  ),
};

const DE_ICH = `(?:${B}(?:(?:ich|wir) habe?n?|habe?n? (?:ich|wir))${E})`;
const DE_MONEY = `(?:geld|betrag|summe|kaufpreis|${SUM})`;
const de: Pick<EffectWords, "done" | "promised"> = {
  done: words(
    `${DE_ICH}.{0,40}(?:abbuchung|belastung|lastschrift|buchung|einzug|gebuhr\\p{L}*|versandkosten).{0,24}${B}(?:ruckgangig|storniert|zuruckgenommen|aufgehoben|gestoppt|gestrichen|erlassen|erstattet)${E}`,
    `${B}(?:bestellung|abo|auftrag|abbuchung|adresse|lieferadresse|versandkosten|gebuhr\\p{L}*|retoure|rucksendung|gutschein|rabatt|frist|ruckgabefrist)${E}.{0,24}${DE_ICH}.{0,40}${B}(?:storniert|gekundigt|abgebrochen|geandert|angelegt|angemeldet|gebucht|verlangert|erlassen|gestrichen|gewahrt|eingelost|hinzugefugt|erstellt)${E}`,
    `${DE_ICH}.{0,40}(?:frist|zeitraum|garantie).{0,40}${B}verlangert${E}`,
    `${DE_ICH}.{0,40}(?:versand\\p{L}*|gebuhr\\p{L}*|kosten).{0,30}${B}(?:erlassen|gestrichen|ubernommen|geschenkt)${E}`,
    `${DE_ICH}.{0,60}(?:rabatt|gutschein|nachlass|guthaben).{0,30}${B}(?:gewahrt|gutgeschrieben|eingeraumt|hinzugefugt|angewendet|eingelost|geschenkt)${E}`,
    `${DE_ICH} mich.{0,30}(?:erstattung|ruckzahlung|geld|retoure|stornierung).{0,16}${B}gekummert${E}`,
    `${B}${DE_MONEY}.{0,24}${B}(?:ist|sind|gehort|gehoren)${E}.{0,24}${B}(?:raus|unterwegs|wieder (?:ihnen|ihre|da|bei ihnen)|bei ihnen|zuruck)${E}`,
    `${B}(?:chefin|chef|vorgesetzte\\p{L}*|teamleit\\p{L}*|kolleg\\p{L}*|manager\\p{L}*|team)${E} (?:hat|haben)${E}.{0,50}${B}(?:genehmigt|freigegeben|bewilligt|zugestimmt)${E}`,
    `${B}(?:abo|gebuhr|adresse|anschrift|lieferadresse|mitgliedschaft|kundenkonto)${E}.{0,16}${B}(?:wurde|ist|sind)${E}.{0,24}${B}(?:geandert|gekundigt|aktualisiert|geloscht|zuruckgezahlt|erstattet|erlassen)${E}`,
    `${B}(?:rucksendung|retoure|ruckgabe)${E}.{0,12}${B}(?:ist|wurde)${E}.{0,16}${B}(?:gebucht|angelegt|angemeldet|eingerichtet)${E}`,
  ),
  promised: words(
    `${B}${DE_MONEY}.{0,12}${B}(?:musste|sollte|durfte|mussten|sollten|durften)${E}.{0,40}${B}(?:konto|karte|da sein|ankommen|eintreffen|bei ihnen|gutgeschrieben)${E}`,
    `${B}(?:haben|bekommen|erhalten) sie${E}.{0,16}${B}(?:jeden cent|alles|(?:ihr|das) geld|den betrag)${E}.{0,24}${B}(?:zuruck|wieder)${E}`,
    `${B}sie (?:bekommen|erhalten|haben)${E} (?:\\p{L}+ )?(?:ihr|das|den|jeden) (?:geld|betrag|cent)${E}(?! (?:noch|erst))`,
    `${B}(?:ich|wir) (?:sorgen?|kummern?)${E}.{0,40}${B}(?:geld|erstattung|betrag|ruckzahlung)${E}`,
    `${B}(?:erstattung|ruckzahlung)${E}.{0,20}${B}(?:sicher|garantiert|versprochen)${E}`,
    `${B}(?:zahlen|zahle|erstatten|erstatte) (?:wir|ich)?.{0,24}${B}(?:alles|voll)${E}.{0,24}${B}(?:versprochen|garantiert)${E}`,
  ),
};

const FR_JAI = `(?:(?:${B}|')(?:ai|avons)${E})`;
const FR_MONEY = `(?:argent|montant|somme|virement|${SUM})`;
const fr: Pick<EffectWords, "done" | "promised"> = {
  done: words(
    `${B}(?:viens|venons) (?:juste |tout juste )?d(?:e |')(?:vous )?(?:renvoyer|rembourser|crediter|recrediter|verser|virer|annuler|rendre|restituer|effectuer|valider|lancer|modifier|prolonger|ajouter|envoyer (?:\\d|le|l'|un|votre (?:argent|remboursement)))`,
    `${FR_JAI}.{0,30}${B}(?:annule|arrete|inverse|retire|supprime)e?s?${E}.{0,24}${B}(?:prelevement|debit|paiement|facturation|frais|transaction)`,
    `${FR_JAI}.{0,24}${B}(?:prolonge|etendu|rallonge)e?s?${E}.{0,24}${B}(?:delai|periode|garantie)`,
    `${FR_JAI}.{0,24}${B}(?:ajoute|offert|accorde|applique|credite|deduit)e?s?${E}.{0,30}(?:${B}(?:bon|code|reduction|remise|frais|avoir)${E}|\\d ?%|${SUM})`,
    `${B}${FR_MONEY}.{0,16}${B}(?:est|sont)${E}.{0,20}${B}(?:a vous|revenue?s?|rendue?s?|chez vous|partie?s?|votres?)${E}`,
    `${B}(?:responsable|chef|cheffe|manager|superieure?|direct\\p{L}+|collegue|equipe) a (?:(?:bien|deja) )?(?:valide|approuve|autorise|accepte|accorde)e?s?${E}.{0,24}${B}(?:remboursement|retour|demande|geste)`,
    `${B}(?:adresse|abonnement|frais|cotisation)${E}.{0,24}${B}(?:a|ont)${E} (?:(?:bien|deja) )?ete (?:modifie|change|resilie|rendu|rembourse|annule|offert|mis)`,
    `${B}(?:retour|abonnement) (?:est|a ete) (?:(?:bien|deja|maintenant) )?(?:enregistre|annule|resilie|cree|lance)`,
    `${B}occupee? d(?:e|u) (?:votre )?(?:remboursement|retour|virement|argent)`,
    `${B}de remplacement${E}.{0,24}${B}(?:est|a ete|part)${E}.{0,30}${B}(?:expedi|envoy|route|prepar|partie?)`,
    `${B}(?:montant|argent|somme)${E} (?:vous )?a (?:bien |deja )?(?:vous )?ete (?:restitue|rendu|rembourse|credite|verse|vire)`,
    `${B}(?:montant|argent|somme) vous a (?:bien |deja )?ete `,
  ),
  promised: words(
    `${B}${FR_MONEY}.{0,16}${B}(?:devrait|doit|devraient)${E}.{0,30}${B}(?:arriver|compte|carte|parvenir|tomber|apparaitre)`,
    `${B}vous (?:aurez|allez|recevrez|recupererez)${E}.{0,24}${B}(?:chaque centime|tout|centimes?|argent|l'argent)`,
    `${B}(?:ferai|ferons|veillerai|veillerons|m'assurerai)${E}.{0,30}${B}(?:argent|remboursement|montant)`,
    `${B}remboursement (?:vous )?est (?:\\p{L}+ )?(?:garanti|assure|acquis|certain)`,
    `${B}(?:allons|vais)${E}.{0,16}rembourser.{0,24}${B}(?:promis|garanti)`,
  ),
};

const ES_HE = `(?:${B}(?:he|hemos)${E})`;
const ES_MONEY = `(?:dinero|importe|${SUM})`;
const es: Pick<EffectWords, "done" | "promised"> = {
  done: words(
    `${B}(?:acabo|acabamos) de (?:devolver|reembolsar|abonar|cancelar|anular|ingresar|transferir|tramitar|cambiar|anadir|ampliar|enviar(?=(?:le|te|les)? (?:\\d|el (?:dinero|importe))))(?:le|te|les|os)?(?:lo|la|los|las)?${E}`,
    `${ES_HE}.{0,20}${B}(?:revertido|anulado|retirado|cancelado|eliminado|devuelto|quitado|perdonado)${E}.{0,24}${B}(?:cargo|cobro|pago|gastos?|envio|tarifa|comision|cuota)`,
    `${B}(?:lo|la|los|las) (?:he|hemos) (?:\\p{L}+ )?(?:quitado|cancelado|anulado|devuelto|reembolsado|arreglado|cambiado)${E}`,
    `${ES_HE}.{0,20}${B}(?:ampliado|extendido|prolongado|alargado)${E}.{0,24}${B}(?:plazo|periodo|garantia)`,
    `${ES_HE}.{0,20}${B}(?:aplicado|anadido|regalado|dado|descontado)${E}.{0,24}(?:\\d ?%|${SUM}|${B}(?:descuento|vale|cupon|bono|saldo)${E})`,
    `${B}${ES_MONEY}.{0,20}${B}(?:vuelven?|son|es|ya)${E}.{0,16}${B}(?:suy[oa]s?|tuy[oa]s?|salio|de vuelta|en camino)${E}`,
    `${B}(?:jef[ea]|supervisor\\p{L}*|responsable|encargad[oa]|companer[oa]|gerente|equipo)${E} (?:ya )?ha (?:ya )?(?:aprobado|autorizado|aceptado|dado el visto bueno)${E}.{0,24}${B}(?:reembolso|devolucion|dinero|solicitud)`,
    `${B}(?:suscripcion|direccion|cuota|tarifa)${E}.{0,24}${B}(?:ha sido|fue|esta|ya esta)${E} (?:ya )?(?:cancelad|cambiad|modificad|actualizad|devuelt|perdonad)[oa]`,
    `${B}cuota (?:fue )?devuelta${E}`,
    `${B}devolucion (?:ya )?(?:esta|queda) (?:ya )?(?:registrada|hecha|lista|tramitada|creada)`,
    `${B}me he (?:encargado|ocupado) de (?:su|tu|el|la) (?:reembolso|devolucion|dinero)`,
    `${B}(?:repuesto|recambio|reemplazo|sustitucion)${E}.{0,16}${B}(?:va|esta|van|sale|salio)${E}.{0,12}${B}(?:camino|enviad)`,
    `${B}(?:importe|dinero|cuota)${E}.{0,10}${B}(?:fue|ha sido) (?:restituid|devuelt|abonad|ingresad)[oa]`,
    `${B}(?:hecho|realizado) (?:ya )?la transferencia${E}`,
  ),
  promised: words(
    `${B}${ES_MONEY}.{0,12}${B}(?:deberia|debe|deberian)${E}.{0,30}${B}(?:cuenta|tarjeta|llegar|estar|aparecer)`,
    `${B}(?:tendra|tendras|recibira|recibiras|recuperara)${E}.{0,24}${B}(?:ultimo centimo|cada centimo|todo|dinero)`,
    `${B}(?:asegurare|aseguraremos|encargare|encargaremos)${E}.{0,30}${B}(?:dinero|reembolso|importe)`,
    `${B}reembolso (?:le |te )?(?:esta|queda) (?:\\p{L}+ )?(?:garantizado|asegurado)`,
    `${B}(?:devolver|reembolsar)${E}.{0,16}${B}(?:todo|prometido)`,
  ),
};

const PT_MONEY = `(?:dinheiro|valor|montante|${SUM})`;
const pt: Pick<EffectWords, "done" | "promised"> = {
  done: words(
    `${B}(?:acabei|acabamos) de (?:lhe )?(?:devolver|reembolsar|creditar|estornar|cancelar|transferir|alterar|adicionar|enviar (?=\\d|o (?:dinheiro|valor)))`,
    `${B}(?:reverti|revertemos|anulei|anulamos|estornei|estornamos|retirei|retiramos|cancelei|cancelamos|removi|removemos|isentei|dispensei)${E}.{0,24}${B}(?:cobranca|debito|pagamento|custos?|taxa|portes|envio|encargo)`,
    `${B}(?:prolonguei|prolongamos|estendi|estendemos|alarguei|alargamos)${E}.{0,24}${B}(?:prazo|periodo|garantia)`,
    `${B}(?:apliquei|aplicamos|adicionei|adicionamos|ofereci|oferecemos|dei|demos)${E}.{0,24}(?:\\d ?%|${SUM}|${B}(?:desconto|vale|cupao|cupom|credito)${E})`,
    `${B}${PT_MONEY}.{0,16}${B}(?:sao|isv|ja|esta)${E}.{0,12}${B}(?:seus?|saiu|de volta|a caminho)${E}`,
    `${B}(?:chefe|supervisor\\p{L}*|responsavel|gerente|colega|equipa|equipe)${E} (?:ja )?(?:aprovou|autorizou|aceitou)${E}.{0,24}${B}(?:reembolso|devolucao|dinheiro|pedido)`,
    `${B}(?:tratei|tratamos|cuidei|cuidamos) d[oa] (?:(?:seu|sua|teu|tua) )?(?:reembolso|devolucao|estorno)`,
    `${B}(?:assinatura|subscricao|taxa|endereco(?: de entrega)?|morada)${E}.{0,24}${B}(?:foi|ja foi|esta)${E} (?:ja )?(?:cancelad|alterad|devolvid|atualizad)[oa]`,
    `${B}taxa (?:foi )?devolvida${E}`,
    `${B}devolucao (?:ja )?esta (?:ja )?(?:registad|registrad|marcad|pronta|feit|criad)`,
    `${B}(?:valor|dinheiro|montante|quantia) (?:ja )?foi(?:-lhe)? (?:ja )?(?:restituid|devolvid|creditad|pag)[oa]`,
    `${B}(?:de substituicao|substituto)${E}.{0,16}${B}(?:esta|foi|vai|segue)${E}`,
    `${B}(?:fiz|fizemos|realizei) .{0,8}(?:transferencia|estorno)${E}`,
    `${B}(?:compensei|compensamos|indemnizei|indemnizamos)${E}`,
  ),
  promised: words(
    `${B}${PT_MONEY}.{0,12}${B}(?:deve|devera|devem)${E}.{0,30}${B}(?:conta|cartao|chegar|cair|estar)`,
    `${B}(?:tera|recebera|vai (?:ter|receber))${E}.{0,24}${B}(?:cada centimo|cada centavo|tudo|dinheiro|de volta)`,
    `${B}(?:vou|vamos) (?:garantir|assegurar|certificar)${E}.{0,30}${B}(?:dinheiro|reembolso|valor)`,
    `${B}reembolso (?:\\p{L}+ )?esta (?:\\p{L}+ )?(?:garantido|assegurado)`,
    `${B}(?:devolver|reembolsar) (?:tudo|a totalidade)`,
  ),
};

const IT_HO = `(?:${B}(?:ho|abbiamo)${E})`;
const IT_MONEY = `(?:soldi|denaro|importo|somma|${SUM})`;
const it: Pick<EffectWords, "done" | "promised"> = {
  done: words(
    `${IT_HO} (?:(?:gia|anche|subito) )?(?:restituito|ridato|riaccreditato|rimandato)${E}`,
    `${IT_HO}.{0,20}${B}(?:stornato|annullato|bloccato|tolto|rimosso|eliminato)${E}.{0,24}${B}(?:addebito|pagamento|spese|costi?|spedizione|commissione)`,
    `${IT_HO}.{0,24}${B}(?:prolungato|esteso|allungato)${E}.{0,24}${B}(?:termine|periodo|garanzia)`,
    `${IT_HO}.{0,20}${B}(?:applicato|aggiunto|regalato|dato|concesso)${E}.{0,24}(?:\\d ?%|${SUM}|${B}(?:sconto|buono|coupon|credito)${E})`,
    `${B}${IT_MONEY}.{0,16}${B}(?:sono|isv)${E}.{0,16}${B}(?:suoi|tuoi|partit[oi]|tornat[oi]|in viaggio)${E}`,
    `${B}(?:responsabile|capo|manager|superiore|collega|team)${E} ha (?:gia )?(?:approvato|autorizzato|accettato|accolto)${E}.{0,24}${B}(?:rimborso|reso|richiesta)`,
    `${B}(?:abbonamento|indirizzo|quota|commissione)${E}.{0,24}${B}isv (?:gia )?stat[oa] (?:disdett|restituit|cambiat|modificat|annullat|aggiornat)[oa]`,
    `${B}quota (?:isv stata )?restituita${E}`,
    `${B}reso isv (?:gia |stato )?(?:registrato|prenotato|avviato|creato)`,
    `${B}sono occupat[oa] del (?:suo |tuo )?(?:rimborso|reso)`,
    `${B}di ricambio${E}.{0,12}${B}isv${E}.{0,24}${B}(?:viaggio|spedit|inviat|partit)`,
    `(?:${B}l'|${B}la |${B}vi |${B}ti )abbiamo (?:risarcit|rimborsat|compensat)[oaie]`,
    `${B}(?:importo|somma|denaro)${E}.{0,8}${B}isv stat[oa] (?:res[oa]|restituit[oa]|accreditat[oa]|mandat[oa])`,
    `${IT_HO}.{0,12}${B}fatto${E}.{0,12}${B}(?:bonifico|storno)`,
  ),
  promised: words(
    `${B}${IT_MONEY}.{0,12}${B}(?:dovrebbero|dovrebbe|devono|deve)${E}.{0,30}${B}(?:conto|carta|arrivar|essere)`,
    `${B}(?:avra|avrai|ricevera|riceverai|riavra)${E}.{0,24}${B}(?:ogni centesimo|tutto|soldi|indietro)`,
    `${B}(?:faro in modo|faremo in modo|mi assicurero)${E}.{0,30}${B}(?:soldi|rimborso|denaro|importo)`,
    `${B}rimborso (?:\\p{L}+ )?isv (?:\\p{L}+ )?(?:garantito|assicurato|sicuro)`,
  ),
};

export const REPORTED_EFFECTS: Readonly<Record<Language, Pick<EffectWords, "done" | "promised">>> = {
  en,
  es,
  de,
  fr,
  pt,
  it,
};
