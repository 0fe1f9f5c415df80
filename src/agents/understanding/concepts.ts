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
PART zip zipper seam* sleeve* lid handle button* screen* display battery charger cable plug wheel* leg legs strap* buckle sole heel collar pocket* cushion* drawer* shelf screw* hinge* lens remote reissverschl* naht nahte armel deckel griff knopf knopfe bildschirm akku ladegerat* kabel stecker rad rader bein beine tischbein schraube* sohle absatz cremallera cierre costura* manga* tapa mango boton* pantalla bateria cargador cable rueda* pata patas tornillo* suela tacon fermeture couture* manche* couvercle poignee bouton* ecran batterie chargeur roue* pied pieds vis semelle talon fecho ziper costura* manga* tampa cabo botao tela bateria carregador roda* pe pes parafuso* sola salto cerniera cucitur* manica maniche coperchio manico bottone schermo batteria caricatore ruota ruote gamba gambe vite viti suola tacco
FAULT squeak* wobbl* rattl* buzz* hum hums humming noisy grind* smok* burnt melt* fray* fad* peel* rust* loose* snap* collaps* fell_apart falls_apart came_off come_off fell_off gave_up stopped_working packed_up dead_pixel quietsch* wackelt brummt raucht geraucht lose abgefallen auseinander* abgebrochen rostig undicht lauft_aus chirri* rechin* humo solto oxid* gotea gotean se_cae se_cayo desarm* descos* grince* fume fuit tombe_en lache* decous* rouill* range rangendo fumaca vazando solta descol* descostur* enferruj* caiu cigola* fumo staccat* stacca scuc* arruggin* perde_acqua smontat* rump* rupt*
SMELL smell* stink* stank stench reek* riecht stinkt gestank geruch huele* apesta* olor sent_mauvais pue puent odeur cheira* fede cheiro puzza* odore puzz*
STAIN stain* spot spots dust* filth* hair hairs mould* mold* fleck* schmutz* verschmutz* haare schimm* verschimmelt mancha* suci* pelo pelos moho tache* sale sales cheveux moisi* suj* cabelo* mofo bolor macchi* sporc* capell* ammuff* muffa
USED used second_hand secondhand worn previously refurbished gebraucht* getragen* benutzt* usad* segunda_mano occasion deja_porte utilise* usat* seconda_mano opened aufgemacht
EMPTY empty hollow bare leer leere* leeren vacio* vacia* vide vides vazio* vazia* vuoto vuota
BOX box boxes carton cardboard packaging packing bag karton kartons schachtel verpackung caja cajas embalaje bolsa boite cartons emballage caixa caixas embalagem sacola scatola scatole imballo imballaggio sacchetto
PHOTOPROOF picture_of proof attached attachment photo_of beweis anhang adjunt* piece_jointe anexo allegat* prueba preuve prova
RUDE rude shout* yell* insult* hung_up swore laughed ignored ignore_me ignoring threw throw* thrown dumped tossed unhoflich unfreundlich angeschrien aufgelegt geworfen grob ignoriert grosser* grit* colgo colgaron tiro avento insult* malp* impoli* crie hurle raccroch* jete balance ignore* mal_educad* gritou gritaram desligou atirou jogou maleducat* urlat* sbattuto lanciat* scortes*
SILENCE no_answer no_reply no_response unanswered nobody none voicemail hold on_hold automatic automated robotic canned template* niemand keiner warteschleife automatische automatisch* keine_antwort nadie automatic* ninguna_respuesta en_espera personne_ne repond* repondu sans_reponse attente automatique* ninguem resposta* sem_resposta em_espera nessuno risposta risposte senza_risposta in_attesa
LIED lied lying misled pretend* deceiv* cheated tricked promise* promised gelogen angelogen belogen versprochen verspricht vorgemacht minti* enganad* engan* prometi* promet* menti* trompe* bugi* mentit* ingann* promess* preso_in
REGRET disappoint* unhappy upset angry annoy* frustrat* furious fuming livid sad fed_up sick_of tired_of had_enough outraged cry cried crying weint geweint traurig wutend sauer verargert genervt nervt unzufrieden schnauze enfadad* enojad* molest* furios* triste hart* cansad* llor* fache* furieu* enerve* colere triste marre ras_le pleure* chatead* irritad* furios* farto farta triste chorou arrabbiat* furios* stuf* triste pianto stanc*
SARCASM congratulations congrats bravo kudos well_done great_job good_job nice_work nice_job slow_clap applause so_much how_kind how_lovely thanks_for thank_you_for wow oh_great oh_lovely fantastic* herzlichen_gluckwunsch gluckwunsch ganz_grosses grosses_kino danke_fur danke_auch na_super na_toll herrlich felicidades enhorabuena felicitaciones menuda vaya gracias_por que_bien bien_joue felicitations merci_pour chapeau parabens obrigado_por obrigada_por que_lindo maravilha complimenti congratulazioni bravi bravissimi grazie_per bella_roba
PREMIUM premium quality luxury brand brand_new waterproof quality_control qualitat* marke wasserfest calidad marca impermeable qualite marque etanche luxe qualidade impermeavel qualita marca impermeabile neuwertig
NEVERAGAIN never_again never_buy last_time not_again lost_a lost_me customer customers nie_wieder nie_mehr kunde kundin kunden nunca_mas jamas cliente clientes clienta jamais plus_jamais client cliente clienti mai_piu nunca_mais
SHOP shop store company business you_guys you_people you_lot seller merchant laden firma verein saftladen tienda empresa negocio boutique magasin entreprise vendeur loja empresa vendedor negozio azienda bottega venditore ditta
HOME home house door doorbell porch neighbor* neighbour* gate fence mailbox letterbox hause zuhause tur klingel geklingelt nachbar* briefkasten zaun casa puerta timbre vecin* buzon porton reja maison porte sonne sonnette voisin* portail boite_aux casa porta campainha vizinh* portao tocou casa porta campanello suonat* vicin* cancello cassetta
SIGNED signed signature handed left_with safe_place concierge reception resident unterschrieben unterschrift abgestellt abgegeben ubergeben firmo firma_de dejaron dejo recepcion signe signature depose laisse gardien assinou assinado deixaram portaria firmato lasciato portineria consegnato_a
CUSTOMS customs zoll aduana douane alfandega dogana
SOON tomorrow tonight today morgen heute manana hoy demain aujourd amanha hoje domani oggi before_christmas in_time on_time rechtzeitig a_tiempo a_temps a_tempo in_tempo
PAST yesterday ago last_week last_month weeks_ago days_ago gestern letzte_woche vor_zwei ayer hace_dos semana_pasada mes_pasado hier semaine_derniere ontem semana_passada ieri settimana_scorsa mese_scorso
IF if when_i in_case suppose falls wenn si cuando_compro au_cas caso se_eu se_io qualora thinking_of considering uberlege pensando_en estoy_pensando pense_a hesite pensando_em estou_a sto_pensando
BUY buy buying purchase bought ordered_from place_an kaufen kaufe bestelle bestellen comprar compro acheter achete comprare compro_adesso ordinare
SITE website site page app link checkout basket cart form portal error crash* loads browser webseite seite formular fehler absturz* warenkorb kasse pagina carrito formulario error enlace aplicacion panier formulaire erreur appli lien plante pagina carrinho formulario erro aplicativo sito carrello modulo errore applicazione
LABELSLIP label labels slip qr printer print barcode retourenschein etikett aufkleber drucker etiqueta impresora pegatina etiquette bordereau imprimante etiqueta impressora autocolante etichetta stampante adesivo modulo_di
GIFT gift present birthday wedding christmas anniversary geschenk geburtstag hochzeit weihnachten regalo cumpleanos boda navidad cadeau anniversaire mariage noel presente aniversario casamento natal regalo compleanno matrimonio natale
MODEL one_instead different_one another_one new_one bigger_one smaller_one right_one correct_one ein_neues andere_grosse richtige_grosse otro otra nuevo nueva un_autre une_autre nouveau neuf neuve outro outra novo nova altro altra nuovo nuova
SELF i my me mine we our ich mein meine meinen meinem meiner mir mich wir unser* yo mi mis me nosotros nuestr* je mon ma mes moi nous notre eu meu minha meus minhas me nos nosso mio mia miei mie io ci nostro
YOU you your yours sie ihr ihre ihren euch euer eure du dein* ustedes su sus vosotros usted vous votre vos tu ton voce voces vosso vossa seu sua vostro vostra voi lei suo
PORTION half part partial rest remaining remainder other_half some halfte teil rest mitad parte resto moitie partie reste metade restante meta parte
DIFFERENT different unlike nothing_like other_color shade anders verschieden distint* diferent* nada_que rien_a differen* nada_a divers* non_c_entra
STOP stop unsubscribe end quit pause_my kundigen abbestellen beenden baja dar_de parar resilier arreter desabonner parar encerrar disdire fermare disiscriv*
TRUST real genuine scam_mail phishing legit original authentic echt falschung original autentic* verdadero vrai veritable authentique verdadeir* vero vera autentic*
HUMANTASK phone_number telephone hotline line telefon* nummer telefono numero_de numero telephone telefone
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
