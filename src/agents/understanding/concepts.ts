/**
 * What words mean in a shop's mail, across the six languages: `refund`, `reimburse`, `Rückerstattung` and
 * `rimborso` are one concept. What the model learns of concepts in English holds in the other languages.
 * Words stand without diacritics; `*` ends a stem; `_` joins two words that mean it only together.
 */
const LEXICON = `
WHERE where wheres wher whre whereabouts wo wohin donde onde dove cade ou_est ou_en locate locating find_out lokalisier* localiz* localis* rintracci*
WHEN when whens wann cuando quand quando eta estimated expected soon expect date dates schedule
STILL still yet noch encore toujours tjs ancora ainda aun todavia sigue sigo
NOT not no never dont didnt doesnt hasnt havent isnt wasnt cant wont couldnt nothing nope nicht nie kein* nix nichts nunca nada ningun* pas jamais aucun* rien non nao nem mai niente nessun* sin sem senza without ohne sans
ARRIVE arriv* come came comes coming deliver* receiv* reciev* recieved got gotten show turned_up turn_up ankomm* angekomm* gekommen kommt erhalten erhielt bekommen geliefert lieferung* liefer* zugestell* zustell* eingetroffen llega* llego llegu* recib* entreg* recu recus recue recoi* livr* cheg* receb* arriva* arrivat* consegn* ricev* ricevut* reach* landed
PARCEL parcel* package* pkg order orders ord ordered shipment* delivery paket* sendung* bestell* packchen paeckchen pedido* paquete* envio* compra encomenda* colis commande* cmd livraison ordin* pacco pacchi spedizion* packet purchase purchases bestellnummer mailing
TRACK track* trackin wismo status update* sendungsverfolg* sendungsstatus sendungsnummer seguimiento rastre* rastreio suivi tracciamento traccia* stato estado statut progress whereabout* check_on follow_up nachverfolg* verfolg* situation
SHIP ship shipped ships shipping dispatch* sent versand* verschick* versend* versendet abgeschickt losgeschickt enviad* enviar enviaron expedi* despach* spedit* spedire inviat* unterwegs en_route en_camino a_caminho in_viaggio on_the_way
CARRIER ups dhl fedex usps hermes evri dpd gls correos seur mrw colissimo chronopost correios ctt bartolini brt poste courier* kurier* postbote* paketbote* zusteller* driver* fahrer* repartidor* mensajer* livreur* facteur transporteur* corriere corrieri motorista entregador* carteiro transportador* postman mailman delivery_guy delivery_man transportista
LATE late delay* overdue verspat* verspaet* verzogert retras* tarde retard* tard atras* ritard* demora* lento slow
DAYS day days week weeks wk wks month months hour hours tag tage tagen woche wochen monat* dia dias semana* mes meses jour* semaine* mois giorn* settiman* mese mesi stunden horas heures ore
REFUND refund* refnud reimburs* reembols* rembours* rimbors* estorn* ruckerstatt* rueckerstatt* erstatt* reintegr* money_back geld_zuruck geld_wieder reversal cashback rebate* compensat* restitution* indemn* entschadig* compensac* compens* risarc* indenniz* chargeback
MONEY money cash geld dinero plata argent dinheiro grana soldi denaro kohle lana sous
BACK back zuruck zurueck wieder indietro atras vuelta
RETURN return* retrun* rma retour* zuruckschick* zuruckgeb* zurucksend* zuruckgeschickt zuruckgegeben rucksend* ruckgabe* rueckgabe* ruecksend* devolv* devolu* devoluc* devuelv* devolvi renvoy* renvoi renvoie restitu* reso resi rendere rispedi* rimand* send_back sending_back sent_back sending_it give_back bring_back
EXCHANGE exchang* swap* replac* umtausch* eintausch* tauschen austausch* ersatz* cambiar* cambio trocar troca* echang* remplac* sostitu* cambiare reemplaz* substitu*
FIT fit fits size sizes small large tight big loose bigger smaller larger grosse grossere kleiner passt passen klein zu_gross talla* chico grande apretad* queda taille* petit petite grand serre tamanho* pequen* apertad* taglia* piccol* strett* largo larga short long numero
BROKEN broken broke damag* defect* fault* crack* shatter* torn ripp* scratch* dent dented leak* smash* bent chipped dead kaputt* defekt* beschadig* beschaedig* zerbroch* zerrissen zerkratzt roto rota rotos danad* estropead* defectuos* rasgad* casse cassee cassees abime* endommag* defectueu* quebrad* estragad* avariad* rott* danneggiat* difett* guast* ruined mould* mold* moldy rotten expired stain* dirty
WRONG wrong incorrect falsch* equivocad* incorrect* mauvais* errad* sbagliat* mistaken erroneo instead
MISSING missing incomplete fehlt fehlen fehlend* falta faltan faltaba* manque* manquant* faltando faltou mancan* manca half_of only_one
WORKS work works working worked funktion* funciona* marche fonctionn* funzion* turn_on charge_anymore
BAD terrible awful horrible horrendous worst ridiculous unaccept* disgust* disgrace* poor joke shame* disappoint* rude useless incompet* pathetic appalling shocking lousy nightmare bad lazy careless lies liar* lie misleading rubbish garbage trash junk cheap flimsy unprofessional schrecklich* schlecht* unverschamt* frechheit katastroph* unmoglich enttausch* peinlich miserabel* pesim* verguenza fatal mala malo decepcion* inaceptable nul nulle scandal* honteu* honte lamentable* inadmissible inacceptable decu decue decevant* catastroph* pessim* horrivel vergonh* absurdo decepc* ruim lixo inaceitavel vergogn* schifo orribil* inaccettabil* delus* scaden* ridicol* assurd* mull desastre asco
FRAUD scam* fraud* thieves thief steal* stole stolen rip ripoff betrug* betrog* abzock* estafa* ladron* arnaque* voleur* golpe ladrao truffa* ladri fake counterfeit falsificad* contrefacon gefalscht tarocc* crooks cheat*
SWEAR shit shitty fuck* fucking wtf crap damn bullshit scheiss* mierda merde merda cazzo joder hell omg smh
GOOD thank* thanks thx ty great love* perfect* awesome excellent* happy nice brilliant danke super toll gracias genial perfecto encanta merci parfait* obrigad* otimo adorei grazie ottimo perfetto bravo valeu wonderful fantastic amazing cheers
CHARGE charg* billed debit* deduct* abgebucht abgezogen belastet berechnet cobr* cargo preleve* prelevement* debite addebit* paid pay payment bezahlt bezahl* pagado pague pagu* paye pagato pagamento
TWICE twice double* duplicate* zweimal doppelt* dos_veces doble deux_fois duas_vezes dobro due_volte doppio
PRICE price* cost costs preis* precio* prix preco* prezz* discount* rabatt* descuent* remise* descont* scont* coupon* gutschein* cupon cupom promo* difference differenz diferencia diferenca differenza overcharg* cheaper sale offer offers
FEE fee fees kosten gebuhr* gastos frais taxa* spese porto frete costo coste
CANCEL cancel* stornier* storno widerruf* anular* anule annul* cancelad* disdi*
CHANGE change update_my edit andern aendern modific* modifier mudar alterar cambiare_il correct
KEEP keep keeping kept behalt* quedarme quedo quedar garder garde gardons ficar fico tenere tengo tenerlo leave_it
MIND changed_my mind ignore forget nevermind never_mind vergiss egal olvid* oubli* esquec* dimentic* laisse deixa lascia doch_nicht
ADDRESS address* adresse* direccion* endereco* indirizz*
INVOICE invoice* receipt* vat rechnung* factura* facture* fatura* recibo* ricevuta fattur* nota_fiscal kassenbon ticket
ACCOUNT account* password* login log_in konto passwort* cuenta contrasena* compte passe conta senha accesso otp app website register*
POLICY policy policies terms conditions bedingung* richtlinie* frist* politica* politique* condicion* condiz* garantie* warranty garantia* garanzi* widerrufsrecht ruckgaberecht delai* plazo* prazo* termine rules guarantee
HOWLONG how_long how_many wie_lange cuanto_tiempo cuantos_dias combien_de quanto_tempo quanti_giorni quanto_tarda
HOW how wie como comment howto
WHAT what whats was que quoi che cosa qual quale quel quelle which
WHY why warum wieso porque por_que pourquoi perche
CAN can could may possible kann konnte konnt konnen puedo puede podria peut puis pourrais pourriez posso pode poderia puo potrei potete moglich possibile possivel posible
DOYOU do_you does_your do_i have_to are_there is_there gibt_es muss_ich bieten_sie habt_ihr hay tienen haceis avez_vous est_ce faut_il tem voces_tem preciso_pagar avete fate devo
WANT want need like wanna mochte moechte will hatte brauche quiero quisiera necesito veux voudrais souhaite quero queria gostaria preciso voglio vorrei please pls plz bitte svp favor prego
GIVE give gimme get geben gebt dame denme devuelvan donnez rendez devolvam datemi ridatemi regres*
PERSON human humans person people agent agents representative* rep manager* supervisor* operator* someone somebody anyone mensch* mitarbeiter* berater* persona humano* agente* asesor* encargad* conseiller* humain* personne responsable* pessoa atendente* operator* umano responsabile chef vorgesetzt* kollege* alguien quelqu alguem qualcuno jemand*
TALK talk speak speaking chat call phone ring connect transfer sprech* reden telefon* anruf* ruft verbind* hablar llam* comuni* parler appel* passez falar ligar ligue parlare chiam*
BOT bot robot* machine chatbot ai automat* maschine maquina ia macchina
LAWYER lawyer* attorney* solicitor* barrister* legal* lawsuit* litigation sue suing court courts tribunal* ombudsman* anwalt* anwaltin rechtsanwalt* rechtsschutz* klage verklag* gericht* juristisch* mahnung abogad* demanda demandar denuncia* juzgado* judicial* legales avocat* juridique* plainte justice huissier advogad* process* justica juizado judicia* avvocat* legali querela* causa denunci* diffida mediateur conciliateur magistrat*
REGULATOR regulator* consumer consumers trading_standards bbb ftc attorney_general watchdog verbraucherzentrale verbraucherschutz* consumo ocu omic facua reclamaciones dgccrf ufc choisir consommateur* procon reclamacoes deco anacom consumidor agcm antitrust altroconsumo federconsumatori codacons consumator* authorities authority behorde
PRIVACY gdpr ccpa dsgvo rgpd lgpd privacy data_protection datenschutz* daten datos donnees dados dati personal_data
SOCIAL review reviews trustpilot twitter tiktok facebook instagram google press media stars star bewertung* resena* avis avaliac* recension* influencer
SAYS says said saying claims shows showing laut sagt steht angeblich dice dicen pone dit indique affiche diz risulta marked
ALREADY already since ago schon seit ya desde hace deja depuis ja faz gia fa da_una waiting wait warte* esper* attend* aspett* esperando
PHOTO picture* photo* description described advertised beschreibung beschrieben foto fotos descripcion descric* descrizione bild bilder image* annonce
STOCK available availability stock sell store stores outlet dealer verfugbar* lagernd disponib* tienda* magasin* loja* negozi* showroom pincode pin franchise deliver_to liefert_ihr
PRODUCT ingredients material color colour colors dimensions model manual guide recommend recommendation difference_between best weight use farbe farben masse colores medidas couleur* cores medidas colore* misure
AGAIN again wieder_mal schon_wieder otra_vez nuevamente encore_une de_novo outra_vez di_nuovo ancora_una another_time third_time second_time
CARD card karte* tarjeta* carte cartao carta paypal klarna account_number
OPENING hours open opening offnungszeiten horario* horaire* orari newsletter unsubscribe jobs career
COMPLAIN complain* complaint* claim claims reclamation grievance beschwer* reklam* queja* quejar* reclam* plainte plaindre reclamac* queixa* reclamo reclami lament*
HELP help assist* aid ayud* hilf* hilfe aide aider aidez ajud* aiut* support how_to know_how
ORDERRULES instructions prompt system developer override bypass jailbreak pretend roleplay unrestricted instruccion* anweisung* instruc* istruzion* systemprompt admin administrator sudo ignoriere ignora ignorez ignorar
`;

