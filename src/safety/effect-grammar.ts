/**
 * Effects by grammar, language by language, for wordings that no list has: somebody here did something, something
 * was done, or will be, and in the same clause stands what this is about (money, returns, labels; orders, accounts).
 * What the verb is does not matter, unless it is one that changes nothing: found, received, asked; delivered.
 * Matched on text without accents in lower case (`reading.ts`), clause by clause. Pure, linear.
 */
import type { Language } from "../kernel/language.ts";

export interface EffectGrammar {
  /** Money and what only a decision gives. */
  readonly money: RegExp;
  /** What also has a life without us: an order is delivered, an account exists. */
  readonly things: RegExp;
  /** A verb of ours that is finished; its word is the last group that matched. */
  readonly did: RegExp;
  /** Something was done. */
  readonly done: RegExp;
  /** Something will be done, or will come. Of money only. */
  readonly will: RegExp;
  /** Verbs that change nothing. */
  readonly harmless: RegExp;
  /** Verbs of what happens to things on their own way. */
  readonly onTheWay: RegExp;
}

const B = "(?<!\\p{L})";
const E = "(?!\\p{L})";
const SUM =
  "\\d[\\d.,]{0,12} ?(?:€|\\$|£|usd|eur|gbp|euros?|dollars?|dollari|dolares|pounds?|reais)|(?:€|\\$|£|usd|eur|gbp) ?\\d[\\d.,]{0,12}";
const of = (source: string, flags = "u"): RegExp => new RegExp(source, flags);
const word = (source: string): RegExp => of(`^(?:${source})$`);
const about = (source: string): RegExp => of(`${B}(?:${source}|${SUM})${E}`);

const EN_SOON =
  "(?:(?:now|just|already|also|then|gone ahead and|went ahead and|gladly|successfully|manually|personally|fully|even|both) ){0,3}";
const EN_PAST =
  "[a-z]+ed|sent|put|made|given|gave|set|taken|took|paid|done|did|got|cut|let|brought|gone|written|begun|reset|undone";
const en: EffectGrammar = {
  money: about(
    "refunds?|reimbursements?|money|credits?(?! card)|vouchers?|coupons?|discounts?|goodwill|balance|returns?|labels?|compensation|replacements?|chargebacks?|full amount|new order",
  ),
  things: of(
    `${B}(?:orders?|subscriptions?|accounts?|address(?:es)?|shipping|shipment|fees?|charges?|payment|membership)${E}`,
  ),
  did: of(`${B}(?:i|we)(?:(?:'ve| have) ${EN_SOON}(${EN_PAST})| ${EN_SOON}(${EN_PAST}))${E}`, "gu"),
  done: of(
    `${B}(?:(?:has|have|'s|'ve) ${EN_SOON}been|was|were) ${EN_SOON}(${EN_PAST})${E}|${B}(?:is|are) (?:now|already|hereby) (${EN_PAST})${E}`,
    "gu",
  ),
  will: of(`${B}(?:will|'ll|shall) ${EN_SOON}(?:be )?${EN_SOON}([a-z]+)${E}`, "gu"),
  harmless: word(
    "looked|checked|found|seen|read|understood|received|noted|noticed|asked|tried|searched|reviewed|heard|passed|forwarded|shared|learned|mentioned|explained|described|told|said|written|answered|needed|wanted|expected|hoped|listed|attached|apologi[sz]ed|assumed|requested|decided|declined|denied|refused|rejected|worn|used|damaged|opened|bought|charged|paid|made|got|look|check|decide|review|ask|need|depend|tell|answer|see|be|have|let|know|find|help|explain|follow|not|never|want|only|cost|take|looked into|write|then",
  ),
  onTheWay: word(
    "delivered|shipped|dispatched|sent|placed|packed|handed|left|collected|picked|confirmed|booked|registered|posted|created|opened|added|ordered|split|arrived|reached|cancell?ed",
  ),
};

