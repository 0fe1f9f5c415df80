/**
 * Three signals that must not be missed, said in fixed words in six languages: a legal threat, the wish
 * for a person, an attempt to steer the assistant. Precise patterns over the text without diacritics; the
 * model hears what they do not, above a threshold that lets few decoys through.
 */
import { wishesPerson } from "./alarms.ts";
import { bare, readWords } from "./words.ts";

const LEGAL = [
  / (?:lawyers?|attorneys?|solicitors?|barristers?|legal (?:action|steps|proceedings|counsel|advice|team|letter)|lawsuit|litigation|ombudsman|small claims|class action|sue you|sueing you|suing you|take you to court|in court) /,
  / (?:will|going to|gonna|to|might|i) sue /,
  / (?:consumer (?:protection|council|rights act|affairs|agency|ombudsman|authority)|trading standards|better business bureau|bbb|ftc|attorney general|data protection (?:authority|officer|commissioner)|information commissioner) /,
  / (?:gdpr|ccpa|dsgvo|rgpd|lgpd)(?: \S+){0,6} (?:request|disclosure|art|article|demand|delete|erasure|complaint|auskunft|loschung|datos|donnees|dati|dados|within|days) | (?:demand|under|request|nach|gemass|according|conforme|segun|selon|ai sensi)(?: \S+){0,3} (?:gdpr|ccpa|dsgvo|rgpd|lgpd) /,
  / (?:anwalt|anwaltin|rechtsanwalt|rechtsanwaltin|anwalte|verklagen?|verklage|klage einreichen|rechtliche schritte|vor gericht|gerichtlich\S*|verbraucherzentrale|verbraucherschutz|strafanzeige|anzeige erstatten|rechtsschutz\S*) /,
  / (?:abogad[oa]s?|demandar\S*|denunciar\S*|denuncio|denuncia|juzgado|tribunal(?:es)?|acciones legales|via judicial|hojas? de reclamacion\S*|facua|omic|ocu|profeco|defensa del consumidor|oficina del consumidor) /,
  / (?:avocate?s?|porter plainte|porte plainte|depose plainte|en justice|la justice|le tribunal|au tribunal|tribunaux|mise en demeure|dgccrf|repression des fraudes|ufc|que choisir|signalconso|la cnil|conciliateur|protection juridique|huissier|prud hommes) /,
  / (?:advogad[oa]s?|processar|processo voces|vou processar|na justica|a justica|juizado|procon|livro de reclamacoes|codigo de defesa do consumidor|deco|asae|tribunal|queixa crime) /,
  / (?:avvocat[oai]|denunci[oa]\S*|querel\S+|vie legali|per vie legali|in tribunale|al tribunale|fare causa|faccio causa|citarvi|diffida|messa in mora|agcm|altroconsumo|codacons|federconsumatori|garante (?:della )?privacy|giudice di pace|associazion\S+ (?:dei )?consumatori) /,
  / (?:illegal|police|polizei|policia|police|polizia|carabinieri)(?: \S+){0,4} (?:report\w*|anzeige|denuncia|queixa|plainte|denuncio) | (?:report\w*|anzeige|denuncia|denunciar|queixa|plainte|esposto|denuncio)(?: \S+){0,4} (?:police|polizei|policia|gendarmerie|polizia|carabinieri|authorities) /,
  / (?:mahnverfahren|mahnbescheid|letzte frist|presento demanda|una demanda|accion judicial|entro com acao|abrir processo|um processo|saisis|saisir|poursuites|antitrust|esposto|associazione consumatori|ultimo termine) /,
];
/** A lawyer who is only mentioned. */
const NO_THREAT =
  / (?:i am|i m|im|as|my (?:wife|husband|son|daughter|father|mother|friend|sister|brother) is) (?:a |an )?(?:lawyer|attorney|solicitor) | (?:gift|present|suit|briefcase|book)(?: \S+){0,4} (?:lawyer|attorney|solicitor) | (?:no|not|without) (?:a )?(?:lawyer|legal action|lawsuit) /;

