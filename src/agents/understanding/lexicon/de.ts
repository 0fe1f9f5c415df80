/** German, of Germany, Austria and Switzerland. */
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
};
