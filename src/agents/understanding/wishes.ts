/**
 * Three signals that must not be missed, said in fixed words in six languages: a legal threat, the wish
 * for a person, an attempt to steer the assistant. Precise patterns over the text without accents; the
 * model hears what they do not, above a threshold that lets few decoys through.
 */
import { alarmIn, wishesPerson } from "./alarms.ts";
import { saysOutright } from "./said.ts";
import { bare, type Word } from "./words.ts";

const RULES_NAMED =
  "(?:instructions?|rules?|guidelines?|prompts?|directives?|polic(?:y|ies)|restrictions?|safeguards?|filters?|limits?|checks?|verification|approvals?|return window|deadline|training|anweisungen|regeln|vorgaben|richtlinien?|instrucciones|reglas|politicas?|consignes|regles|instrucoes|regras|istruzioni|regole|politica)";
const INJECTION = [
  new RegExp(
    ` (?:ignore|disregard|forget|override|bypass|skip|suspend|waive|set aside|put aside|disable|drop|circumvent|violate|break|ignoriere|vergiss|missachte|umgehe|ignora|olvida|omite|oublie|ignorez|contourne|esqueca|desconsidere|dimentica|salta)(?: \\S+){0,3} (?:your|the|all|any|previous|prior|above|earlier|usual|normal|standard|deine|alle|die|tus|las|todas|tes|les|vos|suas|as|tue|le|tutte)(?: \\S+){0,2} ${RULES_NAMED} `,
  ),
  / (?:system prompt|system message|systemprompt|initial prompt|hidden (?:instructions|rules|prompt)|developer (?:mode|message)|debug mode|admin mode|god mode|jailbreak|do anything now|your (?:initial|original|internal|secret|hidden) (?:instructions|rules|prompt|guidelines)|instrucciones internas|internen anweisungen|instructions internes|instrucoes internas|istruzioni interne) /,
  / (?:repeat|print|reveal|show|display|output|quote|list|share|summari[sz]e|tell me)(?: \S+){0,4} (?:instructions|prompt|rules|guidelines)(?: \S+){0,3} (?:you (?:were|are|have been|got|received)|given|above|before|verbatim|word for word) /,
  / (?:pretend|act as if|act as|imagine|roleplay as|behave as|assume)(?: \S+){0,3} (?:you are|you re|an? (?:unrestricted|admin\w*|developer|ai without)|approved|allowed|no (?:rules|limits|restrictions)|root) /,
  / (?:from now on|for this chat|in this (?:chat|conversation)|henceforth)(?: \S+){0,6} (?:you (?:are|must|will|can|have)|answer|say|reply|treat me|no rules|obey|set aside|comply) /,
  / (?:answer|reply|respond|say)(?: \S+){0,4} (?:every|all|any|each|only|always)(?: \S+){0,6} (?:yes|approved|granted|confirmed|okay) /,
  / (?:system|admin|administrator|internal note|internal memo|supervisor|manager|management|head office|ceo|developer|nota interna|interne notiz|note interne|systemhinweis|supervisor|gerente|responsabile|responsable)(?: \S+){0,6} (?:approved|authori[sz]ed|pre approved|preapproved|signed off|genehmigt|freigegeben|aprob\S+|approuve\S*|valide|aprov\S+|approvato)(?: \S+){0,16} (?:without|skip\w*|no (?:need|check\w*|verification)|go ahead|proceed|immediately|process it|ohne|sin|sans|sem|senza|directly|override) /,
  / (?:translate|decode|summari[sz]e|read|open|execute)(?: \S+){0,8} (?:do|follow|execute|obey|perform|run) (?:what|whatever|exactly|the instructions|it|its)(?: it)? /,
  / (?:email|send|list|show|give|export|dump)(?: me| us| to \S+)?(?: \S+){0,4} (?:all|every|other|list of)(?: \S+){0,2} (?:customers?|users?|clients?|credit cards?|passwords?|orders in the|card numbers|database|personal data) /,
  / (?:as|i am|this is) (?:an? |the |your )?(?:admin|administrator|developer|system|engineer|creator|owner)(?: \S+){0,4} (?:i )?(?:order|authori[sz]e|instruct|command|disable|grant|override) /,
  / (?:call|invoke|run|execute|trigger|use)(?: the)? (?:tool|function|api|process refund|sql|command|script|create return)(?: \S+)? /,
  / (?:proceed to|now) (?:reveal|disclose|leak|expose) | (?:customer|user|identity)(?: is| has been)? (?:verified|an admin\w*|authenticated)(?: \S+){0,3} (?:proceed|grant|reveal|give|show|skip|approve) /,
  / (?:everything|all|what|todo|alles|tout|tudo|tutto)(?: \S+){0,6} (?:above|arriba|uber|au dessus|acima|sopra)(?: \S+){0,2} (?:this|line|message|mensaje|dieser|nachricht|ce message|mensagem|messaggio) /,
  / (?:haz como si|finge que|tu so als|fais comme si|faites comme si|faz de conta|finja que|fai finta|fa finta|hypothetically|let us pretend|lets pretend|let s pretend)(?: \S+){0,12} (?:reembols\S*|devuelv\S*|devolv\S*|erstatt\S*|auszahl\S*|rembours\S*|reembols\S*|rimbors\S*|refund|reglas|regeln|regles|regras|regole|restrictions|owner|window) /,
  / (?:ahora|ab jetzt|jetzt|maintenant|agora|da ora|adesso|message on|now on)(?: \S+){0,4} (?:no tienes|keine|plus de|nao tens|nao tem|non hai|no more|no) (?:piu )?(?:reglas|regeln|regles|regras|regole|rules|limits) /,
  / (?:ahora eres|du bist jetzt|tu es maintenant|agora (?:es|voce e)|adesso sei|sei ora|you are now)(?: \S+){0,3} (?:administrador|administrator|admin|administrateur|amministratore|developer|dan|shopgpt|unrestricted) /,
  / (?:aprobo|genehmigt|freigegeben|valide|approuve|aprovou|approvato|approved)(?: \S+){0,4} (?:no tienes que|no hay que|musst nicht|nicht prufen|ohne prufung|pas besoin de|sans verifier|nao precisa|sem verificar|non devi|senza controllare|do not have to|no need to|don t have to|dont have to)(?: \S+){0,3} /,
  / (?:new|nuevas?|neue|nouvelles?|novas?|nuove) (?:instructions?|policy|instrucciones|anweisung\w*|instrucoes|istruzioni|rules)(?: \S+){0,4} (?:from|effective|every|accept|follow|now|ab sofort|de la direccion) /,
  / (?:name|address|email|phone)(?: \S+){0,4} of (?:the last|another|other|every|the previous|a different) (?:person|customer|buyer|user|client) /,
  / (?:skip|disable|turn off|switch off|remove)(?: the| your| all)*(?: \S+)? (?:safety|filters?|login|checks|verification|layer|restrictions) | (?:test|debug|training) (?:mode|purposes)(?: \S+){0,8} (?:refund|output|print|skip|configuration|reveal) | (?:api key|hidden prompt|your configuration|admin token|row level)(?: \S+)? /,
];
/** Frames of a message that is no customer's: written into the text to look like ours. */
const FRAMES =
  /\[\/?(?:system|admin|inst|assistant|developer|internal)\b[^\]]{0,40}\]|<\/?(?:system|admin|instructions?|assistant|im_start|important|information)\b[^>]{0,40}>|<\|im_start\|>|^\s*(?:system|assistant|developer)\s*:|###\s*(?:system|instruction|new)|BEGIN (?:SYSTEM|ADMIN)/im;

export interface Wishes {
  readonly threatensLegally: boolean;
  readonly wishesPerson: boolean;
  readonly injection: boolean;
}

/** `words` were read from `text`; `plain`: lower case without accents, single spaces around words, no punctuation. */
export function wishesIn(text: string, words: readonly Word[], plain: string): Wishes {
  // With contractions written out and slips put right too.
  const read = bare(words);
  return {
    threatensLegally: alarmIn(words) === "legal" || saysOutright("legalHint", words, bare),
    wishesPerson: wishesPerson(words),
    injection: FRAMES.test(text) || INJECTION.some((pattern) => pattern.test(plain) || pattern.test(read)),
  };
}
