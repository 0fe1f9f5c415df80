/** Italian sentences: lower case, no accents, no apostrophes. */
import type { Patterns } from "./lexicon.ts";

export const ITALIAN_PATTERNS: Patterns = {
  withdraws: [
    / (?:ritiro|ritirare|chiudete|chiudi|chiudere)(?: \S+){0,3} (?:richiesta|reso|rimborso) | non (?:serve|mi serve) piu(?: \S+){0,2} (?:reso|rimborso) /,
    / (?:annull\S*|cancell\S*|lasci\S*|dimentic\S*|non fate|fermate|bloccate)(?: \S+){0,3} (?:reso|rimborso|cambio) /,
  ],
  general: [
    / (?:quanto (?:tempo )?(?:ci vuole|ci mette|impiega|dura)(?: \S+){0,3} (?:spedizione|consegna)|(?:tempi|costi|spese|costo) di (?:spedizione|consegna)|quanto costa(?: \S+){0,2} (?:spedizione|consegna)|(?:spedite|consegnate) (?:in|a|anche|all)|fate spedizioni) /,
  ],
  howItStands: [
    / (?:e|gia)(?: \S+){0,2} (?:fatto|pronto|approvato|confermato|risolto|concluso) | (?:ci sono|qualche|avete) (?:novita|notizie|aggiornament\S+)\b| (?:a che punto|come va|come procede|e adesso|sto ancora aspettando) |^ stato(?: \S+)? $/,
  ],
  legal: [
    / (?:esposto|associazione consumatori) /,
    / (?:avvocat[oai]|avvocati|denunci[oa]\S*|denunciar\S*|querel\S+|vie legali|azioni legali|azione legale|in tribunale|al tribunale|tribunale|fare causa|faccio causa|faro causa|citarvi|diffida|messa in mora|agcm|antitrust|altroconsumo|codacons|federconsumatori|garante (?:della )?privacy|al garante|giudice di pace|associazion\S+ (?:dei )?consumatori|diritti dei consumatori) /,
    / (?:contestare|contesto|contestero)(?: \S+){0,4} (?:addebito|pagamento|transazione|banca) | (?:chargeback|storno(?: \S+){0,3} banca) /,
    / gdpr | (?:cancell\S+|elimin\S+)(?: \S+){0,4} (?:miei dati|mio account|dati personali) | dati personali /,
    / (?:polizia|carabinieri|guardia di finanza|polizia postale) /,
  ],
  noThreat: [
    / (?:sono|e|come) (?:un |una )?avvocat[oa] | (?:regalo|abito|libro|borsa)(?: \S+){0,3} avvocat[oa] | (?:senza|non)(?: \S+){0,2} (?:avvocati?|denuncia) /,
  ],
  safety: [
    / (?:uccidermi|ammazzarmi|suicid\S+|togliermi la vita|voglio morire|farmi del male|vi ammazzo|vi uccido|ti ammazzo|non voglio piu vivere) /,
    / (?:preso fuoco|prese fuoco|in fiamme|incendi\S+|esplos\S+|mi sono bruciat[oa]|mi ha bruciato|bruciat\S+ (?:la|il|le)|ustion\S+|folgorat[oa]|scossa elettrica|preso la scossa|reazione allergica|ospedale|pronto soccorso|mi sono tagliat[oa]|ferit[oa]|lesion\S+|intossic\S+|soffoc\S+) /,
    / (?:batteria|caricatore|caricabatterie)(?: \S+){0,4} (?:gonfi\S*|fumo|fus[oa]|sciolt[oa]|surriscald\S+) /,
  ],
  person: [
    / (?:ci sono|c e)(?: \S+){0,2} (?:esseri umani|umani|persone vere|persone reali) | qualcuno(?: \S+)? che (?:possa|puo|decida)(?: \S+){0,3} /,
    / (?:una persona|un umano|umano)(?: \S+)? (?:subito|adesso|grazie) | risposte automatiche(?: \S+){0,3} (?:persona|umano) | (?:il suo|suo|vostro) (?:capo|responsabile|superiore) | richiamat[oa](?: \S+){0,3} (?:consulente|operatore) /,
    / (?:parlare|passat\w+|passi|passami|passarmi|mett\w+|trasfer\w+|contatto|parlo)(?: \S+){0,5} (?:persona|umano|operatore|operatrice|qualcuno|responsabile|consulente|addetto|capo|supervisore|servizio clienti) | (?:operatore|umano|persona vera|persona reale)(?: \S+)? (?:per favore|grazie|per piacere) | (?:chiamatemi|richiamatemi|chiamarmi|richiamarmi|chiamami) /,
    / (?:voglio|vorrei|preferisco|chiedo) (?:un |una |un essere )(?:operatore|operatrice|umano|persona|persona vera|essere umano|responsabile) | (?:persona|operatore) (?:vera|vero|reale|umano|in carne ed ossa) /,
    /^ (?:un |una )?(?:operatore|operatrice|umano|persona|responsabile)(?: umano| vero| reale| per favore| grazie)* $/,
  ],
  noPerson: [
    / (?:non|senza)(?: (?:voglio|serve|ho|bisogno))*(?: (?:di|parlare|con|un|una|nessun|nessuna))* (?:operatore|umano|persona|nessuno|parlare) /,
  ],
  identity: [
    / (?:sei|e|lei e|sto parlando con|parlo con)(?: \S+){0,2} (?:bot|robot|macchina|umano|umana|persona|reale|vero|ia|chatbot) | chi sei /,
  ],
  whatCanYouDo: [
    / (?:cosa (?:puoi|sai|potete|sapete) fare|in cosa (?:puoi|potete)(?: \S+)? aiutar\S+|come (?:puoi|potete) aiutar\S+) /,
  ],
  wantsDone: [
    / (?:addebitat\S+|cambi\S+|sostitu\S+|annull\S*|cancell\S*|modific\S*|corregg\S*|aggiorn\S*|password|accedere|login|aggiung\S*|rimuov\S*|sbagliat\S*) /,
  ],
  legalHint: [/ (?:ultimo termine|un termine di) /],
};
