/** German, of Germany, Austria and Switzerland. */
import { GERMAN_PATTERNS } from "./de-patterns.ts";
import { GERMAN_PRODUCTS } from "./de-products.ts";
import type { Lexicon } from "./lexicon.ts";

export const GERMAN: Lexicon = {
  language: "de",
  answers: {
    yes: `ja|jawohl|jap|jep|jup|jo|jou|ja klar|ja gerne|ja gern|ja bitte|ja genau|ja natürlich|ja sicher|klar|na klar|
      klar doch|gerne|gern|sehr gerne|sehr gern|natürlich|selbstverständlich|sicher|na sicher|auf jeden fall|
      unbedingt|einverstanden|ich bin einverstanden|bin einverstanden|genau|genau so|richtig|das ist richtig|
      stimmt|das stimmt|korrekt|das ist korrekt|exakt|so ist es|passt|das passt|passt so|passt für mich|
      in ordnung|ist in ordnung|das ist in ordnung|geht in ordnung|geht klar|ist ok|ist okay|das ist ok|
      das ist okay|oke|okee|mach das|mach es|mach mal|machen sie das|machen sie es|machen sie das bitte|so machen|
      so machen wir es|machen wir so|machen wir|bitte machen|bitte machen sie das|bitte durchführen|durchführen|
      bitte fortfahren|fortfahren|fahren sie fort|weiter so|leg los|legen sie los|bestätigt|ich bestätige|
      ich bestätige das|hiermit bestätige ich|bestätige|bestätigen|akzeptiert|ich akzeptiere|akzeptiere ich|
      ich stimme zu|stimme zu|zugestimmt|genehmigt|isch guet`,
    no: `nein|nein nein|nee|ne|nö|noe|näh|nein danke|danke nein|nicht|lieber nicht|doch nicht|bitte nicht|besser nicht|
      eher nicht|auf keinen fall|keinesfalls|keineswegs|niemals|nie|jetzt nicht|nicht jetzt|noch nicht|
      im moment nicht|momentan nicht|stopp|halt stopp|abbrechen|bitte abbrechen|abbruch|brich ab|brich das ab|
      brechen sie ab|brechen sie das ab|stornieren|stornieren sie das|storniere das|lass es|lass das|lass mal|
      lassen sie es|lassen sie das|lassen wir das|lassen wir es|vergiss es|vergessen sie es|vergiss das|
      nicht machen|nichts machen|mach das nicht|mach es nicht|machen sie das nicht|machen sie es nicht|
      tu das nicht|tun sie das nicht|tun sie nichts|ich will nicht|ich will das nicht|will ich nicht|
      das will ich nicht|ich möchte nicht|ich möchte das nicht|möchte ich nicht|das möchte ich nicht|nicht mehr|
      nein doch nicht|kein interesse|kein bedarf|natürlich nicht|sicher nicht|nicht einverstanden|
      ich bin nicht einverstanden|ich lehne ab|abgelehnt|ich habe es mir anders überlegt|
      hab es mir anders überlegt|habs mir anders überlegt|ich hab's mir anders überlegt|anders überlegt`,
    courtesy: `bitte|bitte schön|bitteschön|bitte sehr|danke|danke schön|dankeschön|danke sehr|danke dir|danke ihnen|
      vielen dank|vielen lieben dank|besten dank|herzlichen dank|tausend dank|super|prima|toll|perfekt|klasse|
      wunderbar|ausgezeichnet|sehr gut|gut|tiptop|merci vielmal|hallo|hi|moin|servus|grüezi|grüß gott|guten tag|
      guten morgen|guten abend`,
    neither: "ja ja|ja ja ja|kein problem|nicht sicher|alles klar",
  },
  words: {
    where: "wo|wohin|wo bleibt|wo bleiben",
    when: "wann|bis wann|ab wann",
    howLong: "wie lange|wie viel zeit|wieviel zeit|wie viele tage|wieviele tage|wie schnell|welche frist",
    how: "wie",
    order: `bestellung|bestellnummer|bestellnr|auftrag|auftragsnummer|paket|paketes|päckchen|sendung|lieferung|ware|
      zustellung|warensendung|postsendung|online bestellung`,
    orders: "bestellungen|pakete|pakten|sendungen|lieferungen|aufträge|einkäufe",
    money: "geld|geldes|betrag|kaufbetrag|kaufpreis|kohle|gesamtbetrag|was ich bezahlt habe|cent",
    shipping:
      "versand|lieferung|versandkosten|lieferkosten|porto|lieferzeit*|versandzeit*|versandgebühr*|zustellung",
    cost: "kosten|kostet|teuer|gebühr|gebühren|preis",
    refund: `erstatt*|rückerstatt*|zurückerstatt*|rückzahl*|zurückzahl*|zurückzuzahl*|zurücküberweis*|geldrückgabe|
      rückvergüt*|vergütung|vergüten|refund|refundier*|gutschreiben|gutschrift|zurückbuch*|rückbuch*|rückzuerstatten`,
    refunded:
      "erstattet|rückerstattet|zurückerstattet|zurückgezahlt|zurücküberwiesen|gutgeschrieben|zurückgebucht|refundiert",
    return: `retoure|retouren|retournier*|rückgabe|rücksend*|zurückgeb*|zurückzugeben|zurückschick*|zurückzuschicken|
      zurücksend*|zurückzusenden|zurückbring*|widerrufen|widerrufe|widerruf|rückversand|retourlabel|retourenlabel|
      retour|geht zurück|gehen zurück|soll zurück|sollen zurück|muss zurück|müssen zurück|rücksendeschein|
      retourenschein|rücksendeetikett`,
    returned: `zurückgeschickt|zurückgegeben|zurückgesendet|zurückgesandt|zurückgebracht|retourniert|
      zurückgesendete|zurückgeschickte|rückgesendet`,
    giveBack:
      "zurückbekomm*|wiederhaben|wiederbekomm*|zurückhaben|zurückkriegen|zurückfordern|zurückverlangen",
    repay: "gebt mir zurück|wiedergeben",
    give: "gib|gebt|geben|überweisen|überweist|überweise|auszahlen|zahlt|zahlen",
    back: "zurück|wieder zurück",
    send: "schicke|schicken|schickt|schick|sende|senden|sendet|gebe|geben|gib|gebt|bringe|bringen|nehmen|nehmt|nimmt|nimm",
    exchange: `umtausch|umtauschen|umtauscht|umgetauscht|umzutauschen|tauschen|tausche|eintauschen|austausch|austauschen|
      ersatz|ersatzlieferung|ersetzen|ersetzt|andere größe|anderen größe|eine größere|eine kleinere|eine nummer größer|
      eine nummer kleiner|andere farbe|anderen farbe`,
    cancel:
      "stornier*|storno|stornierung|abbestell*|abbrechen|abbruch|abbricht|brich|brechen|abzubrechen|rückgängig|zurückziehen|zurückziehe",
    compensation: "entschädig*|kulanz|wiedergutmachung|schadenersatz",
    goodwill: `entschädig*|kulanz|unannehmlichkeit*|ärger|rabatt|nachlass|preisnachlass|teilweise|teilerstattung|preisunterschied|preisdifferenz|verspätung|wiedergutmachung|beschädig*|umstände`,
    outside: `rechnung|rechnungen|rechnungskopie|quittung|kassenbon|mwst|mehrwertsteuer|passwort|kennwort|einloggen|login|
      anmelden|gutschein*|rabatt*|newsletter|abmelden|abo|abonnement|reparatur*|reparier*|garantie|garantiefall|
      gewährleistung|preisgarantie|vorrätig|lagernd|auf lager|verfügbar*|größentabelle|öffnungszeiten|filiale*|kundenkonto|
      verkauft ihr|verkaufen sie|empfehl*`,
    charged: "abgebucht|belastet|abgezogen|berechnet|bezahlt|gezahlt|abbuchung",
    twice: "zweimal|doppelt|doppelte|mehrfach|zu viel|zuviel",
    change: "änder*|geändert|abändern|korrigier*|aktualisier*|falsche|umleiten",
    address:
      "adresse|lieferadresse|anschrift|rechnungsadresse|adressdaten|telefonnummer|mailadresse|emailadresse",
    want: `will|möchte|möchten|wollen|wollte|hätte gern|hätte gerne|würde gern|würde gerne|brauche|benötige|wünsche|
      verlange|fordere|kann ich|könnte ich|können sie|könnten sie|könnt ihr|könntet ihr|kannst du|könntest du|erbitte|
      ich bitte|bitte um|darf ich|können wir`,
    please: "bitte|bitteschön",
    arrive: `angekommen|ankommen|ankommt|ankam|kommt|kommen|erhalten|erhalte|erhielt|erhalt|bekommen|bekomme|bekommt|
      bekam|geliefert|zugestellt|eingetroffen|gekommen|empfangen|eingegangen|eintreffen|eintrifft|ausgeliefert|
      nicht da|nicht hier|erreicht|gesehen|eingang|gekriegt|kriege|kam|liefern|schon da|ist da|wieder da|
      hier angekommen|hätte geliefert werden|sollte ankommen|sollte geliefert werden|hätte ankommen`,
    ship: `versandt|versendet|verschickt|abgeschickt|losgeschickt|unterwegs|rausgegangen|rausgeschickt|versenden|
      verschicken|abgesendet|versandfertig|auf dem weg`,
    track: `sendungsverfolg*|sendungsnummer|trackingnummer|tracking|trackinglink|nachverfolg*|verfolgen|sendungsstatus|
      paketverfolgung|verfolge`,
    status: `status|stand|sachstand|bearbeitungsstand|lieferstatus|bestellstatus|lieferstand|was ist aus|was ist mit|
      was wurde aus|was passiert mit|wie steht es um|liefertermin|lieferdatum|zustelltermin|termin für`,
    news: "neuigkeiten|neues|update|updates|info|infos|information|auskunft|rückmeldung",
    late: `zu spät|spät|verspätet|verspätete|verspätung|verzögert|verzögerung|überfällig|spätlieferung|
      hätte geliefert werden|sollte ankommen|sollte geliefert werden|hätte ankommen`,
    lost: "verloren|verschwunden|verlorengegangen|gestohlen|geklaut|abhanden|abhandengekommen|verschollen|stecken geblieben",
    wait: "warte|warten|wartet|gewartet|wartezeit",
    says: "steht|laut|angeblich|angezeigt|heißt es|zeigt|behauptet",
    delivered: "zugestellt|geliefert|ausgeliefert|abgegeben",
    is: "ist|sind|bleibt|bleiben|steckt|befindet|liegt|war|waren|hängt",
    have: "habe|hab|haben|hat|hatte|hatten|wurde|wurden|worden|wird",
    my: "mein|meine|meinen|meinem|meiner|meines|unser|unsere|unseren",
    show: "zeig|zeige|zeigen|zeigt|sehen|liste|auflisten|übersicht|welche|anzeigen",
    policy: `richtlinie|richtlinien|bedingungen|rückgabebedingungen|rückgaberecht|rückgabefrist|rückgabefristen|
      rückgaberichtlinie*|rückgaberegel*|rückgabepolitik|widerrufsrecht|widerrufsfrist|widerrufsbelehrung|agb|regeln|
      regelung|regelungen|umtauschrecht|umtauschfrist|retourenrichtlinie*|retourenbedingungen|erstattungsrichtlinie*`,
    must: "muss ich|müssen wir|soll ich|muss man",
    accepts: `nehmt ihr|nehmen sie|bietet ihr|bieten sie|gibt es|gibts|akzeptiert ihr|akzeptieren sie|wie funktioniert|
      wie läuft|wie geht|kann man|darf man|frage zur|frage zu|fragen zur|fragen zu|frage zum`,
    whoPays: "wer zahlt|wer bezahlt|wer trägt|wer übernimmt",
    delivers:
      "liefert ihr|liefern sie|versendet ihr|versenden sie|verschickt ihr|verschicken sie|schickt ihr|schicken sie nach",
    not: "nicht|kein|keine|keinen|keiner|keinem|keines|nie|niemals|nichts|nix|net|nid|nicht da|nicht hier",
    still: "noch|immer noch|weiterhin|noch immer|nach wie vor",
    already: "schon|bereits|längst",
    anymore: "mehr",
    instead: "statt|anstatt|anstelle|an stelle",
    and: "und|oder|sowie|plus|u",
    clause:
      "und|aber|dann|danach|außerdem|weil|denn|sondern|deshalb|deswegen|obwohl|jedoch|allerdings|daher|anschließend",
    broken: `kaputt*|defekt*|beschädig*|zerbroch*|zerrissen*|zerkratz*|gerissen|undicht|fleckig|flecken|löcher|loch|
      verschmutzt|riss|risse|ausgelaufen|gebrochen|schimmel*|schadhaft|beschadigt|demoliert`,
    wrong: "falsch|falsche|falschen|falscher|falsches|verkehrt*|verwechselt",
    rejected: "abgelehnt|verweigert|abgewiesen",
    missing: "fehlt|fehlen|fehlte|fehlten|unvollständig",
    too: "zu|viel zu|etwas zu|bisschen zu",
    small: "klein|eng|kurz|schmal|knapp|kleine",
    big: "groß|weit|lang|breit|riesig|gross|groß ausgefallen",
    fit: "passt|passen|passte|passten|sitzt|gepasst",
    works: "funktioniert|funktionieren|funktionierte|geht|gehen|läuft|lädt|startet|angeht",
    described: `wie beschrieben|der beschreibung|wie abgebildet|wie auf dem bild|wie auf dem foto|wie auf den bildern|
      wie erwartet|den erwartungen|wie bestellt|was ich bestellt|wie angegeben`,
    dislike: "gefällt|gefallen|mag|mögen|gefiel",
    mistake: "versehentlich|aus versehen|irrtümlich|fehlkauf|doppelt bestellt|falsch bestellt",
    changedMind: `anders überlegt|meinung geändert|umentschieden|umüberlegt|will ich nicht mehr|will das nicht mehr|
      möchte das nicht mehr|brauche ich nicht mehr|brauche es nicht mehr|brauche sie nicht mehr`,
    noReason:
      "kein grund|keinen grund|ohne grund|geht sie nichts an|keine angabe|will ich nicht sagen|möchte ich nicht sagen",
    forget: `vergiss es|vergiss das|vergessen sie es|vergessen sie das|doch nicht|hat sich erledigt|hat sich geklärt|
      lassen sie es|lass es|lass gut sein|lassen wir es|lassen wir das|lassen sie das|lass das|schon gut|
      nicht nötig|nicht mehr nötig|halt stopp|nein warte|nein warten sie|nein moment`,
    stop: "stopp|stop|halt|abbrechen|abbruch|warten|nichts|aufhören",
    angry: `unverschämt*|frechheit|skandal*|unmöglich|katastroph*|schlimmste*|miserabel*|enttäusch*|wütend|stinksauer|sauer|
      verärgert|lächerlich*|inakzeptabel|betrug|betrüger*|abzock*|saftladen|unfassbar|schrecklich*|furchtbar*|zumutung|
      nie wieder|mies|miese|mieser|nervt|genervt|scheiß*|scheiss*|verarsch*|beschwer*|peinlich|dreist*|unglaublich|
      schlechteste*|grottenschlecht|reklamation`,
    again: "nochmal|nochmals|noch mal|noch einmal|erneut|versuchen",
    yes: "ja|jawohl|klar|gerne|gern|okay|ok|einverstanden|genau|jo|jep|natürlich|passt",
    no: "nein|nee|ne|nö|nein danke|lieber nicht",
    thanks:
      "danke|dankeschön|vielen dank|besten dank|herzlichen dank|danke schön|super|prima|toll|perfekt|klasse|wunderbar",
    bye: "tschüss|tschüs|auf wiedersehen|ciao|bis bald|schönen tag|gute nacht|schönen abend|schönes wochenende|ade",
    greeting:
      "hallo|hi|hey|moin|servus|grüezi|guten tag|guten morgen|guten abend|grüß gott|hallo zusammen|salü",
    help: "hilfe|hilf mir|helfen sie mir|ich brauche hilfe|können sie mir helfen|kannst du mir helfen|ich habe eine frage|frage",
    latest:
      "letzte|letzten|letzter|letztes|letztem|neueste|neuesten|neuste|neusten|aktuelle|aktuellen|jüngste|jüngsten|vorige",
    oldest: "älteste|ältesten|allererste",
    other: "andere|anderen|anderer|anderes|zweite bestellung",
    number: "nummer|nr|no",
    placed: "bestellt|bestellte|gekauft|aufgegeben|bestellten",
    otherNumber: `größe|gr|modell|artikelnummer|artikel|telefon|telefonnummer|tel|plz|postleitzahl|seit|jahr|januar|februar|
      märz|april|mai|juni|juli|august|september|oktober|november|dezember|jänner|kundennummer|sendungsnummer|hausnummer`,
    period: "woche|wochen|monat|monate|jahr|mal|zeit|tage|tagen|nacht|freitag|montag",
    today: "heute|heutige|heutigen|von heute",
    yesterday: "gestern|gestrige|gestrigen",
    dayBefore: "vorgestern",
    whole: `alles|komplett|komplette|kompletten|gesamt|gesamte|gesamten|ganze bestellung|ganzen bestellung|ganze sendung|
      ganze lieferung|ganzen betrag|ganze geld|alle artikel|alle sachen|alle teile|vollen betrag|volle erstattung|
      vollständig|vollständige`,
    every: "alle|allen|jede|jeden|jedes",
    both: "beide|beiden|beides|alle beide|alle zwei",
    also: "auch|außerdem|zusätzlich|ebenfalls|sowie",
    one: "ein|eine|einen|einem|einer|eines|eins|einzige|einzigen|einzelne|einzelnen",
    pair: "paar",
    pairs: "paare|paaren",
    between: "der|die|das|den|dem|des|meine|meiner|meinen|deren|von|stück|neue|neuen|exemplare|weitere",
    except: "außer|ohne|ausgenommen|bis auf|abgesehen von|mit ausnahme",
    keep: "behalte|behalten|behalt|behielte|behält",
    only: "nur|lediglich|bloß|ausschließlich",
    currency: "euro|euros|eur|chf|franken|fr|dollar|dollars|usd|pfund|gbp|stutz",
    of: "für|von|vom|aus|auf|über|um|bitte|nur|zu|mir",
    elsewhere: `gutschein|einkaufsgutschein|guthaben|paypal|bargeld|bar|anderes konto|andere karte|anderen konto|
      andere konto|anderer karte|neue karte|neues konto|bankkonto|iban|bitcoin|krypto`,
    terms: `welche karte|welches konto|auf welche|auf welches|wohin geht|wie viel|wieviel|welcher betrag|was genau|
      was heißt das|was bedeutet das|wie hoch|welche zahlungsart|meine karte|mein konto`,
    found: "gefunden|aufgetaucht|nachbar hat|beim nachbarn|nachbarn",
    contest: `unfair|nicht fair|ungerecht|ausnahme|trotzdem|aber|warum|wieso|falsch|kulanz|einspruch|widerspruch|
      stimmt nicht|kollege|kollegen|kollegin|mitarbeiter|fragen|weshalb`,
    accepted: "okay|ok|verstehe|verstanden|schade|na gut|alles klar|in ordnung|danke|gut|passt|schon gut",
  },
  patterns: GERMAN_PATTERNS,
  numbers: `null|eins, ein, eine, einen, einem, einer|zwei, zwo|drei|vier|fünf|sechs|sieben|acht|neun|zehn`,
  ordinals: `erste, ersten, erster, erstes|zweite, zweiten, zweiter, zweites|dritte, dritten, dritter, drittes|
    vierte, vierten, vierter, viertes|fünfte, fünften, fünfter, fünftes|letzte, letzten, letzter, letztes`,
  products: GERMAN_PRODUCTS,
  compounds: true,
  plain: `weiß nicht|ich weiß nicht|nicht sicher|verstehe nicht|nicht verstanden|ich|du|er|sie|es|wir|ihr|mich|mir|dich|dir|ihm|uns|euch|ihnen|der|die|das|den|dem|des|dies|diese|diesen|dieser|
    dieses|dass|daß|ob|wenn|als|in|im|am|an|bei|beim|mit|nach|seit|vor|für|durch|gegen|um|zum|zur|ins|aus|von|vom|bin|
    bist|sei|seid|sein|werde|werden|wäre|kann|können|könnte|soll|sollte|muss|darf|doch|mal|ja|so|sehr|ganz|hier|da|dort|
    jetzt|nun|eigentlich|leider|vielleicht|etwas|jemand|man|was|wer|wen|wem|welche|welcher|welches|tag|tage|tagen|woche|
    wochen|monat|uhr|bestellt|bestelle|bestellen|gekauft|kaufen|kaufe|gemacht|machen|mache|macht|tun|getan|sagen|wissen|
    weiß|sich|selbst|einfach|damit|dafür|davon|darüber|daran|immer|heute|morgen|gestern|grüße|freundlichen|herr|frau|
    mfg|lg|bezüglich|wegen|betreff|artikel|produkt|teil|sache|sachen|größe|farbe|gleich|gerade|die ganze zeit|ganze zeit|
    kein problem|alles gute|alles klar|das ist alles|war alles|das wars|gar|tja|ach|also|naja|worden|bereit|deutsch|gern geschehen|haben|hätte|sonst`,
  short: `hab=habe|habs=habe es|gibt's=gibt es|gibts=gibt es|geht's=geht es|wär=wäre|ned=nicht|nich=nicht|net=nicht|
    biste=bist du|is=ist|wieviel=wie viel|wieviele=wie viele|vlt=vielleicht|bzgl=bezüglich|evtl=vielleicht|
    wo's=wo ist es|hab's=habe es|kannste=kannst du|nen=einen|ne=eine|nem=einem`,
  elided: "",
  spelled: `erstattung|rückerstattung|erstatten|zurück|zurückgeben|zurückschicken|zurücksenden|rücksendung|retoure|
    rückgabe|bestellung|bestellungen|lieferung|sendung|sendungsverfolgung|geliefert|angekommen|mitarbeiter|stornieren|
    umtauschen|beschädigt|rechtsanwalt|paket`,
};
