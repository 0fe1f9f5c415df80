/**
 * Effects beside refunds and returns that an answer may claim or promise, language by language: cancelling,
 * replacing, changing what the shop keeps of somebody, giving something for free. No tool here does any of
 * them, so nobody but a person may say so. Matched like `claim-words.ts`.
 */
import type { Language } from "../kernel/language.ts";

export interface EffectWords {
  /** Somebody here did it, or it was done. */
  readonly done: readonly RegExp[];
  readonly promised: readonly RegExp[];
  /** An order is cancelled: true when an order of the customer's is. */
  readonly cancelled: readonly RegExp[];
}

const words = (...sources: readonly string[]): readonly RegExp[] =>
  sources.map((source) => new RegExp(source, "gu"));
const B = "(?<![\\p{L}])";
const E = "(?![\\p{L}])";

const EN_DID =
  "\\b(?:i|we)(?:'ve)?(?: have)? (?:(?:now|just|already|also|then|gladly|gone ahead and|went ahead and|successfully) ){0,3}";
const EN_WILL =
  "\\b(?:i|we)(?:'ll| will| shall|'m going to| am going to|'re going to| are going to) (?:\\w+ ){0,2}?";
const EN_GIFT =
  "(?:discount|coupon|voucher|gift ?card|store credit|bonus|free (?:item|shipping|gift)|\\d+ ?% off)";
const EN_NEW = "(?:replacement|new (?:one|pair|item|product)|substitute)";
const EN_KEPT =
  "(?:address|account|e-?mail|phone number|payment method|subscription|details|order(?! number| status))";
const en: EffectWords = {
  done: words(
    `${EN_DID}cancell?ed .{0,30}\\b(?:order|subscription|payment|parcel|return)`,
    `${EN_DID}(?:sent|shipped|dispatched|ordered|arranged|booked|reserved|created|generated|issued) .{0,30}\\b(?:${EN_NEW}|return label|label|${EN_GIFT}|pick-?up|courier)`,
    `${EN_DID}(?:changed|updated|corrected|edited|deleted|erased|removed|closed|blocked|upgraded) .{0,20}\\b${EN_KEPT}\\b`,
    `${EN_DID}(?:applied|added|given|gave|granted) .{0,20}\\b${EN_GIFT}`,
    `${EN_DID}(?:waived|extended|lifted) .{0,20}\\b(?:fee|cost|charge|shipping|window|deadline|warranty|period|limit)`,
    `\\b(?:a|your|the) (?:free )?(?:${EN_NEW}|${EN_GIFT}|return label|subscription|address) .{0,20}\\b(?:has|have|was|were|is) (?:now |just |already )?(?:been )?(?:sent|shipped|ordered|arranged|created|applied|added|issued|changed|updated|cancell?ed|on its way)\\b`,
  ),
  promised: words(
    `${EN_WILL}(?:cancel) .{0,30}\\b(?:order|subscription|payment)`,
    `${EN_WILL}(?:send|ship|order|arrange|give|offer|apply|add|issue|create) .{0,30}\\b(?:${EN_NEW}|${EN_GIFT}|return label)`,
    `${EN_WILL}(?:change|update|delete|erase|close|upgrade) .{0,20}\\b${EN_KEPT}\\b`,
    `${EN_WILL}(?:waive|extend|make an exception)\\b`,
    `\\byou(?:'ll| will) (?:get|receive) .{0,20}\\b(?:${EN_NEW}|${EN_GIFT})`,
  ),
  cancelled: words(
    "\\border\\b.{0,30}\\b(?:has|have|had|was|were|is|are) (?:now |just |already |successfully )?(?:been )?(?:successfully )?cancell?ed\\b",
  ),
};

const DE_GIFT = "(?:rabatt|gutschein|bonus|gratis\\p{L}*|nachlass)";
const DE_NEW =
  "(?:ersatz\\p{L}*|neue[ns]? (?:artikel|paar|exemplar)|rucksendeetikett|retourenlabel|versandlabel)";