const exact = new Map<string, string[]>();
const stems = new Map<string, string[]>();
const pairs = new Map<string, string[]>();
const SHORTEST_STEM = 3;
for (const line of LEXICON.trim().split("\n")) {
  const [concept = "", ...entries] = line.split(" ");
  for (const entry of entries) {
    const map = entry.endsWith("*") ? stems : entry.includes("_") ? pairs : exact;
    const key = entry.replace("*", "").replace("_", " ");
    map.set(key, [...(map.get(key) ?? []), concept]);
  }
}

const NONE: readonly string[] = [];

/** The concepts of one word (lower case, no diacritics); most words have none, few have two. */
export function conceptsOfWord(word: string): readonly string[] {
  const whole = exact.get(word);
  if (whole !== undefined) return whole;
  for (let length = word.length; length >= SHORTEST_STEM; length -= 1) {
    const stem = stems.get(word.slice(0, length));
    if (stem !== undefined) return stem;
  }
  return NONE;
}

/** The concepts that two neighbouring words have together. */
export const conceptsOfPair = (first: string, second: string): readonly string[] =>
  pairs.get(`${first} ${second}`) ?? NONE;

/** The concepts of a message in the order in which they are said. */
export function conceptsIn(words: readonly string[]): string[] {
  const found: string[] = [];
  for (const [index, word] of words.entries()) {
    const next = words[index + 1];
    if (next !== undefined) found.push(...conceptsOfPair(word, next));
    found.push(...conceptsOfWord(word));
  }
  return found;
}
