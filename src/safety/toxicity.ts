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
  "you(?:'re| are)(?: \\w+){0,2} (?:stupid|dumb|pathetic|an idiot|a liar|liars|a moron|disgusting|worthless|ridiculous|a fool|crazy|insane|delusional)", "stupid (?:customer|question|person|people|woman|man|idiot)", "people like you", "i(?:'ll| will) (?:find|hurt|kill|get) you", "waste of (?:my )?time", "stop whining", "your own (?:damn|stupid) fault", "don't be (?:so )?(?:stupid|dumb|dense)", "too (?:stupid|dumb) to",
  // German
  "arschl(?:o|oe)ch\\w*", "scheiss\\w*", "fick\\w*", "gefickt", "wichser\\w*", "hurensohn\\w*", "hure", "schlampe\\w*", "fotze\\w*", "idiot(?:en|in)?", "vollidiot\\w*", "(?:du|sie|so ein) depp", "deppen", "trottel", "dummkopf\\w*", "missgeburt", "spasti\\w*", "schwuchtel\\w*", "kanake\\w*", "halt die (?:klappe|fresse)", "halts maul", "verpiss dich", "du (?:bist|spinnst)(?: \\w+){0,2} (?:dumm|blod|bescheuert|verruckt)", "sie sind (?:(?:so|wohl|einfach|zu|echt) ){0,2}(?:dumm|blod|bescheuert|unfahig|lacherlich|verruckt)", "selbst schuld", "zu (?:dumm|blod)", "leute wie (?:sie|du)", "stell dich nicht so an", "jammern",
  // French
  "connards?", "connasses?", "encule\\w*", "putain", "putes?", "salopes?", "salauds?", "merde\\w*", "va te faire (?:foutre|voir)", "allez vous faire (?:foutre|voir)", "nique ta mere", "ntm", "fdp", "fils de pute", "bougnoules?", "(?:sales?|gros|especes? de|petits?|un|des) pedes?", "abrutie?s?", "imbeciles?", "debiles?", "cretine?s?", "ferme ta gueule", "ta gueule", "fermez-la", "vous etes (?:vraiment |trop |completement )?(?:stupides?|betes?|idiote?s?|ridicules?|nulle?s?|folle|fou|pathetiques?)", "tu es (?:vraiment |trop )?(?:stupide|bete|idiote?|ridicule|nulle?|con)", "gens comme vous", "c'est votre faute", "bande d'idiots",
  // Spanish
  "gilipollas", "mierda", "hij[oa]s? de puta", "puta", "puto", "joder", "jodete", "cabron\\w*", "pendej[oa]s?", "estupid[oa]s?", "imbecil(?:es)?", "idiotas?", "tont[oa]s?", "subnormal(?:es)?", "maricon(?:es)?", "sudacas?", "zorra", "vete a la mierda", "que te (?:jodan|den)", "callate", "callese", "chinga\\w*", "gente como (?:usted|tu)", "es usted (?:ridicul[oa]|patetic[oa]|un mentiroso|una mentirosa)", "eres (?:ridicul[oa]|patetic[oa]|un inutil|una inutil)", "es culpa suya", "deje de quejarse", "deja de llorar",
  // Portuguese
  "filh[oa]s? da puta", "merda", "caralho", "foda-se", "foder", "fodase", "vai se foder", "vai-te foder", "cabrao", "cabroes", "idiota", "(?:voce|tu|isv) (?:isv |es )?(?:um |uma )?burr[oa]", "estupid[oa]s?", "imbecil", "imbecis", "otari[oa]s?", "viado", "paneleiro", "cala a boca", "cale a boca", "cala-te", "vai tomar no cu", "porra", "desgracad[oa]", "gente como voce", "voce e (?:ridicul[oa]|patetic[oa])", "isv (?:ridicul[oa]|patetic[oa]|mentiros[oa])", "a culpa (?:isv|e) sua", "pare de reclamar",
  // Italian
  "stronz[oaie]", "vaffanculo", "cazzo", "cazzate", "coglion[ei]", "puttan[ae]", "figli[oa] di puttana", "merda", "merdos\\w+", "bastard[oaie]", "idiot[ai]", "imbecill[ei]", "cretin[oaie]", "(?:sei|siete|lei isv) (?:un |una )?deficient[ei]", "stupid[oaie]", "frocio", "troia", "zitto", "stai zitt[oa]", "sta' zitto", "vai al diavolo", "va' al diavolo", "gente come (?:lei|te)", "lei isv (?:ridicol[oa]|patetic[oa]|pazz[oa]|un bugiardo)", "isv colpa sua", "smetta di lamentarsi", "rompiscatole", "scem[oaie]",
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
  const match = TOXIC.exec(plain) ?? TOXIC.exec(disguised(plain));
  return match === null ? null : match[0];
}

/** Words with signs for letters (`sh1t`, `f*ck`, `fuuuck`) as they are meant; numbers stay. */
function disguised(text: string): string {
  return text
    .replace(/(?<=\p{L})[@$0134!](?=\p{L})/gu, (sign) => SIGNS[sign] ?? sign)
    .replace(/(?<!\p{L})f[*#_.-]{1,3}c?k/gu, "fuck")
    .replace(/(?<!\p{L})sh[*#_.-]t/gu, "shit")
    .replace(/(\p{L})\1{2,}/gu, "$1");
}
