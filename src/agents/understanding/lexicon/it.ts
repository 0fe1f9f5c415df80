/** Italian. */
import { ITALIAN_PATTERNS } from "./it-patterns.ts";
import { ITALIAN_PRODUCTS } from "./it-products.ts";
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
  words: {
    where: "dove|dov|dov'è|dove è|a che punto|a che punto è",
    when: "quando|che giorno|in che data|entro quando|per quando",
    howLong:
      "quanto tempo|quanti giorni|quanto ci vuole|quanto ci mette|quanto impiega|entro quanto|in quanto tempo|quali sono i tempi|quanto ci vorrà",
    how: "come",
    order: "ordine|pacco|pacchetto|spedizione|consegna|acquisto|merce|plico",
    orders: "ordini|pacchi|acquisti|spedizioni|consegne",
    money: "soldi|denaro|importo|cifra|grana|quanto pagato|quello che ho pagato|quanto ho pagato|centesimo",
    shipping: "spedizione|spedizioni|spese di spedizione|costi di spedizione|consegna|consegne",
    cost: "costa|costano|costo|costi|spese|prezzo|gratis|gratuita|gratuito",
    refund:
      "rimbors*|riaccredit*|refund|restituzione dei soldi|restituzione del denaro|restituzione dell'importo|storno",
    refunded: "rimborsato|rimborsata|rimborsati|rimborsate|riaccreditato|riaccreditati|accreditato|stornato",
    return: `reso|resi|fare un reso|fare il reso|etichetta di reso|etichetta reso|rispedire|rispedirlo|rispedirla|
      rispedirli|rispedisco|rimandare|rimando|rimandarlo|rimandarla|rimandarvi|rispedirvi|recesso|recedere|
      restituzione|rinviare|torna indietro|tornano indietro|torna da voi|tornano da voi`,
    returned:
      "restituito|restituita|restituiti|restituite|rispedito|rispedita|rimandato|rimandata|reso indietro|ho reso|abbiamo reso",
    giveBack: "restitu*|rendere|renderlo|renderla|renderli|rendervi|rendo|riavere|riprendere",
    repay: `ridatemi|ridate|ridarmi|ridammi|ridatemeli|ridatemelo|ridatemela|ridatemene|mi ridate|restituitemi|
      mi restituite|ridiate|ridarci|rivoglio|rendetemi|stornate|stornatelo`,
    give: "datemi|dammi|pagate|versate|versatemi|accreditate|bonificate|mi date|darmi",
    back: "indietro|di ritorno",
    send: "mandare|mando|spedire|spedisco|inviare|invio|mandarlo|mandarla|portare|mandarvi",
    exchange: `cambiare|cambio|cambiarlo|cambiarla|cambiarli|cambiate|scambi*|sostitu*|sostituzione|altra taglia|altro colore|
      taglia più grande|taglia più piccola|un numero in più|un numero in meno`,
    cancel: "annull*|cancell*|annulla|annullare|annullate|annulli|disdire|disdetta|annullamento|stornare",
    compensation: "risarc*|indenniz*|compensazione|buono per il disagio",
    goodwill: `risarcimento|compensazione|disagio|disturbo|sconto|parziale|parzialmente|differenza di prezzo|ritardo|gesto|danneggiat*|indennizzo`,
    outside: `fattura|fatture|ricevuta|scontrino|iva|password|accedere|login|buono sconto|codice sconto|codice promozionale|
      sconto|newsletter|iscrizione|disiscriv*|abbonamento|riparare|riparazione|garanzia|disponibile|disponibilità|
      in magazzino|vendete|guida alle taglie|orari|orario|negozio fisico|consigliate|carta regalo|mio account`,
    charged: "addebitato|addebitata|addebitati|addebito|pagato|prelevato|fatturato|addebitate",
    twice: "due volte|doppio|doppia|duplicato|di troppo|in più",
    change: "cambiare|modificare|correggere|aggiornare|modifica|sbagliat*|variare",
    address: "indirizzo|indirizzo di spedizione|indirizzo di consegna|telefono|numero di telefono|mail",
    want: `voglio|vorrei|vorremmo|desidero|bisogno|pretendo|esigo|chiedo|posso|potrei|potete|potreste|può|puoi|potresti|
      possiamo|richiedo|richiedere|volevo|mi serve|è possibile|vogliamo|potrebbe`,
    please: "per favore|per piacere|per cortesia|cortesemente|gentilmente",
    arrive: `arrivare|arrivato|arrivata|arrivati|arriva|arriverà|arrivano|arrivo|ricevuto|ricevuta|ricevere|ricevo|
      riceverò|consegnato|consegnata|consegnare|consegnate|giunto|visto|vedo|accredito|ricevuti|ricevute|
      recapitato|riceviamo|arriveranno|sarebbe dovuto arrivare|doveva arrivare|dovrebbe essere arrivato|
      avrebbe dovuto`,
    ship: "spedito|spedita|spediti|inviato|inviata|partito|partita|in viaggio|in transito|in consegna|evaso|mandato|affidato|in arrivo",
    track:
      "tracci*|tracking|tracciamento|rintracciare|numero di tracciamento|codice di tracciamento|localizzare|seguire la spedizione",
    status: `stato|status|situazione|a che punto|che fine ha fatto|che ne è|cosa è successo|che è successo|
      data di consegna`,
    news: "novità|notizie|notizia|aggiornamento|aggiornamenti|informazioni|info",
    late: `ritardo|tardi|in ritardo|tarda|tardando|ritarda|sarebbe dovuto arrivare|doveva arrivare|
      dovrebbe essere arrivato|avrebbe dovuto`,
    lost: "perso|persa|smarrito|smarrita|rubato|rubata|sparito|sparita|bloccato|bloccata|perduto",
    wait: "aspetto|aspettando|attendo|attesa|aspettare|attendere|aspettiamo",
    says: "dice|risulta|segna|indica|secondo|riporta|appare",
    delivered: "consegnato|consegnata|recapitato",
    is: "è!|sono|sta|si trova|rimane|resta",
    have: "ho|ha|hanno|avete|abbiamo|è stato|sono stato|hai|aver|avete già|stato|stata",
    my: "mio|mia|miei|mie|nostro|nostra",
    show: "mostr*|vedere|elenco|lista|elenca|quali|tutti",
    policy: `politica|politiche|condizioni|regole|termini di reso|diritto di recesso|politica di reso|politica dei resi|
      politica di rimborso|tempi di reso|termine per il reso|policy|normativa`,
    must: "devo|bisogna|dobbiamo|si deve",
    accepts: `accettate|si accettano|offrite|esiste|come funziona|come funzionano|è previsto|fate resi|si può|avete una|
      c'è|si possono|domanda sui|domanda sul|domande sui|informazioni sui`,
    whoPays: "chi paga|a carico di chi|chi si fa carico",
    delivers:
      "spedite in|consegnate in|spedite a|consegnate a|fate spedizioni|spedite anche|spedite all|inviate in",
    not: "non|mai|nessun|nessuna|niente|nulla|senza|nemmeno|neanche|né",
    still: "ancora|tuttora|finora",
    already: "già",
    anymore: "più",
    instead: "invece di|invece del|invece della|al posto di|al posto del|anziché",
    and: "e|o|più|ed",
    clause: "e|ma|poi|dopo|perché|quindi|però|anche|inoltre|allora|tuttavia|siccome|ed|cioè|così",
    broken: `rott*|danneggiat*|difettos*|difetto|guast*|strappat*|graffiat*|macchiat*|macchia|bucat*|buco|buchi|spaccat*|
      rovinat*|crepat*|scucit*|sporc*`,
    wrong: "sbagliato|sbagliata|sbagliati|sbagliate|errato|errata|un altro prodotto|scorretto",
    rejected: "rifiutat*|respint*|negat*",
    missing: "manca|mancano|mancava|mancante|mancanti|incompleto|incompleta",
    too: "troppo|troppa|molto|un po'|un po",
    small: "piccol*|strett*|cort*|stringono",
    big: "grande|grandi|larg*|lung*|enorme|abbondante",
    fit: "va bene|mi sta|mi stanno|mi va|mi vanno|calza|calzano|la mia taglia|mi entra|mi entrano|veste",
    works: "funziona|funzionano|funzionava|si accende|carica|accende|parte",
    described: `come descritto|la descrizione|come nella foto|come in foto|quello che ho ordinato|alla descrizione|conforme|
      quello che mi aspettavo|come previsto|ciò che ho ordinato|quanto ordinato`,
    dislike: "piace|piacciono|piaciuto|piaciuta|piaciuti",
    mistake: "per errore|per sbaglio|mi sono sbagliato|mi sono sbagliata|sbadataggine",
    changedMind: `cambiato idea|ripensamento|ci ho ripensato|ripensato|pentito|pentita|non lo voglio più|non la voglio più|
      non li voglio più|non le voglio più|non voglio più|non mi serve più`,
    noReason:
      "nessun motivo|senza motivo|nessuna ragione|preferisco non dirlo|non voglio dirlo|non vi riguarda|non importa",
    forget: `lascia perdere|lasci perdere|lasciate perdere|lascia stare|lasci stare|lasciate stare|dimentica|dimenticate|
      dimenticatelo|meglio di no|fa niente|non fa niente|non serve|non serve più|non farlo|non fatelo|
      non lo faccia|no aspetta|aspetta no|no aspetti|no aspettate|non importa`,
    stop: "ferma|fermati|fermatevi|fermo|stop|annulla|annullare|annullate|aspetta|aspetti|aspettate|basta|alt",
    angry: `vergogn*|inaccettabil*|truff*|ladr*|pessim*|peggio*|orribil*|terribil*|ridicol*|delus*|furios*|arrabbiat*|schif*|
      merda|incompetent*|disastro|scandalos*|assurd*|mai più|reclamo|lament*|indecent*|imbrogli*|fregat*|incazzat*|cazzo|
      indignat*|una presa in giro|insoddisfatt*|stuf*|indegn*`,
    again: "di nuovo|ancora una volta|riprova|riprovare|nuovamente|riproviamo",
    yes: "sì|si|certo|va bene|ok|okay|d'accordo|esatto|giusto|certamente|corretto",
    no: "no|no grazie|meglio di no|non ora",
    thanks: "grazie|grazie mille|mille grazie|perfetto|ottimo|benissimo|fantastico|eccellente|molte grazie",
    bye: "arrivederci|a presto|buona giornata|buona serata|buonanotte|buona notte|ci sentiamo|addio|buon weekend",
    greeting: "ciao|salve|buongiorno|buonasera|buon giorno|buona sera|ehi|buon pomeriggio|pronto",
    help: "aiuto|aiutami|aiutatemi|mi aiuti|ho bisogno di aiuto|potete aiutarmi|puoi aiutarmi|mi potete aiutare|una domanda|ho una domanda",
    latest: "ultimo|ultima|ultimi|ultime|più recente|recente",
    oldest: "più vecchio|più vecchia|più antico",
    other: "altro|altra|l'altro|l'altra",
    number: "numero|n°|num|nr",
    placed: "ordinato|comprato|acquistato|fatto|ordinai",
    otherNumber: `taglia|modello|telefono|tel|cellulare|cap|codice|dal|anno|gennaio|febbraio|marzo|aprile|maggio|giugno|luglio|
      agosto|settembre|ottobre|novembre|dicembre|tracciamento|cliente`,
    period: "settimana|settimane|mese|mesi|anno|volta|giorno|giorni|notte|venerdì|lunedì",
    today: "oggi|di oggi",
    yesterday: "ieri|di ieri",
    dayBefore: "l'altro ieri|avantieri|altro ieri",
    whole: `tutto|tutto l'ordine|intero ordine|l'intero ordine|ordine intero|ordine completo|per intero|totale|completo|completa|
      intero|intera|tutti gli articoli|tutte le cose|rimborso totale|rimborso completo|importo totale|totalmente|interamente`,
    every: "tutti|tutte|ogni|i tre|le tre",
    both: "entrambi|entrambe|tutti e due|tutte e due|i due|le due",
    also: "anche|inoltre|pure|in aggiunta",
    one: "un|una|uno|unico|unica",
    pair: "paio",
    pairs: "paia",
    between:
      "di|dei|delle|del|della|degli|i|le|gli|il|la|lo|l|miei|mie|mio|mia|quei|quelle|questi|queste|pezzi|pezzo|nuovi|nuove|unità",
    except: "tranne|eccetto|escluso|esclusa|senza|salvo|a parte|meno",
    keep: "tengo|tenere|terrò|tenermi|me li tengo|me la tengo|me lo tengo|mantengo|conservo|teniamo",
    only: "solo|soltanto|solamente|unicamente",
    currency: "euro|eur|franchi|chf|dollari|dollaro|usd|sterline|gbp",
    of: "di|del|dei|delle|per|su|solo|i|con|da|dall",
    elsewhere: `buono acquisto|buono|credito in negozio|carta regalo|paypal|contanti|altro conto|altra carta|nuova carta|
      nuovo conto|conto bancario|conto corrente|iban|bonifico|satispay|bitcoin|voucher`,
    terms: `quale carta|su che carta|che carta|quale conto|su quale conto|su che conto|dove vanno|quanto è|quanto sarebbe|
      quanti soldi|cosa vuol dire|che significa|cosa significa|cosa esattamente|quale importo|che importo|mia carta|mio conto`,
    found: "trovato|ritrovato|dal vicino|il vicino|vicino|vicina",
    contest: `ingiusto|ingiusta|non è giusto|eccezione|ma|perché|comunque|collega|non sono d'accordo|sbagliato|chiedi|chieda|
      chiedete|lo stesso`,
    accepted: "ok|okay|capisco|capito|va bene|d'accordo|peccato|grazie|bene|vabbè|ho capito",
  },
  patterns: ITALIAN_PATTERNS,
  numbers: "zero|uno, un, una|due|tre|quattro|cinque|sei|sette|otto|nove|dieci",
  ordinals: `primo, prima|secondo, seconda|terzo, terza|quarto, quarta|quinto, quinta|ultimo, ultima`,
  products: ITALIAN_PRODUCTS,
  compounds: false,
  plain: `qual è|quale è|com'è|cos'è|c'è|quando è|chi è|non so|non lo so|non capisco|non ho capito|non sono sicuro|non sono sicura|io|tu|lui|lei|noi|voi|loro|mi|m|ti|t|si|s|ci|c|vi|v|ne|lo|la|li|le|gli|il|l|i|un|uno|una|dello|della|dell|degli|al|
    allo|alla|all|ai|agli|alle|dal|dalla|dall|dai|nel|nella|nell|nei|sul|sulla|sull|di|d|a|da|in|con|su|per|tra|fra|che|
    chi|cui|quale|quali|se|molto|molti|poco|tanto|questo|questa|quest|quello|quella|quell|qui|qua|lì|là|adesso|ora|oggi|
    domani|ieri|settimana|settimane|giorno|giorni|mese|mesi|ore|anni|essere|sei|siamo|siete|era|ero|fare|faccio|fa|fate|
    fatto|dire|detto|sapere|so|sapete|comprare|comprato|acquistato|ordinato|articolo|articoli|prodotto|prodotti|cosa|
    cose|taglia|colore|signor|signora|gentile|gentili|cordiali|saluti|distinti|buona|buon|bene|negozio|volta|qualcosa|
    qualcuno|così|quanto|quanti|grande|suo|sua|vostro|vostra|tuo|tua|stesso|stessa|stessi|dopo|prima di|mentre|nessun problema|
    di niente|tutto bene|tutto ok|è tutto|questo è tutto|forse|allora|cioè|parte|italiano|due righe|ecco|dunque|proprio|tutto il giorno|credo|poi|quando`,
  short: `nn=non|xke=perché|xché=perché|perchè=perché|x=per|cmq=comunque|grz=grazie|tt=tutto|qnd=quando|dv=dove|
    poss=possibile|pf=per favore|gg=giorni|ke=che|k=che|cos'è=cosa è|c'è=c è|po'=poco`,
  elided: "l|un|dell|all|dall|nell|sull|quell|quest|c|d|m|t|s|v|dov|com|cos|senz|tutt|anch|n|mezz",
  spelled: `rimborso|rimborsare|rimborsate|restituire|restituzione|soldi|ordine|ordini|spedizione|consegna|ricevuto|arrivato|
    tracciamento|annullare|cambiare|avvocato|persona|operatore|danneggiato|calzini|maglietta|giacca`,
};
