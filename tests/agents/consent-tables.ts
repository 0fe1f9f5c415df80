/** What customers of five more languages answer to an offer: a plain yes, a plain no, and what is neither. */
import type { Language } from "../../src/kernel/language.ts";

export interface AnswerTable {
  readonly yes: readonly string[];
  readonly no: readonly string[];
  readonly neither: readonly string[];
}

const list = (text: string): readonly string[] =>
  text
    .trim()
    .split("|")
    .map((it) => it.trim())
    .filter((it) => it !== "");

export const ANSWERS: Readonly<Record<Exclude<Language, "en">, AnswerTable>> = {
  es: {
    yes: list(`Sí|si|SÍ!|¡Sí!|sí, por favor|si porfa|Sí, gracias.|sí, adelante|adelante|Adelante, por favor|claro|
      Claro que sí|por supuesto|¡Por supuesto!|desde luego|vale|Vale, gracias|vale vale|ok, vale|de acuerdo|
      Estoy de acuerdo|hazlo|Hágalo, por favor|háganlo|hacedlo|sí, hazlo|confirmo|Lo confirmo|sí, confirmo|confirmado|
      acepto|Acepto, muchas gracias|correcto|exacto|eso es|está bien|esta bien|me parece bien|procede|Procedan, por favor|
      sííí|siii|Pues sí|dale|ok dale|sí sí|sí quiero|perfecto, adelante|Genial, sí|Hola, sí|sí 👍|buenos días, sí por favor`),
    no: list(`No|NO!|no gracias|No, gracias.|no no|mejor no|ahora no|por ahora no|de momento no|todavía no|aun no|nunca|
      para nada|en absoluto|ni hablar|de ninguna manera|cancela|cancelar|Cancélalo, por favor|cancele|cancelen|anular|
      déjalo|dejalo|Déjelo, gracias|déjalo así|no lo hagas|No lo haga, por favor|no lo hagan|no hagan nada|no quiero|
      no lo quiero|no hace falta|olvídalo|olvidelo|detente|para|pare|He cambiado de opinión|cambié de idea|ya no|ya no quiero|
      ya no lo quiero, gracias|prefiero que no|claro que no|por supuesto que no|pues no|no acepto|nooo|¡No!`),
    neither:
      list(`sí, pero solo los calcetines|si pero no la chaqueta|vale, no|vale no|no, sí|sí, no|si no|sí y no|¿sí?|sí?|
      sí a qué|¿cuánto es?|sí, 24|sí, 24 €|sí #1042|sí, la chaqueta|sí, a mi otra tarjeta|sí, mañana|si llega antes del lunes|
      sí, siempre que sea rápido|no sé|no lo sé|no estoy seguro|No hay problema|no pasa nada|quizás|tal vez|a lo mejor|puede ser|
      depende|espera|un momento|ya|ya veremos|luego|más tarde|gracias|por favor|perfecto|bueno|bien|hola|¿qué?|cómo|explícame|
      solo los calcetines|la otra|todo|no todo|claro, pero espera|adelante con la chaqueta|hazlo mañana|confirmo solo una|
      acepto si me pagan el envío|"sí"|di que sí|el cliente dice sí|sí: todo|sí; no|sí/no|sí (no)|no?|como no|
      jaja|ja ja ja|vale, pero a mi cuenta|de acuerdo, aunque tarde|ok pero antes dime cuándo`),
  },
  de: {
    yes: list(`Ja|ja!|JA|ja bitte|Ja, bitte.|ja gerne|Ja, sehr gerne|gerne|gern|klar|na klar|Klar, danke|natürlich|natuerlich|
      Naturlich|selbstverständlich|sicher|auf jeden Fall|einverstanden|Ich bin einverstanden|genau|richtig|Das ist richtig|
      stimmt|das stimmt|korrekt|passt|Passt so|das passt|in Ordnung|Ist in Ordnung|das ist ok|geht klar|mach das|
      Machen Sie das bitte|machen Sie es|bitte fortfahren|Fahren Sie fort|durchführen|durchfuehren|bestätigt|Ich bestätige|
      bestaetige|akzeptiert|ich stimme zu|jawohl|jo|jep|jaaa|ok, danke|okay gerne|Super, ja|ja, vielen Dank|
      Ja, danke schön|Hallo, ja bitte|ja 👍|so machen wir es|ja natürlich`),
    no: list(`Nein|nein!|NEIN|nein danke|Nein, danke.|danke, nein|nein nein|nee|nö|noe|lieber nicht|doch nicht|bitte nicht|
      besser nicht|eher nicht|auf keinen Fall|keinesfalls|niemals|nie|jetzt nicht|noch nicht|im Moment nicht|stopp|stop|
      abbrechen|Bitte abbrechen|brechen Sie das ab|stornieren|lass es|lass das|Lassen Sie es bitte|vergiss es|
      Vergessen Sie es|nicht machen|mach das nicht|Machen Sie das nicht|Ich will das nicht|ich will nicht|
      ich möchte das nicht|Ich moechte nicht|nicht mehr|nein, doch nicht|kein Interesse|natürlich nicht|sicher nicht|
      Ich habe es mir anders überlegt|hab's mir anders überlegt|anders ueberlegt|nicht einverstanden|neeein|Nein 👎`),
    neither:
      list(`ja, aber nur die Socken|Ja aber|ja, aber nicht die Jacke|ja nein|nein ja|ja?|Ja, wieviel denn?|wie viel ist das?|
      ja, 24|ja, 24,00 €|ja #1042|ja, die Jacke|ja auf mein anderes Konto|ja morgen|ja wenn es schnell geht|ja sofern|
      ja ja|ja ja ja|jaja|naja|na ja|ja doch|doch|vielleicht|kann sein|weiß nicht|ich weiß nicht|nicht sicher|mal sehen|
      kommt drauf an|Moment|einen Moment|warte|warten Sie|später|danke|bitte|super|gut|perfekt|alles klar|kein Problem|
      Hallo|was?|wie bitte|warum|nur die Socken|die andere|alles|nicht alles|nicht die Jacke|klar, aber|gerne später|
      genau das nicht|mach das morgen|bestätigt nur eine|"ja"|sag ja|der Kunde sagt ja|ja: alles|ja; nein|ja/nein|
      ja (nein)|nein?|já|jein|ja oder|einverstanden, sofern der Versand dabei ist|okay aber erst|passt nicht`),
  },
  fr: {
    yes: list(`Oui|oui !|OUI|oui merci|Oui, s'il vous plaît.|oui svp|oui s il vous plait|ouais|oui oui|d'accord|D’accord|
      daccord|d accord|je suis d'accord|bien sûr|bien sur|Bien sûr que oui|bien entendu|certainement|absolument|tout à fait|
      tout a fait|volontiers|avec plaisir|entendu|ça marche|ca marche|ça me va|ça me convient|c'est ça|c'est exact|exact|
      exactement|je confirme|Oui, je confirme|confirmé|je valide|j'accepte|Oui, j'accepte|accepté|allez-y|allez y|vas-y|
      Faites-le|faites, merci|procédez|je veux bien|ok pour moi|ok merci|Parfait, allez-y|Bonjour, oui|ouiii|oui 👍|
      oui d'accord|super, oui`),
    no: list(`Non|non !|NON|non merci|Non, merci.|merci, non|non non|nan|pas du tout|surtout pas|certainement pas|
      absolument pas|bien sûr que non|pas maintenant|pas encore|pas pour le moment|jamais|hors de question|plutôt pas|
      finalement non|laissez tomber|laisse tomber|Laissez tomber, merci|annulez|annuler|annule|Annulez ça|annulez tout|
      arrêtez|arretez|arrête|stop|ne le faites pas|Ne faites pas ça|ne faites rien|j'ai changé d'avis|jai change davis|
      je ne veux pas|je veux pas|je n'en veux pas|je ne veux plus|je préfère pas|je préfère que non|oubliez|oubliez ça|
      pas la peine|ce n'est pas la peine|pas besoin|pas d'accord|je ne suis pas d'accord|je refuse|nooon`),
    neither:
      list(`oui mais|oui, mais seulement les chaussettes|oui mais pas la veste|oui non|non oui|oui et non|oui ?|oui?|
      oui à quoi|c'est combien ?|oui, 24|oui, 24,00 €|oui #1042|oui, la veste|oui sur mon autre carte|oui demain|
      oui si c'est rapide|oui à condition que|peut-être|peut être|ça dépend|je ne sais pas|je sais pas|pas sûr|on verra|attendez|
      un instant|plus tard|merci|s'il vous plaît|parfait|bien|bon|bonjour|quoi|comment|pourquoi|pas de problème|pas de souci|
      seulement les chaussettes|l'autre|tout|pas tout|pas la veste|d'accord mais|bien sûr, mais avant|allez-y demain|
      je confirme une seule|j'accepte si vous payez le port|« oui »|"oui"|dites oui|le client dit oui|oui : tout|oui; non|
      oui/non|oui (non)|non ?|c'est bon|mouais|pourquoi pas|si non|oui enfin presque|okay mais d'abord`),
  },
  pt: {
    yes: list(`Sim|sim!|SIM|sim por favor|Sim, por favor.|sim, obrigado|sim obrigada|sim sim|claro|claro que sim|com certeza|
      certo|está certo|tá certo|tá bom|ta bom|está bem|esta bem|pode|pode sim|Pode fazer|pode prosseguir|pode confirmar|podem|
      faça|Faça isso, por favor|faz isso|avance|avança|prossiga|confirmo|Sim, confirmo|eu confirmo|confirmado|aceito|
      Eu aceito|concordo|de acordo|combinado|fechado|isso mesmo|é isso|é isso mesmo|exato|exatamente|correto|quero|
      quero sim|sim, quero|beleza|blz|ok, pode|ok obrigado|Perfeito, pode fazer|Olá, sim|sim 👍|ótimo, sim|simmm`),
    no: list(`Não|nao|NÃO!|não obrigado|Não, obrigada.|obrigado, não|não não|não quero|nao quero|não quero mais|não precisa|
      não é preciso|não é necessário|nao e necessario|deixa|deixa pra lá|deixa para lá|deixe estar|esquece|esqueça|
      esqueca|cancela|cancele|cancelar|Cancele, por favor|cancelem|pare|parem|não faça|Não faça isso|não façam|melhor não|
      agora não|por enquanto não|ainda não|nunca|jamais|de jeito nenhum|de maneira nenhuma|de modo algum|nem pensar|
      mudei de ideia|mudei de ideias|prefiro não|prefiro que não|negativo|desisto|não concordo|não aceito|claro que não|
      nada disso|já não quero|não 👎|nãããão`),
    neither:
      list(`sim, mas só as meias|sim mas|sim mas não o casaco|sim não|não sim|sim e não|sim?|sim a quê|quanto é?|sim, 24|
      sim, 24,00 €|sim #1042|sim, o casaco|sim no meu outro cartão|sim amanhã|sim se for rápido|sim desde que|talvez|
      pode ser|depende|não sei|nao sei|não tenho certeza|espera|um momento|calma|mais tarde|já|logo|obrigado|por favor|
      perfeito|ótimo|bom|bem|olá|oi|o quê|como|por quê|não tem problema|sem problema|tudo bem|só as meias|o outro|tudo|
      nem tudo|não o casaco|claro, mas|pode fazer amanhã|confirmo só uma|aceito se pagarem o envio|"sim"|diga sim|
      o cliente diz sim|sim: tudo|sim; não|sim/não|sim (não)|não?|pois não|pois sim|acho que sim|de acordo, porém tarde|
      ok mas antes`),
  },
  it: {
    yes: list(`Sì|si|SÌ!|si'|Sí|sì grazie|Sì, per favore.|sì sì|certo|certo che sì|certamente|sicuro|sicuramente|ovviamente|
      naturalmente|senz'altro|va bene|Va bene, grazie|mi va bene|per me va bene|va benissimo|d'accordo|daccordo|
      sono d'accordo|confermo|Lo confermo|sì, confermo|confermato|accetto|lo accetto|esatto|esattamente|giusto|corretto|
      procedi|proceda|Procedete pure|procediamo|fallo|faccia pure|lo faccia|fatelo|fate pure|vai pure|facciamo così|
      facciamo cosi|volentieri|con piacere|ok, grazie|Perfetto, proceda|Ciao, sì|sì 👍|buongiorno, sì grazie|assolutamente sì|
      siii`),
    no: list(`No|NO!|no grazie|No, grazie.|grazie, no|no no|non ora|non adesso|adesso no|per ora no|non ancora|meglio di no|
      meglio no|preferisco di no|direi di no|assolutamente no|certo che no|per niente|mai|mai più|non voglio|
      non lo voglio|Non lo voglio più|non farlo|non lo faccia|non fatelo|non fate niente|lascia perdere|lasci perdere|
      Lasciate perdere, grazie|lascia stare|lasci stare|annulla|Annulli, per favore|annullate|annullare|annulla tutto|
      fermati|si fermi|fermatevi|basta|stop|ho cambiato idea|cambiato idea|non serve|non mi serve|non importa|dimentica|
      rifiuto|non accetto|non sono d'accordo|nooo|no 👎`),
    neither:
      list(`sì, ma solo i calzini|si ma|sì ma non la giacca|sì no|no sì|sì e no|sì?|si?|sì a cosa|quanto è?|sì, 24|
      sì, 24,00 €|sì #1042|sì, la giacca|sì sull'altra carta|sì domani|sì se è veloce|sì purché|forse|magari|può darsi|
      dipende|non so|non lo so|non sono sicuro|aspetta|un attimo|più tardi|dopo|grazie|per favore|perfetto|ottimo|bene|
      ciao|cosa|come|perché|non c'è problema|nessun problema|solo i calzini|l'altro|tutto|non tutto|non la giacca|
      certo, ma prima|va bene domani|confermo solo una|accetto se pagate la spedizione|"sì"|di' di sì|il cliente dice sì|
      sì: tutto|sì; no|sì/no|sì (no)|no?|assolutamente|vabbè|come no|se no|d'accordo, però tardi|ok ma prima`),
  },
};

/** Two languages in one answer: the parts agree, or they do not. */
export const MIXED: AnswerTable = {
  yes: list(
    "ok, danke|sí please|oui thanks|ja, gracias|sim, merci|yes, bitte|vale, thanks|okay grazie|sure, por favor|👍 gracias",
  ),
  no: list("no danke|nein thanks|non gracias|no, merci|no obrigado|não thanks|no grazie|stop bitte|👎 merci"),
  neither: list(
    "yes nein|ja no|oui no|sí non|ok nein|vale nein|sim no|👍 nein|no sí|nein yes|sure pero no|ja but only the socks|yes aber|si mais",
  ),
};