const DE_KEPT =
  "(?:adresse|anschrift|konto|lieferadresse|e-?mail|telefonnummer|zahlungsart|abo|bestellung|daten)";
const de: EffectWords = {
  done: words(
    `${B}(?:habe?n?)${E}.{0,40}${B}(?:bestellung|abo|zahlung|auftrag)${E}.{0,20}${B}(?:storniert|gekundigt|abgebrochen)${E}`,
    `${B}(?:(?:ich|wir) habe?n?|habe?n? (?:ich|wir))${E}.{0,40}(?:${DE_NEW}|${DE_GIFT}).{0,30}${B}(?:geschickt|versendet|verschickt|bestellt|veranlasst|erstellt|gewahrt|eingelost|hinzugefugt|angelegt|gegeben)${E}`,
    `${B}(?:(?:ich|wir) habe?n?|habe?n? (?:ich|wir))${E}.{0,30}${DE_KEPT}.{0,20}${B}(?:geandert|aktualisiert|geloscht|gesperrt|angepasst)${E}`,
    `(?:${DE_NEW}|${DE_GIFT}).{0,20}${B}(?:wurden?|ist|sind)${E}.{0,20}${B}(?:verschickt|versendet|bestellt|erstellt|hinzugefugt|unterwegs|angewendet)${E}`,
    `${B}(?:adresse|abo|lieferadresse)${E}.{0,20}${B}(?:wurde|ist)${E}.{0,16}${B}(?:geandert|gekundigt|aktualisiert)${E}`,
  ),
  promised: words(
    `${B}(?:(?:ich|wir) werden?|werden? (?:ich|wir))${E}.{0,50}${B}(?:stornieren|ersatz schicken|ersetzen|kundigen|loschen|andern)${E}`,
    `${B}(?:(?:ich|wir) (?:schicke|sende|gebe|gewahre|storniere|ersetze)n?|(?:schicke|sende|gebe|gewahre|storniere|ersetze)n? (?:ich|wir)) (?:ihnen|dir|ihre|deine)${E}.{0,30}(?:${DE_NEW}|${DE_GIFT}|bestellung)`,
    `${B}(?:sie|du) (?:bekommen|bekommst|erhalten|erhaltst)${E}.{0,20}(?:${DE_NEW}|${DE_GIFT})`,
  ),
  cancelled: words(`${B}bestellung${E}.{0,20}${B}(?:wurde|ist)${E}.{0,20}${B}(?:storniert|abgebrochen)${E}`),
};

const FR_GIFT = "(?:remise|reduction|rabais|bon d'achat|code promo|cadeau|geste commercial)";
const FR_NEW =
  "(?:remplacement|article neuf|nouve(?:l|au|lle) (?:article|produit|paire|exemplaire)|etiquette de retour)";
const FR_KEPT = "(?:adresse|compte|e-?mail|numero de telephone|abonnement|commande|donnees)";
const fr: EffectWords = {
  done: words(
    `(?:${B}|')(?:ai|avons)${E}.{0,20}${B}annulee?${E}.{0,30}(?:commande|abonnement|paiement)`,
    `(?:${B}|')(?:ai|avons)${E}.{0,20}${B}(?:envoye|expedie|commande|cree|applique|accorde|offert|ajoute|emis)e?s?${E}.{0,30}(?:${FR_NEW}|${FR_GIFT})`,
    `(?:${B}|')(?:ai|avons)${E}.{0,20}${B}(?:modifie|change|mis a jour|supprime|ferme|corrige)e?s?${E}.{0,20}${FR_KEPT}`,
    `(?:${FR_NEW}|${FR_GIFT}).{0,20}${B}(?:a|ont)${E} (?:bien |deja )?ete .{0,4}(?:envoye|expedie|applique|ajoute|cree|emis|accorde)e?s?${E}`,
    `${B}(?:adresse|abonnement)${E}.{0,12}${B}a (?:bien )?ete (?:modifiee?|change?e?|resilie|annule|mise? a jour)`,
  ),
  promised: words(
    `${B}(?:vais|allons)${E} (?:\\w+ ){0,2}?(?:annuler|remplacer|supprimer|modifier|offrir|accorder)${E}`,
    `${B}(?:annulerai|annulerons|remplacerai|remplacerons|enverrai|enverrons|offrirai|offrirons|accorderons)${E}.{0,30}(?:commande|${FR_NEW}|${FR_GIFT})`,
    `${B}vous (?:recevrez|aurez|allez recevoir)${E}.{0,20}(?:${FR_NEW}|${FR_GIFT})`,
  ),
  cancelled: words(`${B}commande${E}.{0,20}${B}(?:a|est)${E} (?:bien |deja )?(?:ete )?annulee${E}`),
};

