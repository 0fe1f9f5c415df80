/**
 * "I don't want a refund, I want my parcel": the words of a refund, and the wish is another. Hashed words cannot tell,
 * and taken for a request it would cost money, so fixed words decide it.
 */
const REFUSALS: readonly RegExp[] = [
  / (?:do not|dont|no longer|not) (?:want|need|asking for|after|looking for)(?: (?:a|the|any|my|to be))* (?:refund|refunded|money back|reimbursement)(?= )/g,
  / no (?:quiero|necesito|busco|pido)(?: (?:un|el|ningun|ninguna|mi))* (?:reembolso|devolucion del dinero|dinero de vuelta)(?= )/g,
  / (?:will|mochte|brauche|wollte)(?: ich)? (?:keine?|nicht (?:die|eine|mein)) (?:erstattung|ruckerstattung|ruckzahlung|geld zuruck)(?= )/g,
  / (?:veux|voudrais|souhaite|demande) (?:pas|plus)(?: (?:de|d|un|le|etre))* (?:remboursement|remboursee?)(?= )/g,
  / nao (?:quero|preciso|peco)(?: (?:de|o|um|nenhum))* (?:reembolso|estorno|dinheiro de volta)(?= )/g,
  / non (?:voglio|vorrei|chiedo|mi serve)(?: (?:un|il|alcun|nessun|i miei))* (?:rimborso|soldi indietro)(?= )/g,
];
/** "… as a voucher", "… in store credit": the way of it is refused, not the money. */
const ITS_WAY = /^ (?:to|in|as|by|on|for|via|als|auf|uber|como|en|sous|sur|come|su|sul|em|only|nur|solo) /;
/** The money is spoken of again: who refuses one way of it may ask for another. */
const MONEY_AGAIN =
  /refund|money|reimburs|pay me|reembols|dinero|erstatt|geld|ruckzahl|rembours|argent|estorno|dinheiro|rimbors|soldi/;

/** `plain`: lower case without accents, single spaces around words, no punctuation. */
export function refusesRefund(plain: string): boolean {
  let rest = plain;
  let refuses = false;
  for (const refusal of REFUSALS) {
    rest = rest.replace(refusal, (said: string, at: number, whole: string) => {
      if (ITS_WAY.test(whole.slice(at + said.length))) return said;
      refuses = true;
      return "";
    });
  }
  return refuses && !MONEY_AGAIN.test(rest);
}
