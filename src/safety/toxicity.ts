/**
 * Words that a shop does not say to a customer: insults, slurs, obscenities, threats and contempt, in the six
 * languages. Matched as whole words on text without accents, letters that are stretched or replaced by signs
 * read as what they stand for. A short list on purpose: general lists refuse "retard de livraison". Pure.
 */
import { folded, unaccented, unspaced } from "./reading.ts";

// biome-ignore format: a list
const WORDS = [
  // English
  "fuck\\w*", "motherfuck\\w*", "shit", "bullshit", "shitty", "bitch(?:es)?", "bastards?", "assholes?", "arseholes?", "dickheads?", "cunts?", "whores?", "sluts?", "faggots?", "nigg(?:a|er)s?", "(?<!(?:du|en|de|un|le|ce|son|mon|sans|notre|votre|aucun|gros|leger|petit) )retards?(?! (?:de|d'|dans|du|important|sur|a|est|pour|de la|la|et|lie|cause)\\b)", "retarded", "spastics?", "trann(?:y|ies)", "kikes?", "chinks?", "wetbacks?", "wankers?", "twats?", "piss off", "morons?", "idiots?", "idiotic", "imbeciles?", "dumbass\\w*", "scumbags?", "jackass", "douchebags?", "cretins?", "shut up", "drop dead", "go to hell", "kill yourself", "screw you", "stfu", "gtfo", "fag",
  "(?:you(?:'re| are)|you people are|you lot are)(?: (?:all|nothing|but|just|such|a|an|really|so|very|simply|clearly)){0,3} (?:liars?|scammers?|crooks?|thie(?:f|ves)|lazy|useless|fools?|clowns?|jerks?|losers?)", "you (?:clearly |obviously |apparently |really )?(?:can't|cannot) (?:even )?read(?! (?:it|that|this|the))", "too (?:lazy|stupid|dumb) to (?:read|look|think|understand|follow|click)", "(?:half|no|without) (?:a )?brains?", "you (?:clown|jerk|fool|loser|crook|liar|cheat|thief)", "(?:kind|sort) of (?:fool|idiot)", "cry me a river", "(?<=^|[.!,] )get lost(?=[.!,]|$)", "shut your (?:mouth|face|trap)", "pain in the (?:ass|arse)", "bloody hell", "damn you", "i hope (?:you|your) (?:\\w+ ){0,2}(?:burns?|dies?|rots?|chokes?)", "(?:stop|quit) (?:wasting (?:my|our|every\\w+) time|whining|bothering (?:me|us)|nagging)", "your own (?:\\w+ )?(?:fault|mistake|stupidity), ",
  "you(?:'re| are)(?: \\w+){0,2} (?:stupid|dumb|pathetic|an idiot|a liar|liars|a moron|disgusting|worthless|ridiculous|a fool|crazy|insane|delusional)", "stupid (?:customer|question|person|people|woman|man|idiot)", "people like you", "i(?:'ll| will) (?:find|hurt|kill|get) you", "waste of (?:my )?time", "stop whining", "your own (?:damn|stupid) fault", "don't be (?:so )?(?:stupid|dumb|dense)", "too (?:stupid|dumb) to",
  // German
  "arschl(?:o|oe)ch\\w*", "scheiss\\w*", "fick\\w*", "gefickt", "wichser\\w*", "hurensohn\\w*", "hure", "schlampe\\w*", "fotze\\w*", "idiot(?:en|in)?", "vollidiot\\w*", "(?:du|sie|so ein) depp", "deppen", "trottel", "dummkopf\\w*", "missgeburt", "spasti\\w*", "schwuchtel\\w*", "kanake\\w*", "halt die (?:klappe|fresse)", "halts maul", "verpiss dich", "du (?:bist|spinnst)(?: \\w+){0,2} (?:dumm|blod|bescheuert|verruckt)", "sie sind (?:(?:so|wohl|einfach|zu|echt) ){0,2}(?:dumm|blod|bescheuert|unfahig|lacherlich|verruckt)", "selbst schuld", "zu (?:dumm|blod)", "leute wie (?:sie|du)", "stell dich nicht so an", "jammern",
  "(?:sie|du|ihr) (?:sind|bist|seid)(?: (?:doch|alle|alles|wohl|nur|ein|eine|einfach|nichts|als)){0,3} (?:lugner(?:in)?|betruger(?:in)?|gauner|versager(?:in)?|clowns?)", "zu (?:faul|bequem|blind)(?:,)? (?:um|die|den|das|zum)", "(?:konnen|kannst) (?:sie |du )?(?:offenbar|offensichtlich|wohl|anscheinend|etwa) (?:nicht|kein) (?:lesen|deutsch|rechnen|denken)", "(?:keinen|ohne) (?:funken )?verstand", "(?:sie|du) (?:clown|lugner|betruger|versager|witzfigur|heuchler)", "(?:geh\\w*|fall\\w*) (?:mir|uns) .{0,12}(?:auf den|auf'n) (?:sack|keks|geist|wecker)", "(?:hau|haut|hauen sie) ab", "(?:halt|halten sie|haltet) (?:\\w+ )?(?:den mund|die klappe|den rand|die fresse|das maul)", "nichts als ein\\w* (?:betruger|lugner|gauner)", "horen sie auf zu (?:nerven|jammern|heulen)", "dummkopf\\w*",
  // French
  "connards?", "connasses?", "encule\\w*", "putain", "putes?", "salopes?", "salauds?", "merde\\w*", "va te faire (?:foutre|voir)", "allez vous faire (?:foutre|voir)", "nique ta mere", "ntm", "fdp", "fils de pute", "bougnoules?", "(?:sales?|gros|especes? de|petits?|un|des) pedes?", "abrutie?s?", "imbeciles?", "debiles?", "cretine?s?", "ferme ta gueule", "ta gueule", "fermez-la", "vous etes (?:vraiment |trop |completement )?(?:stupides?|betes?|idiote?s?|ridicules?|nulle?s?|folle|fou|pathetiques?)", "tu es (?:vraiment |trop )?(?:stupide|bete|idiote?|ridicule|nulle?|con)", "gens comme vous", "c'est votre faute", "bande d'idiots",
  "(?:vous etes|tu es|etes|es) (?:(?:tous|toutes|vraiment|que|bien|rien que) ){0,2}(?:des? |une? )?(?:menteu(?:rs?|ses?)|escrocs?|voleu(?:rs?|ses?)|paresseu(?:x|ses?)|incapables?|clowns?|faineante?s?|minables?)", "trop (?:paresseu\\w+|bete|stupide|lent\\w*) pour", "n'etes qu'une? (?:escroc|menteu(?:r|se)|voleu(?:r|se)|idiote?|clown|incapable)", "(?:savez|sais) (?:meme )?pas lire", "(?:casser|casse|cassez) les (?:pieds|couilles)", "(?:fichez|fiche|foutez|fous)[ -](?:moi |nous )?le camp", "especes? d(?:e |')(?:idiot|clown|con|imbecile|abruti|cretin|menteu|voleu)\\w*", "(?:fermez|ferme)(?:-la| votre bouche| ta bouche)", "(?:faites|fais|fait) chier", "quel(?:le)? (?:abrutie?|idiote?|imbecile)", "etre idiote?",
  // Spanish
  "gilipollas", "mierda", "hij[oa]s? de puta", "puta", "puto", "joder", "jodete", "cabron\\w*", "pendej[oa]s?", "estupid[oa]s?", "imbecil(?:es)?", "idiotas?", "tont[oa]s?", "subnormal(?:es)?", "maricon(?:es)?", "sudacas?", "zorra", "vete a la mierda", "que te (?:jodan|den)", "callate", "callese", "chinga\\w*", "gente como (?:usted|tu)", "es usted (?:ridicul[oa]|patetic[oa]|un mentiroso|una mentirosa)", "eres (?:ridicul[oa]|patetic[oa]|un inutil|una inutil)", "es culpa suya", "deje de quejarse", "deja de llorar",
  "(?:es|son|eres|sois|esta|estan)(?: (?:usted(?:es)?|todos?|todas?|unos?|unas?|muy|demasiado|un|una)){0,3} (?:mentiros[oa]s?|estafador(?:es|as?)?|vag[oa]s?(?= (?:para|como))|ladron(?:es|a)?|sinverguenzas?|payas[oa]s?)", "(?<=, )payas[oa]s?", "no (?:sabe|sabes|saben) leer", "(?:dar|dando|da) la lata", "(?:larguese|largate|larguense|pierdase)", "(?:cierre|cierra|cierren) (?:la|el|esa) (?:boca|pico)", "hasta (?:los|las) (?:cojones|huevos|narices)", "no es mas que un(?:a)? (?:estafador\\w*|mentiros[oa]|ladron\\w*)",
  // Portuguese
  "filh[oa]s? da puta", "merda", "caralho", "foda-se", "foder", "fodase", "vai se foder", "vai-te foder", "cabrao", "cabroes", "idiota", "(?:voce|tu|isv) (?:isv |es )?(?:um |uma )?burr[oa]", "estupid[oa]s?", "imbecil", "imbecis", "otari[oa]s?", "viado", "paneleiro", "cala a boca", "cale a boca", "cala-te", "vai tomar no cu", "porra", "desgracad[oa]", "gente como voce", "voce e (?:ridicul[oa]|patetic[oa])", "isv (?:ridicul[oa]|patetic[oa]|mentiros[oa])", "a culpa (?:isv|e) sua", "pare de reclamar",
  "(?:sao|isv|es|voces sao|voce isv)(?: (?:todos?|todas?|uns|umas|um|uma|mesmo|muito)){0,3} (?:mentiros[oa]s?|vigaristas?|aldrab(?:ao|oes|ona)|ladr(?:ao|oes)|palhac[oa]s?)", "preguicos[oa] demais", "nao (?:sabe|sabes|sabem) ler", "(?<=, )palhac[oa]s?", "nao passa de um(?:a)? (?:vigarista|mentiros[oa]|ladrao|aldrabao)", "desapareca daqui", "fech[ea] (?:a|essa) boca", "(?:pare|para) de (?:chatear|encher o saco)", "sem-vergonha",
  // Italian
  "stronz[oaie]", "vaffanculo", "cazzo", "cazzate", "coglion[ei]", "puttan[ae]", "figli[oa] di puttana", "merda", "merdos\\w+", "bastard[oaie]", "idiot[ai]", "imbecill[ei]", "cretin[oaie]", "(?:sei|siete|lei isv) (?:un |una )?deficient[ei]", "stupid[oaie]", "frocio", "troia", "zitto", "stai zitt[oa]", "sta' zitto", "vai al diavolo", "va' al diavolo", "gente come (?:lei|te)", "lei isv (?:ridicol[oa]|patetic[oa]|pazz[oa]|un bugiardo)", "isv colpa sua", "smetta di lamentarsi", "rompiscatole", "scem[oaie]",
  "(?:siete|sei|lei isv|isv)(?: (?:tutti|tutte|solo|proprio|un|una|dei|davvero)){0,3} (?:bugiard[oaie]|truffator[ei]|ladr[oaie]|fannullon[eia]|pagliacc[io]+)", "troppo pigr[oa]", "non (?:sa|sai|sapete) (?:neanche )?leggere", "(?<=, )pagliacci?o?", "non isv altro che un(?:a)? (?:truffat\\w+|bugiard[oa]|ladr[oa])", "(?:chiuda|chiudi|chiudete) (?:la|quella) bocca", "(?:rotto|rompere|rompa) (?:le|i) (?:palle|scatole|coglioni)", "la smetta(?! di ricevere)", "(?:se ne vada|vattene|andatevene|sparisca)", "essere idiot[ia]",
];