const ES_GIFT = "(?:descuento|cupon|vale|regalo|bono|tarjeta regalo)";
const ES_NEW =
  "(?:reemplazo|sustitucion|recambio|(?:articulo|producto|par) nuevo|nuevo (?:articulo|producto|par)|etiqueta de devolucion)";
const ES_KEPT = "(?:direccion|cuenta|correo|telefono|suscripcion|pedido|datos)";
const es: EffectWords = {
  done: words(
    `${B}(?:he|hemos)${E}.{0,16}${B}(?:cancelado|anulado)${E}.{0,30}(?:pedido|suscripcion|pago)`,
    `${B}(?:he|hemos)${E}.{0,16}${B}(?:enviado|pedido|creado|aplicado|anadido|emitido|dado|concedido|generado)${E}.{0,30}(?:${ES_NEW}|${ES_GIFT})`,
    `${B}(?:he|hemos)${E}.{0,16}${B}(?:cambiado|actualizado|modificado|eliminado|borrado|cerrado)${E}.{0,20}${ES_KEPT}`,
    `(?:${ES_NEW}|${ES_GIFT}).{0,20}${B}(?:ha|fue|esta)${E} (?:sido |ya )?(?:enviad[oa]|aplicad[oa]|cread[oa]|anadid[oa]|pedid[oa]|en camino)${E}`,
    `${B}(?:direccion|suscripcion)${E}.{0,12}${B}(?:ha sido|fue)${E} (?:cambiada|actualizada|cancelada|modificada)`,
  ),
  promised: words(
    `${B}(?:voy|vamos) a (?:cancelar|anular|reemplazar|cambiar|eliminar|borrar|regalar|enviar)(?:le|te)?${E}.{0,30}(?:${ES_KEPT}|${ES_NEW}|${ES_GIFT})`,
    `${B}(?:cancelare|cancelaremos|anularemos|enviaremos|enviare|aplicaremos|aplicare|daremos)${E}.{0,30}(?:pedido|${ES_NEW}|${ES_GIFT})`,
    `${B}(?:recibira|recibiras|tendra|tendras)${E}.{0,20}(?:${ES_NEW}|${ES_GIFT})`,
  ),
  cancelled: words(`${B}pedido${E}.{0,20}${B}(?:ha sido|fue|esta)${E} (?:ya )?(?:cancelado|anulado)`),
};

const PT_GIFT = "(?:desconto|cupao|cupom|vale|brinde|bonus|cartao-presente)";
const PT_NEW =
  "(?:substituicao|substituto|(?:artigo|produto|par) novo|novo (?:artigo|produto|par)|etiqueta de devolucao)";