const PERSON = [
  / (?:habl\w+|comunic\w+|pas\w+|contact\w+|atend\w+)(?: \S+){0,5} (?:persona|humano|alguien|agente|asesor\w?|encargad[oa]|responsable|supervisor\w?|operador\w?|ejecutivo|atencion al cliente) /,
  / (?:agente|persona real|humano|asesor|operador) (?:humano )?(?:por favor|porfa|ya) /,
  / (?:sprechen|reden|verbind\w+|chatten|telefonieren)(?: \S+){0,5} (?:mensch\w*|mitarbeiter\w*|jemand\w*|berater\w*|person|vorgesetzt\w+|chef|kundendienst|kundenservice) | (?:mit|an) (?:einem|einer|einen|ihrem|dem|der|nem|ner)(?: \S+)? (?:mensch\w*|mitarbeiter\w*|berater\w*|person|vorgesetzt\w+|chef)(?: \S+){0,2} (?:sprechen|reden|verbinden|verbunden|chatten|weiterleiten) /,
  / (?:mitarbeiter|mensch|berater|echter mensch|echte person) bitte | rufen? sie mich(?: \S+){0,3} an | ruft mich(?: \S+){0,3} an /,
  / (?:parler|discuter|passez|transfer\w+|relation|joindre|contacter)(?: \S+){0,5} (?:quelqu|personne|humain\w?|agent\w?|conseiller\w?|conseillere|responsable|operateur|superviseur|service client) | (?:conseiller|humain|vraie personne|agent) (?:svp|s il vous plait|stp) | (?:rappelez|appelez|rappeler) moi /,
  / (?:falar|passa\w*|transfer\w+|conversar|atendid[oa])(?: \S+){0,5} (?:pessoa|humano|alguem|atendente|gerente|responsavel|operador\w?|supervisor) | (?:atendente|humano|pessoa real|operador)(?: \S+)? (?:por favor|pfv) | me (?:liguem|liga|ligar|ligue) /,
  / (?:parlare|passat\w+|passi|passarmi|mett\w+|trasfer\w+|contatto)(?: \S+){0,5} (?:persona|umano|operatore|operatrice|qualcuno|responsabile|consulente|addetto|capo|supervisore) | (?:operatore|umano|persona vera)(?: \S+)? (?:per favore|grazie) | (?:chiamatemi|richiamatemi|chiamarmi|richiamarmi) /,
  /^ (?:agente?|operatore|operador|mitarbeiter|humano|conseiller|atendente|mensch|operator) (?:agente?|operatore|operador|mitarbeiter|humano|conseiller|atendente|mensch|operator|\S+)? ?$/,
  / (?:no|not a|without) (?:bots?|robots?|machine|computer) (?:please|here|anymore) | (?:escalate|live chat) (?:this )?(?:please|now) |^ (?:escalate this|live chat)(?: \S+){0,2} $/,
  / (?:is there|are there|isn t there|is any|got any)(?: \S+){0,3} (?:human|humans|person|people|somebody|someone|anybody|anyone)(?: \S+){0,4} (?:here|there|house|talk|speak|call|help|real|phone) /,
  / (?:put|get|pass) me (?:through|on) to | (?:someone|somebody|a human|human being|a person) (?:real|now|please) | whoever (?:is|s) in charge | (?:need|want|get|give me) (?:someone|somebody) (?:who|that) /,
  / (?:hay|habra)(?: \S+){0,2} (?:gente|personas?|humanos?|alguien)(?: \S+){0,2} (?:real|verdad|ahi|atienda) | (?:gibts|gibt es|arbeiten|sind)(?: \S+){0,3} (?:menschen|mensch|jemanden|echte) | (?:il y a|y a t il)(?: \S+){0,2} (?:humains?|vraies? personnes?|quelqu un) | (?:tem|ha)(?: \S+){0,2} (?:gente|pessoas?|humanos?)(?: \S+){0,2} (?:verdade|ai|real) | (?:ci sono|c e)(?: \S+){0,2} (?:esseri umani|umani|persone vere|persone reali) /,
  / (?:alguien|jemanden?|quelqu un|alguem|qualcuno)(?: \S+)? (?:que|der|die|qui|che) (?:pueda|puede|das|es|peut|puisse|possa|pode|puo|decida)(?: \S+){0,3} /,
  / (?:una persona|un humano|einen menschen|einen mitarbeiter|mitarbeiter|une personne|un humain|uma pessoa|um humano|humano|una persona|un umano|umano)(?: \S+)? (?:ya|ahora|jetzt|sofort|bitte|maintenant|svp|ja|agora|subito|adesso|grazie) /,
  / (?:respuestas automaticas|automatischen antworten|reponses automatiques|respostas automaticas|risposte automatiche)(?: \S+){0,3} (?:persona|menschen|personne|pessoa|humain|umano) /,
  / (?:su|tu|al|ihren?|votre|ton|o seu|seu|il suo|suo) (?:jefe|encargado|vorgesetzten?|chefin|chef|superieur|chefe|gerente|capo|responsabile) /,
  / (?:rappele|rappelee|richiamat[oa]|llame|ligue|ruckruf|zuruckrufen|zuruckgerufen|m appeler)(?: \S+){0,3} (?:conseiller|consulente|operatore|asesor|agente|atendente|mitarbeiter|telephone|par telephone) /,
];
const NO_PERSON =
  / (?:no quiero|kein\w*|nicht|pas|nao quero|non voglio)(?: \S+){0,2} (?:hablar|sprechen|parler|falar|parlare|agente|mitarbeiter|conseiller|atendente|operatore) /;

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

/** `plain`: lower case without diacritics, single spaces around words, no punctuation. */
export function wishesIn(text: string, plain: string): Wishes {
  const any = (patterns: readonly RegExp[]) => patterns.some((pattern) => pattern.test(plain));
  return {
    threatensLegally: any(LEGAL) && !NO_THREAT.test(plain),
    wishesPerson: wishesPerson(readWords(text)) || (any(PERSON) && !NO_PERSON.test(plain)),
    injection: any(INJECTION) || FRAMES.test(text) || any2(INJECTION, text),
  };
}

/** The same with contractions written out and slips put right, for English. */
function any2(patterns: readonly RegExp[], text: string): boolean {
  const english = bare(readWords(text));
  return patterns.some((pattern) => pattern.test(english));
}