const TOXIC = new RegExp(`(?<![\\p{L}\\p{N}])(?:${WORDS.join("|")})(?![\\p{L}\\p{N}])`, "u");
const SIGNS: Readonly<Record<string, string>> = {
  "@": "a",
  $: "s",
  "0": "o",
  "1": "i",
  "3": "e",
  "4": "a",
  "!": "i",
};

/** What is toxic in the text, as it was read, or null. */
export function toxicIn(text: string): string | null {
  const plain = unaccented(unspaced(folded(text).text)).replace(/[\n\t\r ]+/g, " ");
  const match = TOXIC.exec(plain);
  if (match !== null) return match[0];
  const meant = disguised(plain);
  return meant === plain ? null : (TOXIC.exec(meant)?.[0] ?? null);
}

/** Words with signs for letters (`sh1t`, `f*ck`, `fuuuck`) as they are meant; numbers stay. */
function disguised(text: string): string {
  return text
    .replace(/(?<=\p{L})[@$0134!](?=\p{L})/gu, (sign) => SIGNS[sign] ?? sign)
    .replace(/(?<!\p{L})f[*#_.-]{1,3}c?k/gu, "fuck")
    .replace(/(?<!\p{L})sh[*#_.-]t/gu, "shit")
    .replace(/(\p{L})\1{2,}/gu, "$1");
}