const DE_LAST = "(?=\\W*$|\\W+(?:und|oder|als|worden)(?!\\p{L}))";
const de: EffectGrammar = {
  money: about(
    "\\p{L}*(?:erstattung|ruckzahlung|gutschrift|gutschein|rucksendung|retoure|entschadigung|etikett|ersatz)\\p{L}{0,12}|geld|guthaben|\\p{L}*rabatt|betrag|(?:ruckgabe)|kulanz|neue bestellung",
  ),
  things: of(
    `${B}(?:bestellung|auftrag|abo|konto|adresse|lieferadresse|anschrift|versand|versandkosten|gebuhr\\p{L}*|zahlung)${E}`,
  ),
  did: of(
    `${B}(?:(?:ich|wir) (?:habe?n?)|(?:habe?n?) (?:ich|wir))${E} .{0,120}?(?<!\\p{L})(\\p{L}+(?:t|en))${DE_LAST}`,
    "gu",
  ),
  done: of(`${B}(?:wurden?|worden)${E} .{0,120}?(?<!\\p{L})(\\p{L}+(?:t|en))${DE_LAST}`, "gu"),
  will: of(
    `${B}(?:wird|werden)${E} .{0,120}?(?<!\\p{L})(\\p{L}+(?:t|en))${DE_LAST}|${B}(erscheint|folgt|trifft)${E}`,
    "gu",
  ),
  harmless: word(
    "gefunden|(?:an|nach)?gesehen|gelesen|verstanden|(?:uber|nach)?gepruft|notiert|erhalten|bekommen|gefragt|gehort|weitergeleitet|weitergegeben|geschaut|angeschaut|erklart|beschrieben|erwahnt|entschieden|bemerkt|bezahlt|gezahlt|bestellt|getragen|benutzt|beschadigt|gekauft|abgelehnt|angefragt|beantragt|gebeten|prufen|entscheiden|ansehen|antworten|fragen|sagen|helfen|melden|brauchen|konnen|mussen|sollen|geworden|gelassen",
  ),
  onTheWay: word(
    "geliefert|zugestellt|verschickt|versendet|versandt|ubergeben|abgelegt|abgegeben|aufgegeben|gepackt|verpackt|hinterlegt|angenommen|bestatigt|aufgeteilt|angekommen|storniert|abgebrochen",
  ),
};

const FR_SOON = "(?:(?:bien|deja|aussi|donc|immediatement|maintenant|entierement|egalement) ){0,2}";
const FR_PAST = "\\p{L}+(?:e|i|u|is|it|ert|int|us)(?:e?s?)";
const fr: EffectGrammar = {
  money: about(
    "remboursements?|argent|avoirs?|bons?(?= d'achat| de reduction| de \\d)|reductions?|remises?|geste commercial|solde|retours?|etiquettes?|indemnisation|remplacement|montant|virement|nouvelle commande",
  ),
  things: of(`${B}(?:commandes?|abonnement|compte|adresse|expedition|frais|paiement|prelevement)${E}`),
  did: of(`(?:${B}|')(?:ai|avons)${E} ${FR_SOON}(${FR_PAST})${E}`, "gu"),
  done: of(`${B}(?:a|ont)${E} ${FR_SOON}ete ${FR_SOON}(${FR_PAST})${E}`, "gu"),
  will: of(
    `${B}(?:sera|seront) ${FR_SOON}(${FR_PAST})${E}|${B}(apparaitra|arrivera|parviendra|tombera|figurera|suivra)${E}`,
    "gu",
  ),
  harmless: word(
    "(?:trouv|regard|not|demand|verifi|cherch|essay|expliqu|mentionn|decid|pos|consult|parl|attend|port|utilis|endommag|abim|pay|regl|command|refus|rejet|examin|souhait)ee?s?|vue?s?|lue?s?|comprise?s?|recue?s?|entendue?s?|transmise?s?|achetee?s?|besoin|ete|eu",
  ),
  onTheWay: word(
    "(?:livr|expedi|envoy|pass|depos|emball|prepar|confirm|enregistr|laiss|annul)ee?s?|remise?s?|partie?s?|prise?s?",
  ),
};

const ES_SOON = "(?:(?:ya|tambien|ahora|correctamente|totalmente|manualmente) ){0,2}";
const ES_PAST = "\\p{L}+d[oa]s?|hech[oa]s?|devuelt[oa]s?|puest[oa]s?|abiert[oa]s?|escrit[oa]s?|resuelt[oa]s?";
const es: EffectGrammar = {
  money: about(
    "reembolsos?|dinero|abonos?|vales?|cupon(?:es)?|descuentos?|gesto comercial|saldo|devolucion(?:es)?|etiquetas?|compensacion|reemplazo|importe|pedido nuevo|nuevo pedido",
  ),
  things: of(`${B}(?:pedidos?|suscripcion|cuenta|direccion|envio|gastos|tarifa|cargo|pago|cuota)${E}`),
  did: of(`${B}(?:he|hemos)${E} ${ES_SOON}(${ES_PAST}|visto)${E}`, "gu"),
  done: of(
    `${B}(?:(?:ha|han) sido|se (?:(?:le|les|te|os) )?(?:ha|han)) ${ES_SOON}(${ES_PAST})${E}|${B}(?:fue|fueron)${E} ${ES_SOON}(${ES_PAST})${E}`,
    "gu",
  ),
  will: of(
    `${B}(?:se (?:le |les )?(\\p{L}{3,}ran?)|(aparecera|llegara|estara|quedara)|sera ${ES_SOON}(${ES_PAST}))${E}`,
    "gu",
  ),
  harmless: word(
    "encontrad[oa]s?|visto|mirad[oa]s?|leid[oa]s?|entendid[oa]s?|recibid[oa]s?|anotad[oa]s?|preguntad[oa]s?|buscad[oa]s?|revisad[oa]s?|intentad[oa]s?|oid[oa]s?|comprobad[oa]s?|pagad[oa]s?|comprad[oa]s?|usad[oa]s?|danad[oa]s?|solicitad[oa]s?|decidid[oa]s?|rechazad[oa]s?|denegad[oa]s?|mencionad[oa]s?|explicad[oa]s?|pedid[oa]s?|llegad[oa]s?|podid[oa]s?|sid[oa]s?|decidira|revisara|mirara|vera|comprobara|debera|podra",
  ),
  onTheWay: word(
    "entregad[oa]s?|enviad[oa]s?|expedid[oa]s?|salid[oa]s?|pasad[oa]s?|dejad[oa]s?|preparad[oa]s?|confirmad[oa]s?|realizad[oa]s?|recogid[oa]s?|cancelad[oa]s?|anulad[oa]s?",
  ),
};

