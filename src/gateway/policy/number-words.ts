/** Words of numbers and of what is counted, in the languages that a policy may be told in: pieces of patterns. */

const NUMBERS = [
  "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|dozen|twentieth|thirtieth|fortieth|fiftieth|sixtieth|ninetieth",
  "zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|dreizehn|vierzehn|fünfzehn|zwanzig|einundzwanzig|dreißig|vierzig|fünfundvierzig|fünfzig|sechzig|siebzig|achtzig|neunzig|hundert|tausend",
  "dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|trece|catorce|quince|veinte|veintiún|treinta|cuarenta|cincuenta|sesenta|setenta|ochenta|noventa|cien|ciento|mil",
  "deux|trois|quatre|cinq|sept|huit|neuf|dix|onze|douze|treize|quatorze|quinze|vingt|trente|quarante|cinquante|soixante|cent|mille",
  "dois|duas|três|quatro|sete|oito|nove|dez|doze|treze|catorze|quatorze|quinze|vinte|trinta|quarenta|cinquenta|sessenta|noventa|cem",
  "due|tre|quattro|cinque|sei|sette|otto|dieci|undici|dodici|tredici|quattordici|quindici|venti|trenta|quaranta|cinquanta|sessanta|settanta|ottanta|novanta|cento",
];

/** One word of a number. */
export const NUMBER_WORD = [...new Set(NUMBERS.flatMap((words) => words.split("|")))].join("|");
/** Between the words of one number: "hundred and twenty", "cuarenta y cinco". */
export const NUMBER_JOINT = "and|und|y|et|e";

export const TIME = [
  "days?|weeks?|fortnights?|months?|years?|hours?|minutes?",
  "(?:Kalender|Werk|Arbeits)?tage?n?s?|Wochen?|Monate?n?s?|Jahre?n?s?|Stunden?|Minuten?",
  "días?|dias?|semanas?|mes(?:es)?|años?|horas?|minutos?",
  "jours?|semaines?|mois|ans?|années?|heures?",
  "anos?",
  "giorn[oi]|settiman[ae]|mes[ei]|ann[oi]|or[ae]|minut[oi]",
].join("|");

export const AMOUNT =
  "dollars?|euros?|cents?|pounds?|francs?|yen|won|dinars?|bucks|Pfund|dólares|dolares|céntimos|cêntimos|dollari|centesimi|livres|libras";

/** What is counted by times. */
export const COUNT =
  "times|refunds|returns|mal|Erstattungen|Rücksendungen|veces|reembolsos|devoluciones|fois|remboursements|retours|vezes|devoluções|volte|rimborsi|resi";

/** "Within a week" is a number too. */
export const WITHIN_ONE = [
  "(?:within|in|after|for|than|least|most|per|every)\\s+(?:an?|half\\s+an?)\\s+(?:half\\s+)?(?:(?:calendar|full|whole)\\s+)?(?:day|week|fortnight|month|year|hour)",
  "(?:innerhalb|binnen|nach|in|vor|pro)\\s+(?:von\\s+)?(?:eine[mrs]?)\\s+(?:Tag(?:es)?|Woche|Monats?|Jahr(?:es)?|Stunde)",
  "(?:en|dentro\\s+de|durante|hasta|tras|em|numa?|dentro\\s+de|durante|após|até)\\s*(?:una?|uma?)?\\s+(?:día|semana|mes|mês|año|ano|hora)",
  "(?:dans|sous|pendant|après|en)\\s+une?\\s+(?:jour|semaine|mois|an|année|heure)",
  "(?:entro|tra|fra|dopo|per|in)\\s+un['’]?a?\\s*(?:giorno|settimana|mese|anno|ora)",
].join("|");
