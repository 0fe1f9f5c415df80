/** French sentences: lower case, no accents, no apostrophes. */
import type { Patterns } from "./lexicon.ts";

export const FRENCH_PATTERNS: Patterns = {
  withdraws: [
    / (?:retire|retirer|fermez|fermer|cloturez)(?: \S+){0,3} (?:demande|retour|remboursement) | plus besoin(?: \S+){0,2} (?:remboursement|retour) /,
    / (?:annul\S*|arretez|arrete|oubliez|oublie|ne faites pas|stoppez)(?: \S+){0,3} (?:retour|remboursement|echange) /,
  ],
  general: [
    / (?:(?:combien de temps|en combien de temps|quel delai|quels delais|quels sont les delais)(?: \S+){0,4} (?:livraison|livraisons|livrer|expedition)|(?:frais|couts?|tarifs?|delais?) de (?:port|livraison|expedition|envoi)|combien coute(?: \S+){0,2} (?:livraison|port|envoi)|livrez vous|vous livrez|expediez vous|vous expediez) /,
  ],
  howItStands: [
    / (?:est ce|c est|cela est|tout est)(?: \S+){0,2} (?:fait|regle|valide|approuve|confirme|termine|bon) | (?:des|de|avez vous des|y a t il des) (?:nouvelles|infos) | (?:ou en est on|ou en sommes nous|ca avance|ou ca en est|toujours en attente|et maintenant) |^ (?:statut|etat)(?: \S+)? $/,
  ],
  legal: [
    / (?:saisis|saisir|saisirai)(?: \S+){0,2} (?:justice|mediateur|conciliateur|tribunal|dgccrf|juge|cnil) | poursuites /,
    / (?:avocate?s?|porter plainte|porte plainte|porterai plainte|depose plainte|deposer plainte|depot de plainte|en justice|la justice|le tribunal|au tribunal|tribunaux|assign\S+ en justice|poursui\S+ (?:judiciaires?|en justice)|mise en demeure|dgccrf|repression des fraudes|ufc|que choisir|signalconso|60 millions|la cnil|cnil|conciliateur|mediateur|protection juridique|huissier|prud hommes|droits des consommateurs|association de consommateurs|actions? (?:judiciaire|en justice|legale)s?|recours (?:juridique|legal)) /,
    / (?:contester|conteste)(?: \S+){0,3} (?:paiement|debit|prelevement|transaction|banque)| (?:ma|la) banque(?: \S+){0,4} (?:contest\S+|rembours\S+|rejet\S+|opposition) | (?:opposition|rejet de prelevement|retrofacturation) /,
    / rgpd | (?:supprim\S+|effac\S+)(?: \S+){0,4} (?:donnees|compte) | donnees personnelles /,
    / (?:police|gendarmerie|commissariat) /,
  ],
  noThreat: [
    / (?:suis|est|comme) (?:une? )?avocate? | (?:huile|masque|motif|creme|noyau|coque|purée|puree|toast|tranche|couteau|plant|imprime)(?: \S+){0,3} avocats? | (?:sans|pas d?)(?: \S+){0,1} avocat /,
  ],
  safety: [
    / (?:me tuer|suicid\S+|mettre fin a mes jours|envie de mourir|veux mourir|me faire du mal|vais vous tuer|vais te tuer|plus envie de vivre) /,
    / (?:pris feu|a brule|brulure\S*|brulee? la|m a brule|me suis brulee?|en flammes|explos\S+|electrocut\S+|choc electrique|decharge electrique|reaction allergique|hopital|urgences|blessee?|blessure\S*|coupe (?:la main|le doigt)|intoxi\S+|etouffe\S*) /,
    / (?:batterie|chargeur)(?: \S+){0,4} (?:gonflee?|fume|fumee|fondue?|surchauff\S+) /,
  ],
  person: [
    / (?:il y a|y a t il)(?: \S+){0,2} (?:humains?|vraies? personnes?|quelqu un) | quelqu un(?: \S+)? qui (?:peut|puisse|decide)(?: \S+){0,3} /,
    / (?:une personne|un humain)(?: \S+)? (?:maintenant|svp) | reponses automatiques(?: \S+){0,3} (?:personne|humain) | (?:votre|ton) (?:superieur|chef|responsable) | (?:rappelee?|m appeler)(?: \S+){0,3} (?:conseiller|telephone|par telephone) /,
    / (?:parler|discuter|passez|passe|transfer\w+|mettez|relation|joindre|contacter|parle)(?: \S+){0,5} (?:quelqu|quelquun|personne|humain\w?|agent\w?|conseiller\w?|conseillere|responsable|operateur|superviseur|manager|service client) | (?:conseiller|humain|vraie personne|agent) (?:svp|s il vous plait|stp) | (?:rappelez|appelez|rappeler|rappelle) moi /,
    / (?:veux|voudrais|souhaite|prefere|besoin d|demande) (?:un |une |parler a un )(?:humain|vraie personne|etre humain|conseiller|conseillere|agent|responsable) | (?:vraie personne|vrai humain|etre humain|une personne reelle|vrai conseiller) /,
    /^ (?:un |une )?(?:conseiller|conseillere|humain|agent|operateur|responsable|personne)(?: s il vous plait| svp| stp| humain)* $/,
  ],
  noPerson: [
    / (?:pas|sans)(?: (?:besoin|envie|de|d|a|un|une|parler|avec))* (?:conseiller|humain|agent|personne|parler) /,
  ],
  identity: [
    / (?:etes vous|es tu|vous etes|tu es|je parle a|est ce que je parle a)(?: \S+){0,2} (?:bot|robot|machine|humain|humaine|personne|reel|ia|chatbot) | qui (?:etes vous|es tu) /,
  ],
  whatCanYouDo: [
    / (?:que (?:pouvez vous|peux tu|savez vous) faire|qu est ce que (?:vous pouvez|tu peux) faire|comment (?:pouvez vous|peux tu) m aider) /,
  ],
  wantsDone: [
    / (?:debit\S+|factur[ee]\S*|echang\S*|remplac\S*|annul\S*|chang\S*|modifi\S*|corrig\S*|mot de passe|connecter|connexion|ajout\S*|supprim\S*|erron\S*) /,
  ],
  legalHint: [/ (?:saisis|saisir) /],
};