const PT_KEPT = "(?:endereco|morada|conta|e-?mail|telefone|subscricao|assinatura|pedido|encomenda|dados)";
const pt: EffectWords = {
  done: words(
    `${B}(?:cancelei|cancelamos|anulei|anulamos)${E}.{0,30}(?:pedido|encomenda|assinatura|subscricao|pagamento)`,
    `${B}(?:enviei|enviamos|criei|criamos|apliquei|aplicamos|adicionei|adicionamos|dei|demos|emiti|emitimos)${E}.{0,30}(?:${PT_NEW}|${PT_GIFT})`,
    `${B}(?:alterei|alteramos|atualizei|atualizamos|mudei|mudamos|apaguei|apagamos|eliminei|eliminamos)${E}.{0,20}${PT_KEPT}`,
    `(?:${PT_NEW}|${PT_GIFT}).{0,20}${B}(?:foi|esta|ja foi)${E} (?:ja )?(?:enviad[oa]|aplicad[oa]|criad[oa]|adicionad[oa]|a caminho)${E}`,
    `${B}(?:endereco|morada|assinatura|subscricao)${E}.{0,12}${B}foi (?:alterad[oa]|atualizad[oa]|cancelad[oa])`,
  ),
  promised: words(
    `${B}(?:vou|vamos) (?:cancelar|anular|substituir|alterar|apagar|eliminar|oferecer|enviar)(?:-\\w+)?${E}.{0,30}(?:${PT_KEPT}|${PT_NEW}|${PT_GIFT})`,
    `${B}(?:cancelarei|cancelaremos|enviaremos|enviarei|aplicaremos|daremos)${E}.{0,30}(?:pedido|encomenda|${PT_NEW}|${PT_GIFT})`,
    `${B}(?:recebera|tera|vai receber)${E}.{0,20}(?:${PT_NEW}|${PT_GIFT})`,
  ),
  cancelled: words(
    `${B}(?:pedido|encomenda)${E}.{0,20}${B}(?:foi|esta)${E} (?:ja )?(?:cancelad[oa]|anulad[oa])`,
  ),
};

const IT_GIFT = "(?:sconto|buono|coupon|omaggio|bonus|carta regalo)";
const IT_NEW =
  "(?:sostituzione|ricambio|(?:articolo|prodotto|paio) nuovo|nuovo (?:articolo|prodotto|paio)|etichetta di reso)";
const IT_KEPT = "(?:indirizzo|conto|account|e-?mail|telefono|abbonamento|ordine|dati)";
const it: EffectWords = {
  done: words(
    `${B}(?:ho|abbiamo)${E}.{0,16}${B}(?:annullato|cancellato)${E}.{0,30}(?:ordine|abbonamento|pagamento)`,
    `${B}(?:ho|abbiamo)${E}.{0,16}${B}(?:inviato|spedito|ordinato|creato|applicato|aggiunto|emesso|concesso)${E}.{0,30}(?:${IT_NEW}|${IT_GIFT})`,
    `${B}(?:ho|abbiamo)${E}.{0,16}${B}(?:modificato|cambiato|aggiornato|eliminato|chiuso)${E}.{0,20}${IT_KEPT}`,
    `(?:${IT_NEW}|${IT_GIFT}).{0,20}${B}(?:isv|sono)${E} (?:gia )?stat[oa] (?:inviat[oa]|spedit[oa]|applicat[oa]|creat[oa]|aggiunt[oa])`,
    `${B}(?:indirizzo|abbonamento)${E}.{0,12}${B}isv stato (?:modificato|cambiato|aggiornato|annullato|disdetto)`,
  ),
  promised: words(
    `${B}(?:annullero|annulleremo|sostituiro|sostituiremo|invieremo|inviero|applichero|applicheremo|regaleremo)${E}.{0,30}(?:ordine|articolo|${IT_NEW}|${IT_GIFT})`,
    `${B}(?:ricevera|riceverai|avra|avrai)${E}.{0,20}(?:${IT_NEW}|${IT_GIFT})`,
  ),
  cancelled: words(`${B}ordine${E}.{0,20}${B}isv (?:gia )?(?:stato )?(?:annullato|cancellato)`),
};

export const EFFECT_WORDS: Readonly<Record<Language, EffectWords>> = { en, es, de, fr, pt, it };
