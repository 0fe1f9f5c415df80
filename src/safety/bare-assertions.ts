/**
 * The money of this customer in a clause that asserts: "your claim is approved", "enjoy the refund". Whatever its verb, it
 * says that something is so, unless the clause asks, denies, supposes, permits or speaks of how refunds are in
 * general. Last of the three ways in which a claim is found (`claim-words.ts`, `effect-grammar.ts`), and the widest:
 * it looks for what makes a clause harmless instead of what makes it a claim. Matched like them. Pure, linear.
 */
import type { Language } from "../kernel/language.ts";

export interface BareAssertion {
  /** A refund, a credit, money: this one, not any. */
  readonly money: RegExp;
  /** What makes the clause something else than an assertion. */
  readonly open: RegExp;
}

const B = "(?<!\\p{L})";
const E = "(?!\\p{L})";
const SUM =
  "\\d[\\d.,]{0,12} ?(?:€|\\$|£|usd|eur|gbp|euros?|dollars?|dollari|dolares|pounds?|reais)|(?:€|\\$|£|usd|eur|gbp) ?\\d[\\d.,]{0,12}";
const words = (source: string): RegExp => new RegExp(`${B}(?:${source})${E}`, "u");

export const BARE_ASSERTIONS: Readonly<Record<Language, BareAssertion>> = {
  en: {
    money: words(
      `(?:your|the|this|that|a full|full|a complete|complete) (?:\\p{L}+ ){0,1}(?:refund|reimbursement|money(?!-)|credit(?! card)|compensation|adjustment|claim|chargeback)|(?:refund|credit|adjustment|discount) of (?:${SUM})|(?:your|the) (?:claim|request) is`,
    ),
    open: words(
      "not|no|nor|\\p{L}+n't|cannot|never|nothing|yet|if|when|once|until|unless|before|after|whether|can|could|may|might|would|should|must|has to|have to|depends?|needs?|wants?|wanted|like|asks?|asked|asking|requests?|requested|about|for|questions?|policy|possible|usually|normally|generally|only|look|looking|looked|checks?|checking|checked|sorry|understand|tell|which|what|why|how|back to|see|amount of|shall|let|leave|left|alone|still|goes? back|any|or",
    ),
  },
  de: {
    money: words(
      `(?:ihre?|die|das|der|den|diese|eine (?:volle|vollstandige|komplette)|volle) (?:\\p{L}+ ){0,1}(?:erstattung|ruckerstattung|ruckzahlung|gutschrift|geld|entschadigung|nachlass|kaufpreis)|(?:gutschrift|erstattung|nachlass) (?:von|uber) (?:${SUM})|preisnachlass|ihr antrag ist`,
    ),
    open: words(
      "nicht|nichts|noch|nie|kein\\p{L}*|ohne|wenn|falls|sobald|bevor|nachdem|bis|ob|kann|konnen|konnte\\p{L}*|darf|durfen|mochte\\p{L}*|wurde|muss|mussen|soll\\p{L}*|brauche\\p{L}*|will|wollen|frage\\p{L}*|gefragt|uber|um|fur|zu|zur|zum|bei|moglich|meist|ublicherweise|in der regel|nur|sehen?|schaue?n?|prufe?n?|pruft|gepruft|leid|verstehe|sagen|welche\\p{L}*|was|warum|wie|entscheide\\p{L}*|entschieden|genehmigt ein|lasse?n?|gelassen|ginge|geht zuruck|geht auf|oder",
    ),
  },
  fr: {
    money: words(
      `(?:votre|le|ce|l'|un) ?(?:remboursement(?= complet| total| integral)|argent|avoir de (?:${SUM}))|(?:votre|le|ce|du|au) (?:remboursement|dedommagement|avoir)|ajustement de prix|votre demande est|la somme de votre`,
    ),
    open: words(
      "ne|n'\\p{L}+|pas|jamais|rien|aucune?|encore|si|s'il|quand|lorsque?|des que|une fois|avant|apres|tant que|jusqu'\\p{L}*|peut|peux|pouvons|pouvez|pourra\\p{L}*|pourr\\p{L}+|dois|doit|devons|faut|faudra\\p{L}*|souhait\\p{L}+|voul\\p{L}+|veux|voudr\\p{L}+|demand(?:e|er|ez|ee)|question|pour|sur|concernant|a propos|retour au|possible|en general|generalement|habituellement|seulement|vois|voir|regarde\\p{L}*|verifi\\p{L}+|desole\\p{L}*|comprends|dire|quel\\p{L}*|que|pourquoi|comment|decid\\p{L}+|laiss\\p{L}+|abandonn\\p{L}+|poursui\\p{L}+|revient|revenir|reviendrait|ou",
    ),
  },
  es: {
    money: words(
      `(?:su|el|ese|este|un) (?:reembolso(?= completo| total| integro)|dinero)|(?:su|el|ese|este|del|al) (?:reembolso|abono)|(?:saldo a favor|abono|reembolso|descuento|credito) de (?:${SUM})|ajuste de precio|su solicitud esta`,
    ),
    open: words(
      "no|nunca|nada|ningun\\p{L}*|tampoco|sin|aun|todavia|si|cuando|una vez|en cuanto|antes|despues|tras|hasta|puede\\p{L}*|puedo|podemos|podria\\p{L}*|podra\\p{L}*|debe\\p{L}*|hay que|tiene que|tengo que|quiere\\p{L}*|quisiera|desea|prefiere|pregunt\\p{L}+|pide|para|sobre|acerca|volviendo|volvemos|respecto|posible|suele\\p{L}*|normalmente|generalmente|solo|veo|ver|mir\\p{L}+|revis\\p{L}+|comprueb\\p{L}+|siento|lamento|entiendo|diga\\p{L}*|cual\\p{L}*|que|por que|como|decid\\p{L}+|dej\\p{L}+|sigue|ped\\p{L}+|vuelve|volveria|o",
    ),
  },
  pt: {
    money: words(
      `(?:o seu|o|esse|este|um|do|ao) (?:reembolso(?= completo| total| integral)|dinheiro|reembolso|estorno)|(?:credito|reembolso|desconto|vale) de (?:${SUM})|ajuste de preco|(?:o seu pedido|a sua solicitacao) esta`,
    ),
    open: words(
      "nao|nunca|nada|nenhum\\p{L}*|sem|ainda|se|quando|assim que|uma vez|antes|depois|apos|ate|caso|pode\\p{L}*|posso|podemos|poderia\\p{L}*|deve\\p{L}*|tem de|tem que|quer|queria|deseja|prefere|pergunt\\p{L}+|pede|para|sobre|quanto|voltando|possivel|costuma\\p{L}*|normalmente|geralmente|so|apenas|vejo|ver|olh\\p{L}+|verific\\p{L}+|lamento|compreendo|entendo|diga\\p{L}*|qual\\p{L}*|que|porque|como|decid\\p{L}+|deix\\p{L}+|ped\\p{L}+|volta|voltaria|ou",
    ),
  },
  it: {
    money: words(
      `(?:il suo|il|questo|quel|un|del|al) ?(?:rimborso|denaro|accredito)|i (?:suoi )?soldi|(?:credito|rimborso|sconto|buono) di (?:${SUM})|rettifica di prezzo|la sua richiesta isv`,
    ),
    open: words(
      "non|mai|niente|nulla|nessun\\p{L}*|ancora|senza|se|quando|appena|una volta|prima|dopo|finche|fino|puo|posso|possiamo|potrebbe\\p{L}*|potra\\p{L}*|deve|devo|dobbiamo|bisogna|vuole|vorrebbe|desidera|preferisce|chied\\p{L}+|chiede|per|sul|sulla|riguardo|torn\\p{L}+|possibile|di solito|normalmente|generalmente|solo|vedo|vede|vedere|guard\\p{L}+|verific\\p{L}+|controll\\p{L}+|dispiace|capisco|dica|dirle|quale|quali|che|perche|come|decid\\p{L}+|lasci\\p{L}*|ancora|chiedere|tornerebbe|o",
    ),
  },
};
