/**
 * What shop questions are about, in six languages: the beginnings of words, by what they mean. With it a
 * question in one language finds an English text, and "money back" finds "refund". Pure data and a reader.
 *
 * A word of another language is put into English word by word (`gloss`): no translation that anybody reads,
 * but enough to be found by, and what is found is judged like everything else.
 */
import { fold } from "./words.ts";

/** English word that stands for the meaning → beginnings of words with it; `=` marks a whole word. */
const MEANINGS: Readonly<Record<string, string>> = {
  return:
    "return devol devuel retour ruckgabe rucksend zuruckgeb zuruckschick zurucksend ruckversand renvo renvoi renvoy restit reso =resi =rendere rendo retorn",
  refund: "refund reembols ruckerstatt erstatt rembours rimbors reimburs geld-zuruck",
  exchange: "exchang umtausch tausch cambi echang troca trocar sostitu substitu swap replac",
  shipping:
    "shipp deliver envio enviar envia envian enviais versand verschick liefer zustell livrais livrer livrez expedi frete entreg envi spedi consegn postage dispatch courier",
  cost: "cost price fee charge preis kosten kostet gebuhr precio cuest cuanto coste tarif prix cout frais combien preco custa quanto prezz =costa costi tariff taxa",
  free: "free gratis kostenlos gratuit gratuita =libre",
  order: "order pedido bestell auftrag commande encomenda ordin orden compra purchase kauf achat acquist",
  package: "package parcel paquete paket colis pacote encomend pacco sendung",
  track: "track seguimiento rastre verfolg suivi suivre tracci sendungsnummer",
  late: "late delay retras verspat retard atras ritard demor",
  lost: "lost missing perd verloren verlor manqu perdid smarrit extravi fehlt",
  damaged:
    "damag broken defect danad dano roto defekt beschadig kaputt casse abime endommag danific quebrad defeit rott difett danneg faulty",
  gift: "gift regal geschenk cadeau prendas =prenda present",
  card: "card tarjeta karte carte cartao carta gutschein voucher vale buono cheque",
  balance: "balance saldo guthaben solde",
  size: "size sizing talla grosse groesse taille tamanho taglia misura medid numero",
  fit: "fit queda passt passform aille veste coupe serve",
  wash: "wash lavar lavad lavab wasch gewaschen laver lavag lavare lava clean limpi reinig nettoy pul machine",
  care: "care cuidad pflege entretien cuidar manuten cura",
  warranty: "warrant guarant garant garanzia gewahr",
  repair: "repair repar riparar riparaz repara fix",
  opening:
    "open abiert abre abren abrir horari offnungs geoffnet offen ouvert ouvre ouvri ouverture horaire abert funcionam apert orari",
  hours: "hour hora stunde zeiten uhr heures heure ora =ore",
  store: "store shop tienda laden geschaft filiale magasin boutique loja negozi showroom",
  contact: "contact contat kontakt telefon telephon joindre llamar anruf chiam email correo phone",
  payment:
    "pay pago pagar zahl bezahl paiement payer pagament pagare klarna paypal visa mastercard installment cuotas rate raten",
  invoice: "invoice receipt factura rechnung quittung facture recibo fatura fattura ricevut scontrin vat",
  discount:
    "discount descuento rabatt remise reduc descont sconto coupon cupon codigo code promo gutscheincode",
  student: "student estudiant etudiant studierend studenti",
  account: "account cuenta konto compte conta",
  cancel: "cancel stornier annul anul kundig",
  address: "address direccion adresse endereco indirizz anschrift",
  international:
    "international abroad worldwide extranjero ausland etranger estrangeir exterior estero internacion internazion",
  country: "country countries pais paises land lander pays paesi canada mexico europe suiza schweiz suisse",
  day: "day dia tag jour giorn werktag",
  long: "long tard dauer lange temps longtemps durée tempo demora =dura",
  when: "when cuando wann quand quando",
  material: "material stoff matiere tessut fabric composi",
  wool: "wool lana wolle laine =la merino merinowolle",
  waterproof: "waterproof impermeab wasserdicht wasserfest impermeable etanche",
  jacket: "jacket chaqueta jacke veste jaqueta casaco giacca",
  sock: "sock calcet socke chausset meia calz",
  shoe: "shoe boot zapat bota schuh stiefel chaussur sapat scarp stival",
  headphone: "headphone auricular kopfhorer casque ecouteur auscultador cuffi fones earphone",
  battery: "batter bateri akku pile pilha",
  charge: "charging charger cargar cargador laden ladegerat ladekabel charger recharg carreg caric",
  bluetooth: "bluetooth koppel pair emparej apparier parear abbin connect conect verbind",
  reset: "reset reinici zurucksetz reinitialis redefin riprist restablec",
  policy: "policy policies polit richtlinie politique condition condicion bedingung regra regol rule",
  window: "window plazo frist delai prazo termin deadline periodo",
  delivered: "delivered entregad geliefert livree entregue consegnat receiv recib erhalt recu",
  final: "final endgultig definitiv",
  sale: "sale outlet saldos rebaj schlussverkauf ausverkauf soldes clearance reduziert",
  stock: "stock verfugbar dispon lager vorratig agotad available rupture esgotad esaurit",
  subscription: "subscri abo abonn assinatura abbonament newsletter",
  person: "person human agent mensch mitarbeiter conseiller humain pessoa operador operator",
  approve: "approv genehm autori aprueb aprova approuv",
  limit: "limit maxim hochst tope",
  express: "express exprés urgent eil rapide rapid overnight",
  pickup: "pickup collect recog abhol retirer retrait retirad ritir levant",
  sustainable: "sustain sostenib nachhalt durable sustentav recycl recicl",
};

interface Entry {
  readonly start: string;
  readonly whole: boolean;
  readonly meaning: string;
}

const ENTRIES: readonly Entry[] = Object.entries(MEANINGS)
  .flatMap(([meaning, list]) =>
    list.split(" ").map((word) => ({
      start: fold(word.replace(/^=/, "")),
      whole: word.startsWith("="),
      meaning,
    })),
  )
  // The longest beginning that fits says most.
  .sort((a, b) => b.start.length - a.start.length);

const BY_LETTER = new Map<string, Entry[]>();
for (const entry of ENTRIES) {
  const letter = entry.start[0] as string;
  BY_LETTER.set(letter, [...(BY_LETTER.get(letter) ?? []), entry]);
}
const known = new Map<string, string | null>();
const KNOWN_MAX = 20_000;

/** The meaning of a folded word, or null. */
export function meaningOf(word: string): string | null {
  const before = known.get(word);
  if (before !== undefined) return before;
  const found = BY_LETTER.get(word[0] ?? "")?.find(({ start, whole }) =>
    whole ? word === start : word.startsWith(start),
  );
  const meaning = found?.meaning ?? null;
  if (known.size >= KNOWN_MAX) known.clear();
  known.set(word, meaning);
  return meaning;
}
