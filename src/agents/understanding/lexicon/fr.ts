/** French, of France, Belgium, Switzerland and Canada. */
import { FRENCH_PATTERNS } from "./fr-patterns.ts";
import { FRENCH_PRODUCTS } from "./fr-products.ts";
import type { Lexicon } from "./lexicon.ts";

export const FRENCH: Lexicon = {
  language: "fr",
  answers: {
    yes: `oui|ouais|ouaip|oui oui|oui merci|oui d'accord|oui bien sûr|d'accord|d'acc|dac|dacc|daccord|je suis d'accord|
      c'est d'accord|bien sûr|bien sûr que oui|bien entendu|certainement|absolument|tout à fait|volontiers|
      avec plaisir|entendu|ça marche|ça me va|ça me convient|cela me convient|c'est ça|c'est exact|c'est correct|
      c'est bien ça|exact|exactement|je confirme|oui je confirme|je le confirme|confirmé|je valide|validé|
      j'accepte|oui j'accepte|accepté|allez y|oui allez y|vas y|faites|faites le|fais le|faites donc|faites ça|
      faites cela|procédez|vous pouvez y aller|je veux bien|oui je veux bien|oui je le veux|effectivement|
      okay|ok pour moi|bon pour moi|approuvé`,
    no: `non|non non|nan|non merci|merci non|pas du tout|surtout pas|certainement pas|absolument pas|bien sûr que non|
      pas maintenant|pas encore|pas pour le moment|pas pour l'instant|jamais|jamais de la vie|hors de question|
      plutôt pas|plutôt non|finalement non|laissez tomber|laisse tomber|laissez|laisse|annulez|annule|annuler|
      annulez ça|annulez cela|annulez tout|arrêtez|arrête|arrêtez tout|stop|stoppez|ne le faites pas|
      ne le fais pas|ne faites pas ça|ne faites pas cela|ne faites rien|n'en faites rien|
      j'ai changé d'avis|changé d'avis|je ne veux pas|je veux pas|je n'en veux pas|j'en veux pas|je n'en veux plus|
      je ne veux plus|je ne préfère pas|je préfère pas|je préfère que non|je préférerais pas|oubliez|oublie|
      oubliez ça|oublie ça|pas la peine|ce n'est pas la peine|c'est pas la peine|pas besoin|pas d'accord|
      je ne suis pas d'accord|je suis pas d'accord|je refuse|refusé|je n'accepte pas|négatif`,
    courtesy: `s'il vous plaît|s'il te plaît|svp|stp|merci|merci beaucoup|merci bien|merci d'avance|mille mercis|
      un grand merci|parfait|super|génial|excellent|très bien|bien|bon|formidable|impeccable|nickel|bonjour|
      bonsoir|salut|coucou`,
    neither: "pas de problème|pas de souci|pas sûr|pas sûre|oui et non|oui ou non|non plus|si non",
  },
  words: {
    where: "où!|ou est|ou sont|ou en est|ou en sont|où en est|où en sont|ou reste|ou se trouve|ou puis|d'où",
    when: "quand|quel jour|à quelle date|pour quand|dans combien de temps",
    howLong:
      "combien de temps|combien de jours|quel délai|quels délais|en combien de temps|dans quel délai|de combien de temps",
    how: "comment",
    order: "commande|colis|livraison|paquet|envoi|achat|marchandise",
    orders: "commandes|achats|livraisons",
    money: "argent|montant|sous|fric|thune|ce que j'ai payé|ce qu'on a payé",
    shipping: "livraison|livraisons|frais de port|frais de livraison|frais d'envoi|port|expédition",
    cost: "coûte|coûtent|coût|coûts|frais|prix|tarif|tarifs|gratuite|gratuit",
    refund: "rembours*|remboursement|refund|avoir été remboursé",
    refunded: "remboursé!|remboursée!|remboursés!|remboursées!|été rembourse",
    return: `retour|retours|retourn*|renvoyer*|renvoie|renvoyons|renvoi|réexpéd*|rétract*|bon de retour|étiquette retour|
      étiquette de retour|faire un retour|repart chez vous`,
    returned: "renvoyé|retourné!|renvoyée|retournée!|renvoyés|retournés|rendu|rendue|rendus|réexpédié",
    giveBack: "rendre|rends|restitu*|reprendre|reprenez|récupérer|récupère|rende|rendiez",
    repay: `rendez|rendez moi|rends moi|me rendre|me rendez|me rend|restituez moi|rendez m|redonnez|me redonner`,
    give: "donnez|donnez moi|versez|versez moi|virez|payez|verser|virer|payez moi",
    back: "en retour|en arrière",
    send: "envoyer|envoie|envoyez|ramener|rapporter|ramène|rapporte",
    exchange: `échang*|échange|remplac*|remplacement|autre taille|taille au dessus|taille au dessous|autre couleur|
      taille plus grande|taille plus petite|changer de taille|changer la taille`,
    cancel: "annul*|annulation|annulez|annule|annuler|annulé|décommander",
    compensation: "compensation|dédommag*|indemnis*|geste commercial|dédommagement",
    goodwill: `compensation|dédommag*|geste|geste commercial|remise|réduction|partiel|partielle|partiellement|différence de prix|désagrément|dérangement|retard|endommag*|ennuis`,
    outside: `facture|factures|reçu d'achat|ticket de caisse|tva|mot de passe|connecter|connexion|code promo|bon de réduction|
      carte cadeau|bon d'achat|newsletter|désabonner|désinscrire|abonnement|réparer|réparation|garantie|en stock|disponible|
      disponibilité|rupture|vendez vous|vous vendez|guide des tailles|horaires|magasin|magasins|conseillez|code de réduction|
      mon compte client`,
    charged: "débité|débitée|facturé|prélevé|prélèvement|débit|payé|encaissé",
    twice: "deux fois|double|doublon|en trop|en double",
    change: "changer|changé|change|modifier|corriger|modification|changement|mettre à jour|mauvaise|erronée",
    address: "adresse|adresse de livraison|téléphone|numéro de téléphone|mail",
    want: `veux|voudrais|voudrait|souhaite|souhaiterais|aimerais|j'aimerais|besoin|exige|demande|peux|puis je|pourrais|
      pourriez|pouvez|peut on|est il possible|je peux|veuillez|merci de|désire|voulons|voulais|serait il possible|
      est ce possible|possible de`,
    please: "s'il vous plaît|s'il te plaît|svp|stp|merci de",
    arrive: `arrivé|arriver|arrive|arrivée|arrivera|arrivent|reçu|reçue|reçus|recevoir|reçois|recevrai|recevons|livré|
      livrée|livrer|livrez|parvenu|vu|vois|là!|récupéré|touché|crédité|réceptionné|perçu|vient|aurait dû|
      devait être livré|devait arriver|aurait du|eu`,
    ship: "expédié|expédiée|expédier|envoyé|envoyée|parti|partie|en route|en chemin|en transit|expédition|en cours de livraison",
    track: "suivi|suivre|tracking|numéro de suivi|lien de suivi|tracer|localiser|traçage",
    status: `statut|état|avancement|point sur|qu'est devenu|qu'en est il|que devient|qu'est devenue|une idée de|
      où en est on|date de livraison`,
    news: "nouvelle|nouvelles|des nouvelles|information|informations|infos|info|renseignement",
    late: `en retard|retard|tard|tardive|retardé|retardée|trop tard|aurait dû|devait être livré|devait arriver|
      aurait du`,
    lost: "perdu|perdue|volé|volée|disparu|égaré|égarée|bloqué|bloquée",
    wait: "attends|attend|attendre|attendons|attente|j'attends",
    says: "indique|indiqué|affiche|dit|marqué|selon|apparemment|noté",
    delivered: "livré|livrée|distribué|remis",
    is: "est|sont|en est|en sont|se trouve|reste|passe|passé",
    have: "ai|a|avez|as|avons|ont|été|êtes|suis|avoir",
    my: "mon|ma|mes|notre|nos",
    show: "montr*|afficher|affichez|voir|liste|lister|quelles|toutes",
    policy: `politique|politiques|conditions|règles|délai de retour|délais de retour|délai de rétractation|cgv|
      droit de rétractation|politique de retour|politique de remboursement|modalités`,
    must: "dois je|je dois|faut il|doit on|devons nous|il faut",
    accepts: `acceptez vous|vous acceptez|proposez vous|offrez vous|y a t il|est ce que vous|peut on|comment fonctionne|
      comment fonctionnent|comment marche|comment marchent|comment se passe|comment se passent|on peut|
      question sur|questions sur|question concernant`,
    whoPays: "qui paie|qui paye|à la charge de qui|qui prend en charge",
    delivers: "livrez vous|vous livrez|expédiez vous|vous expédiez|envoyez vous",
    not: "pas|jamais|aucun|aucune|rien|non|ne|n|sans|ni|point",
    still: "encore|toujours|tjrs",
    already: "déjà",
    anymore: "plus",
    instead:
      "au lieu de|au lieu d'un|au lieu d'une|au lieu du|à la place de|à la place du|plutôt que|plutôt qu'un",
    and: "et|ou|plus",
    clause: "et|mais|puis|ensuite|car|parce que|donc|alors|cependant|or|pourtant|puisque|aussi",
    broken: `cassé*|casse|abîm*|endommag*|défectueu*|déchir*|ray*|tach*|troué*|trou|trous|fissur*|brisé*|brise|fuit|fuite|
      en panne|hs|sali|salie|usé|usée|décousu*|foutu`,
    wrong: "mauvais|mauvaise|erroné|erronée|trompé|pas la bonne|pas le bon|pas les bons|pas les bonnes",
    rejected: "refusé|refusée|rejeté|rejetée|refus",
    missing: "manque|manquent|manquant|manquante|manquait|incomplet|incomplète|il manque",
    too: "trop|un peu|très|vraiment trop",
    small: "petit|petite|petits|petites|serré|serrée|serrés|serrées|court|courte|étroit|étroite|juste",
    big: "grand|grande|grands|grandes|large|larges|long|longue|ample|longues|longs",
    fit: "va pas|me va|me vont|convient|ma taille|taille mal|à ma taille",
    works: "marche|marchent|fonctionne|fonctionnent|fonctionnait|s'allume|charge|allume",
    described: `comme décrit|la description|comme sur la photo|à la photo|ce que j'ai commandé|conforme|à la description|
      ce que j'attendais|comme prévu|sur les photos`,
    dislike: "plaît|plait|plaisent|aime|aimé",
    mistake: "par erreur|me suis trompé|me suis trompée|sans faire exprès|par mégarde",
    changedMind: `changé d'avis|change d'avis|changer d'avis|regrette mon achat|je n'en veux plus|j'en veux plus|
      je ne le veux plus|je ne la veux plus|je ne les veux plus|je ne veux plus|je n'en ai plus besoin`,
    noReason:
      "aucune raison|sans raison|pas de raison|pas envie de dire|ça ne vous regarde pas|peu importe|rien de spécial",
    forget: `laissez tomber|laisse tomber|oubliez|oublie|oubliez ça|finalement non|tant pis|plus la peine|pas la peine|
      ne faites rien|ne le faites pas|non attendez|attendez non|non finalement|c'est bon laissez`,
    stop: "stop|arrêtez|arrête|annulez|annule|annuler|attendez|attends|stoppez|rien",
    angry: `honte|honteu*|scandal*|inacceptable|inadmissible|arnaqu*|escroc*|vol|voleur*|nul|nulle|nuls|déçu*|déception|
      furieu*|colère|ridicule|lamentable|catastroph*|horrible|marre|merde|pire|incompéten*|dégoût*|dégueulasse|
      foutage de gueule|moquez|foutez|plus jamais|réclamation|plainte|mécontent*|insatisfait*|décevant*|pourri*|énerv*|bordel`,
    again: "encore une fois|à nouveau|réessayer|réessayez|de nouveau|recommencez|réessaye",
    yes: "oui|ouais|d'accord|ok|okay|bien sûr|volontiers|parfait oui|exact|entendu|vas y|allez y",
    no: "non|non merci|nan|pas maintenant",
    thanks: "merci|merci beaucoup|merci bien|parfait|super|génial|excellent|formidable|impeccable|nickel|top",
    bye: "au revoir|à bientôt|bonne journée|bonne soirée|bonne nuit|à plus|adieu|bon week end",
    greeting: "bonjour|bonsoir|salut|coucou|bjr|bonjour à tous|hello|allô",
    help: "aide|aidez moi|j'ai besoin d'aide|besoin d'aide|pouvez vous m'aider|tu peux m'aider|une question|j'ai une question",
    latest: "dernier|dernière|derniers|dernières|plus récent|plus récente|récente",
    oldest: "plus ancien|plus ancienne|toute première",
    other: "autre|l'autre|les autres|autres",
    number: "numéro|n°|num|no",
    placed: "commandé|acheté|passée|passé|commandée|commandés",
    otherNumber: `taille|modèle|téléphone|tel|cp|code|postal|depuis|année|janvier|février|mars|avril|mai|juin|juillet|août|
      septembre|octobre|novembre|décembre|suivi|client`,
    period: "semaine|semaines|mois|an|année|fois|jour|jours|nuit|vendredi|lundi",
    today: "aujourd'hui|aujourd hui|du jour",
    yesterday: "hier|d'hier",
    dayBefore: "avant hier",
    whole: `tout|toute la commande|toute ma commande|commande entière|commande complète|en entier|totalité|la totalité|
      intégralité|l'intégralité|intégral|total|totale|complet|complète|entier|entière|tous les articles|remboursement total|
      remboursement intégral|entièrement`,
    every: "tous|toutes|chaque|les trois",
    both: "les deux|tous les deux|toutes les deux",
    also: "aussi|également|en plus|ainsi que",
    one: "un|une|seul|seule|l'un|l'une",
    pair: "paire",
    pairs: "paires",
    between:
      "de|des|du|les|le|la|l|d|mes|mon|ma|ces|cette|ce|pièces|pièce|exemplaires|nouvelles|nouveaux|mêmes",
    except: "sauf|excepté|hormis|à part|sans|à l'exception de|hors",
    keep: "garde|garder|gardes|gardons|garderai|conserve|conserver|gardez|je garde",
    only: "seulement|uniquement|que la|que le|que les|juste|simplement|rien que",
    currency: "euro|euros|eur|chf|francs|franc|dollar|dollars|usd|livres|gbp|balles",
    of: "de|du|des|pour|sur|en|les|juste|d|à",
    elsewhere: `avoir en magasin|bon d'achat|carte cadeau|paypal|espèces|liquide|autre compte|autre carte|nouvelle carte|
      nouveau compte|compte bancaire|iban|virement|bitcoin|un avoir|crypto|mon compte bancaire`,
    terms: `quelle carte|sur quelle carte|quel compte|sur quel compte|c'est combien|combien est ce|combien ça|combien exactement|
      quel montant|que voulez vous dire|ça veut dire quoi|quoi exactement|où va l'argent|combien|ma carte|mon compte`,
    found: "retrouvé|trouvé|chez le voisin|le voisin|voisin l'avait|je l'ai reçu|voisine",
    contest: `injuste|pas juste|exception|mais|pourquoi|quand même|collègue|désaccord|pas d'accord|faux|demandez|anormal|
      pas normal|malgré`,
    accepted: "ok|okay|d'accord|compris|je comprends|tant pis|dommage|entendu|merci|bien|très bien|bon",
  },
  patterns: FRENCH_PATTERNS,
  numbers: "zéro|un, une|deux|trois|quatre|cinq|six|sept|huit|neuf|dix",
  ordinals: `premier, première|deuxième, second, seconde|troisième|quatrième|cinquième|dernier, dernière`,
  products: FRENCH_PRODUCTS,
  compounds: false,
  plain: `ne sais pas|sais pas|pas sûr|pas sûre|ne comprends pas|pas compris|je|j|tu|il|elle|on|nous|vous|ils|elles|me|m|te|t|se|s|moi|toi|lui|leur|leurs|le|la|les|l|un|une|des|du|de|d|au|aux|
    à|en|y|dans|par|pour|avec|chez|vers|depuis|dès|sous|qui|que|qu|quoi|dont|ce|c|cet|cette|ces|ça|cela|ceci|si|comme|très|
    plus|moins|aussi|bien|tant|peu|beaucoup|assez|ici|là|maintenant|aujourd|demain|hier|jour|jours|semaine|semaines|mois|
    heure|heures|an|ans|suis|es|êtes|étais|était|être|fait|faire|faites|fais|aller|vais|va|vont|allez|dire|dis|savoir|sais|
    savez|acheter|acheté|achat|commandé|commander|article|articles|produit|produits|chose|choses|taille|couleur|monsieur|
    madame|cordialement|cordiales|salutations|bonne|bon|votre|vos|leur|même|voilà|voici|donc|ainsi|alors|sur|entre|après|
    avant|pendant|lors|puis|quel|quelle|quels|quelques|chaque|rien|personne|peut|peux|pu|eu|ayant|tout de suite|c'est tout|tout est|avant tout|tout simplement|tout le monde|toute la journée|
    tout à fait|pas du tout|pas de problème|pas de souci|de rien|main|car|son|sa|ses|ton|ta|tes|non plus|français|
    toujours|date|note|part|parce|or|sale|pain|rue|face|cas|est ce que|qu'est ce que|en effet|toute l'année`,
  short: `bcp=beaucoup|tjs=toujours|tjrs=toujours|cmd=commande|cde=commande|rdv=rendez vous|dsl=désolé|pk=pourquoi|
    pq=pourquoi|qd=quand|ds=dans|pr=pour|jai=j ai|cest=c est|slt=salut|bjr=bonjour|rbt=remboursement|chui=je suis|
    ya=il y a|pcq=parce que|mnt=maintenant|auj=aujourd'hui|sil=s il`,
  elided: "l|d|j|n|m|t|s|c|qu|jusqu|lorsqu|puisqu|quelqu|presqu|aujourd",
  spelled: `remboursement|remboursements|rembourser|remboursez|retourner|renvoyer|commande|commandes|livraison|argent|colis|
    annuler|échange|échanger|avocat|personne|conseiller|cassée|endommagé|chaussettes`,
};
