/** Italian. */
import type { Lexicon } from "./lexicon.ts";

export const ITALIAN: Lexicon = {
  language: "it",
  answers: {
    yes: `sì|sì sì|certo|certo che sì|certamente|sicuro|sicuramente|ovviamente|ovvio|naturalmente|senz'altro|
      assolutamente sì|va bene|mi va bene|per me va bene|a me va bene|va benissimo|d'accordo|sono d'accordo|
      confermo|lo confermo|sì confermo|confermato|accetto|sì accetto|lo accetto|accettato|esatto|esattamente|
      giusto|è giusto|corretto|è corretto|procedi|proceda|procedete|procediamo|proceda pure|procedete pure|
      procedi pure|fallo|fallo pure|lo faccia|lo faccia pure|faccia pure|fatelo|fate pure|fai pure|vai pure|
      facciamo così|volentieri|con piacere|sì volentieri|sì lo voglio|lo voglio|sì certo|okay|approvo|approvato`,
    no: `no|no no|no grazie|grazie no|non ora|non adesso|adesso no|ora no|per ora no|per il momento no|non ancora|
      ancora no|meglio di no|meglio no|preferisco di no|preferirei di no|direi di no|assolutamente no|certo che no|
      ovviamente no|per niente|neanche per sogno|mai|mai più|non voglio|non lo voglio|non voglio più|
      non lo voglio più|non farlo|non lo fare|non lo faccia|non fatelo|non fate niente|non fare niente|
      non faccia niente|non fate nulla|lascia perdere|lasci perdere|lasciate perdere|lascia stare|lasci stare|
      lasciate stare|lasciamo perdere|lasciamo stare|annulla|annulli|annullate|annullare|annulla tutto|annullalo|
      ferma|fermati|si fermi|fermatevi|fermo|basta|ho cambiato idea|cambiato idea|non serve|non importa|
      non mi serve|non più|dimentica|dimenticalo|dimenticate|rifiuto|non accetto|non confermo|non sono d'accordo|
      negativo`,
    courtesy: `per favore|per piacere|per cortesia|grazie|grazie mille|mille grazie|molte grazie|tante grazie|
      grazie tante|perfetto|ottimo|benissimo|bene|molto bene|fantastico|eccellente|ciao|salve|buongiorno|
      buonasera|buon giorno|buona sera`,
    neither:
      "non c'è problema|nessun problema|non so|non lo so|non sono sicuro|non sono sicura|sì e no|sì o no|se no",
  },
};
