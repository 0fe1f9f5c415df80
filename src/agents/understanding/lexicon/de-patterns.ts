/** German sentences: lower case, no accents, no apostrophes. */
import type { Patterns } from "./lexicon.ts";

export const GERMAN_PATTERNS: Patterns = {
  withdraws: [
    / (?:nehme|ziehe|nehmen|ziehen)(?: \S+){0,6} (?:retoure|rucksendung|ruckerstattung|rueckerstattung|erstattung|ruckzahlung|antrag)(?: \S+){0,3} zuruck | (?:retoure|rucksendung|erstattung)(?: \S+){0,2} (?:loschen|loeschen|schliessen) /,
    / (?:stornier\S*|widerrufe?n?|abbrechen|brecht|brechen|zieh\S*|vergiss|vergesst|vergessen|stopp\S*)(?: \S+){0,4} (?:retoure|rucksendung|ruckerstattung|rueckerstattung|erstattung\S*|umtausch|ruckgabe|rueckgabe) | (?:retoure|rucksendung|ruckerstattung|rueckerstattung|erstattung|umtausch|ruckgabe|rueckgabe)(?: \S+){0,2} (?:stornieren|abbrechen|zuruckziehen|stoppen) /,
  ],
  general: [
    / (?:wie lange (?:dauert|dauern|braucht)(?: \S+){0,3} (?:versand|lieferung|zustellung)|wie (?:hoch sind|teuer ist)(?: \S+){0,2} (?:versand\S*|porto|lieferkosten)|was kostet(?: \S+){0,2} (?:versand|lieferung)|(?:versandkosten|lieferkosten|lieferzeit|lieferzeiten|versanddauer)|(?:liefert|versendet|verschickt) ihr|(?:liefern|versenden|verschicken) sie (?:nach|in|auch|ins)) /,
  ],
  howItStands: [
    / (?:ist|wurde) (?:es|das|alles)(?: \S+){0,3} (?:erledigt|fertig|durch|genehmigt|bestatigt|bearbeitet|abgeschlossen) | (?:gibt es|gibts|schon|irgendwelche|was)(?: \S+){0,2} (?:neuigkeiten|neues|update|updates) | (?:wie sieht es aus|wie siehts aus|wie ist der stand|was ist der stand|was ist jetzt|und jetzt|warte immer noch) |^ (?:status|stand)(?: \S+)? $/,
  ],
  legal: [
    / (?:anzeige)(?: \S+){0,4} polizei | polizei(?: \S+){0,4} anzeige /,
    / (?:anwalt|anwaltin|anwalte|anwaelte|rechtsanwalt|rechtsanwaltin|rechtsanwalte|verklag\S*|klage ein\S*|klage erheben|rechtliche (?:schritte|mittel)|vor gericht|gerichtlich\S*|zum gericht|mahnbescheid|mahnverfahren|verbraucherzentrale|verbraucherschutz\S*|schlichtungsstelle|strafanzeige|anzeige (?:erstatten|erstatte|gegen)|anzeigen wegen|erstatte anzeige|rechtsschutz\S*|ombudsmann|konsumentenschutz\S*|arbeiterkammer) /,
    / (?:chargeback|ruckbuchung veranlassen|rueckbuchung veranlassen|zahlung anfechten|kauferschutz|kaeuferschutz|kreditkartenunternehmen|lastschrift(?: \S+){0,2} zuruck\S*|meine bank(?: \S+){0,3} (?:zuruck\S*|einschalt\S*)) /,
    / (?:dsgvo|datenschutz\S*|datenauskunft) | (?:losch\S+|loesch\S+)(?: \S+){0,4} (?:daten|konto|account) | (?:daten|konto|account)(?: \S+){0,3} (?:loschen|loeschen|geloscht|geloescht) /,
    / (?:polizei|staatsanwalt\S*) /,
  ],
  noThreat: [
    / (?:bin|ist|als)(?: (?:ein|eine|selbst|selber))? (?:anwalt|anwaltin|rechtsanwalt|rechtsanwaltin) | (?:geschenk|buch|anzug|tasche)(?: \S+){0,3} anwalt | (?:kein\S*|ohne|nicht)(?: \S+){0,1} (?:anwalt|gericht|klage) /,
  ],
  safety: [
    / (?:umbringen|umzubringen|selbstmord|suizid\S*|das leben nehmen|will sterben|mochte sterben|moechte sterben|mir etwas antun|bringe (?:euch|sie|dich|mich) um|nicht mehr leben) /,
    / (?:feuer gefangen|in flammen|hat gebrannt|brannte|abgebrannt|explodiert|stromschlag|elektrischen schlag|verbrannt|verbrennung\S*|verbruht|allergische reaktion|krankenhaus|notaufnahme|verletzt|verletzung\S*|vergiftet|verschluckt) /,
    / (?:akku|batterie|ladegerat|ladegeraet|netzteil)(?: \S+){0,4} (?:aufgeblaht|aufgeblaeht|geschmolzen|raucht|qualmt|rauch|uberhitzt|ueberhitzt) /,
  ],
  person: [
    / (?:gibts|gibt es|arbeiten|sind)(?: \S+){0,3} (?:menschen|mensch|jemanden|echte) | jemanden?(?: \S+)? (?:der|die) (?:das|es)(?: \S+){0,3} /,
    / (?:einen menschen|einen mitarbeiter|mitarbeiter)(?: \S+)? (?:jetzt|sofort|bitte) | automatischen antworten(?: \S+){0,3} menschen | (?:ihren?) (?:vorgesetzten?|chefin|chef) | (?:zuruckrufen|zuruckgerufen|ruckruf)(?: \S+){0,3} (?:mitarbeiter|telephone) /,
    / (?:sprechen|reden|verbind\w+|chatten|telefonieren)(?: \S+){0,5} (?:mensch\w*|mitarbeiter\w*|jemand\w*|berater\w*|person|vorgesetzt\w+|chef|kundendienst|kundenservice) | (?:mit|an) (?:einem|einer|einen|ihrem|dem|der|nem|ner)(?: \S+)? (?:mensch\w*|mitarbeiter\w*|berater\w*|person|vorgesetzt\w+|chef|kollegen?)(?: \S+){0,2} (?:sprechen|reden|verbinden|verbunden|chatten|weiterleiten) | mit jemandem(?: \S+){0,3} (?:sprechen|reden) /,
    / (?:mitarbeiter|mensch|berater|echter mensch|echte person|echten menschen|richtigen menschen) bitte | rufen? sie mich(?: \S+){0,3} (?:an|zuruck) | ruft mich(?: \S+){0,3} (?:an|zuruck) | ruckruf | (?:echter|echten|richtiger|richtigen) (?:mensch|menschen|mitarbeiter) /,
    / (?:will|mochte|moechte|brauche|verlange) (?:einen|eine|mit einem|mit einer) (?:mensch\w*|mitarbeiter\w*|berater\w*|person|vorgesetzt\w+) | (?:leiten|leite|gib|geben)(?: \S+){0,4} (?:mitarbeiter|menschen|kollegen|vorgesetzten)(?: \S+)? (?:weiter|ab)? ?/,
    /^ (?:bitte )?(?:ein |einen |eine )?(?:mitarbeiter|mensch|menschen|berater|person|kundenservice|kundendienst)(?: bitte)? $/,
  ],
  noPerson: [
    / (?:kein\w*|nicht|ohne)(?: \S+){0,3} (?:sprechen|mitarbeiter\w*|mensch\w*|berater\w*|reden|person) /,
  ],
  identity: [
    / (?:bist du|sind sie|spreche ich mit|rede ich mit|schreibe ich mit)(?: \S+){0,2} (?:bot|roboter|maschine|mensch|menschen|ki|echt|chatbot|computer|person) | wer (?:bist du|sind sie) | was bist du /,
  ],
  whatCanYouDo: [
    / (?:was (?:kannst du|konnen sie|koennen sie|konnt ihr)(?: \S+){0,3} (?:tun|machen|helfen)?|wobei (?:kannst du|konnen sie|koennen sie)(?: \S+)* helfen|was geht hier) /,
  ],
  wantsDone: [
    / (?:abgebucht|belastet|umtausch\S*|tausch\S*|ersetz\S*|stornier\S*|abbestell\S*|ander\S*|aender\S*|geandert|aktualisier\S*|korrigier\S*|passwort|einloggen|anmelden|hinzufug\S*|entfern\S*|falsch\S*) /,
  ],
  legalHint: [/ (?:letzte frist|eine frist von) /],
};