const PT_SOON = "(?:(?:ja|tambem|agora|totalmente|manualmente) ){0,2}";
const PT_PAST = "\\p{L}+d[oa]s?|feit[oa]s?|pag[oa]s?|aceit[eoa]s?|post[oa]s?|abert[oa]s?|escrit[oa]s?";
const pt: EffectGrammar = {
  money: about(
    "reembolsos?|dinheiro|creditos?|vales?|cupao|cupom|descontos?|gesto comercial|saldo|devoluc(?:ao|oes)|etiquetas?|compensacao|substituicao|valor total|montante|estornos?|nova encomenda|novo pedido",
  ),
  things: of(
    `${B}(?:encomendas?|pedidos?|assinatura|subscricao|conta|endereco|morada|envio|portes|taxa|cobranca|pagamento)${E}`,
  ),
  did: of(`${B}(\\p{L}{3,}ei|fiz|fizemos|pus|dei|abri)${E}`, "gu"),
  done: of(`${B}(?:foi|foram)(?:-lhes?)?${E} ${PT_SOON}(${PT_PAST})${E}`, "gu"),
  will: of(
    `${B}(?:(?:sera|serao)(?:-lhe)? ${PT_SOON}(${PT_PAST})|(aparecera|chegara|estara|entrara)|vai (aparecer|chegar|cair|entrar))${E}`,
    "gu",
  ),
  harmless: word(
    "encontrei|olhei|verifiquei|notei|perguntei|procurei|tentei|falei|consultei|pensei|esperei|expliquei|mencionei|fiquei|cheguei|recebid[oa]s?|pag[oa]s?|comprad[oa]s?|usad[oa]s?|danificad[oa]s?|solicitad[oa]s?|decidid[oa]s?|verificad[oa]s?|recusad[oa]s?|pedid[oa]s?|analisad[oa]s?|vist[oa]s?",
  ),
  onTheWay: word(
    "entregues?|entregad[oa]s?|enviad[oa]s?|expedid[oa]s?|deixad[oa]s?|preparad[oa]s?|confirmad[oa]s?|recolhid[oa]s?|cancelad[oa]s?|anulad[oa]s?|passei|passad[oa]s?",
  ),
};

const IT_SOON = "(?:(?:gia|anche|ora|appena|correttamente|interamente|subito) ){0,2}";
const IT_PAST = "\\p{L}+(?:t|s)[oaie]";
const it: EffectGrammar = {
  money: about(
    "rimbors[oi]|soldi|denaro|accredit[oi]|buon[oi]|sconti?|sconto|gesto commerciale|saldo|res[oi]|etichett[ae]|risarcimento|sostituzione|importo|bonifico|storno|nuovo ordine",
  ),
  things: of(
    `${B}(?:ordin[ei]|abbonamento|conto|indirizzo|spedizione|spese|quota|addebito|pagamento|commissione)${E}`,
  ),
  did: of(`${B}(?:ho|abbiamo)${E} ${IT_SOON}(${IT_PAST})${E}`, "gu"),
  done: of(`${B}(?:isv|sono)${E} ${IT_SOON}stat[oaie] ${IT_SOON}(${IT_PAST})${E}`, "gu"),
  will: of(
    `${B}(?:verra|verranno|sara|saranno) ${IT_SOON}(${IT_PAST})${E}|${B}(comparira|arrivera|arriveranno)${E}`,
    "gu",
  ),
  harmless: word(
    "trovat[oaie]|vist[oaie]|guardat[oaie]|lett[oaie]|capit[oaie]|ricevut[oaie]|annotat[oaie]|chiest[oaie]|cercat[oaie]|controllat[oaie]|provat[oaie]|sentit[oaie]|verificat[oaie]|pagat[oaie]|comprat[oaie]|usat[oaie]|danneggiat[oaie]|decis[oaie]|rifiutat[oaie]|richiest[oaie]|spiegat[oaie]|esaminat[oaie]|avut[oaie]|stat[oaie]|questo|tanto|molto|quest[oaie]|tutt[oaie]",
  ),
  onTheWay: word(
    "consegnat[oaie]|spedit[oaie]|inviat[oaie]|passat[oaie]|lasciat[oaie]|preparat[oaie]|confermat[oaie]|ritirat[oaie]|effettuat[oaie]|mess[oaie]|annullat[oaie]|cancellat[oaie]",
  ),
};

export const EFFECT_GRAMMAR: Readonly<Record<Language, EffectGrammar>> = { en, es, de, fr, pt, it };
