/** French, of France, Belgium, Switzerland and Canada. */
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
};
