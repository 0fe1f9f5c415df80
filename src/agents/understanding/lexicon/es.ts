/** Spanish, of Spain and of Latin America. */
import { SPANISH_PATTERNS } from "./es-patterns.ts";
import { SPANISH_PRODUCTS } from "./es-products.ts";
import type { Lexicon } from "./lexicon.ts";

export const SPANISH: Lexicon = {
  language: "es",
  answers: {
    yes: `sí|sip|claro|claro que sí|por supuesto|por supuesto que sí|desde luego|vale|de acuerdo|estoy de acuerdo|
      conforme|estoy conforme|adelante|sí adelante|hazlo|hágalo|háganlo|hacedlo|sí hazlo|sí hágalo|sí quiero|
      sí lo quiero|eso quiero|confirmo|lo confirmo|sí confirmo|confirmado|confirmar|acepto|lo acepto|sí acepto|
      aceptado|correcto|es correcto|exacto|exactamente|eso es|así es|está bien|me parece bien|me va bien|
      me viene bien|procede|proceda|procedan|proceded|por mí bien|seguro|con gusto|pues sí|pues claro|okey|dale|
      dale sí|venga sí|apruebo|aprobado`,
    no: `no|no no|no gracias|mejor no|ahora no|por ahora no|de momento no|por el momento no|todavía no|aún no|
      nunca|jamás|para nada|en absoluto|ni hablar|de ninguna manera|de ningún modo|cancela|cancelar|cancele|
      cancélalo|cancélelo|cancelen|anular|anúlalo|anúlelo|déjalo|déjelo|déjenlo|déjalo así|déjelo así|
      déjalo estar|no lo hagas|no lo haga|no lo hagan|no lo hagáis|no hagas eso|no haga eso|no hagan nada|
      no hagas nada|no haga nada|no quiero|no lo quiero|no quiero eso|no hace falta|olvídalo|olvídelo|olvídenlo|
      detente|deténgase|para|pare|paren|alto|he cambiado de opinión|cambié de opinión|he cambiado de idea|
      cambié de idea|cambié de parecer|ya no|ya no quiero|ya no lo quiero|prefiero que no|que no|pues no|
      claro que no|por supuesto que no|desde luego que no|no acepto|no estoy de acuerdo|no confirmo|negativo`,
    courtesy: `por favor|porfa|porfavor|gracias|muchas gracias|mil gracias|muchísimas gracias|perfecto|genial|
      estupendo|excelente|buenísimo|fenomenal|bueno|bien|muy bien|hola|buenas|buenos días|buenas tardes|
      buenas noches|muy amable`,
    neither:
      "no pasa nada|no hay problema|no importa|no sé|no lo sé|no estoy seguro|no estoy segura|si no|sí y no",
  },
  words: {
    where: "dónde|adónde|a dónde|en dónde|por dónde",
    when: "cuándo|cuando|para cuándo|qué día|en qué fecha",
    howLong:
      "cuánto tiempo|cuántos días|cuánto tarda|cuánto tardan|cuánto se tarda|cuánto plazo|qué plazo|cuánto demora|cuánto demoran",
    how: "cómo",
    order: "pedido|pedidito|orden|paquete|paquetito|envío|encargo|compra|entrega|mercancía|encomienda",
    orders: "pedidos|órdenes|paquetes|envíos|compras|encargos",
    money: "dinero|plata|importe|lana|monto|pasta|lo que pagué|lo pagado|centavo",
    shipping: "envío|envíos|gastos de envío|costes de envío|costos de envío|entrega|despacho|flete",
    cost: "cuesta|cuestan|coste|costo|costes|gastos|precio|cobran|vale el|valen los",
    refund: `reembols*|reintegro|reintegrar|reintegren|abonar|abonen|abono|refund|devolución del dinero|
      devolución de mi dinero|devolución del importe|devolución de dinero|devolución del pago`,
    refunded:
      "reembolsado|reembolsada|reembolsados|reembolsadas|reembolsaron|reintegrado|abonado|abonaron|reembolsasteis",
    return: `devolución|devoluciones|retornar|regresar la|regresar el|regresar los|regresar las|regresarlo|regresarla|
      hacer una devolución|de vuelta el paquete|desistir|desistimiento|retorno|etiqueta de devolución|
      va de vuelta|van de vuelta`,
    returned:
      "devuelto|devuelta|devueltos|devueltas|devolví|devolvimos|he devuelto|ya devolví|mandé de vuelta|envié de vuelta",
    giveBack: "devolución|devoluciones|devolver*|devuelv*|devolved*|devolv*|regresar",
    repay: `devuelvan*|devuélvan*|devuelvam*|devuélvam*|devuélveme|devuelvame|devolvedme|devolverme|me devuelven|
      me devuelvan|me devuelve|me devolváis|me devolvéis|me devuelvas|devuelvanlo|devuelvanmelo|regresen el|
      regresen mi|regrésenme|regrésame|regresarme|reintégrenme|reviertan`,
    give: "denme|dadme|dame|paguen|páguenme|ingresen|ingresadme|depositen|deposítenme|transfieran|darme",
    back: "de vuelta|atrás|de regreso|de nuevo a ustedes",
    send: "enviar|envío|envíen|mandar|mando|manden|mandarlo|mandarla|enviarlo|enviarla|recojan|recoger|recogida|enviarles",
    exchange: `cambiar*|cambio|cambien|cámbie*|cambios|canjear|sustituir|sustitución|reemplaz*|reemplazo|otra talla|otro color|
      talla más grande|talla más pequeña|una talla mayor|una talla menor|otro tamaño`,
    cancel: "cancel*|anul*|anular|anulación|cancela|cancelar|cancele|cancelen|cancelo|cancelación",
    compensation: "compensación|compensar|indemnización|indemnizar|descuento por las molestias",
    goodwill: `compensación|compensar|molestias|descuento|rebaja|gesto|parcial|parcialmente|diferencia de precio|inconveniente|inconvenientes|retraso|dañad*|indemnización|disculpa`,
    outside: `factura|facturas|recibo|iva|contraseña|iniciar sesión|cupón|cupones|código promocional|código de descuento|
      descuento|newsletter|boletín|suscripción|darme de baja|reparar|reparación|garantía|igualar el precio|tarjeta regalo|
      en stock|hay stock|disponible|disponibilidad|venden|vendéis|guía de tallas|horario|horarios|recomiend*|mi cuenta`,
    charged: "cobrado|cobraron|cobrasteis|cargado|cargaron|cargo|cobro|pagado|facturado",
    twice: "dos veces|doble|duplicado|de más|por duplicado",
    change: "cambiar|modificar|actualizar|corregir|cambio de|cambien|equivocad*|editar",
    address: "dirección|domicilio|dirección de envío|correo|teléfono|número de teléfono",
    want: `quiero|quisiera|querría|me gustaría|necesito|deseo|exijo|puedo|podría|podrían|podrías|pueden|puede|puedes|
      podéis|solicito|solicitar|pido|quería|queremos|pretendo|voy a|me pueden|me podéis|quiere`,
    please: "por favor|porfa|porfavor",
    arrive: `llegar|llegado|llega|llegan|llegó|llegará|llegue|llegaron|recibido|recibir|recibí|recibo el|recibiré|reciba|
      entregado|entregar|entregan|entregaron|entregarán|viene|aparece|apareció|visto|veo|ingresado|recibieron|
      recibisteis|me llega|me ha llegado|debía haber llegado|debería haber llegado|debía llegar|tenía que llegar|
      tendría que haber llegado|debió llegar`,
    ship: "enviado|enviaron|enviasteis|salió|ha salido|despachado|despacharon|en camino|expedido|mandaron|mandado|sale|en reparto",
    track:
      "seguimiento|rastre*|tracking|localizar|localizador|número de guía|guía|trackear|número de seguimiento",
    status: `estado|estatus|status|situación|qué pasó con|qué pasa con|qué ha pasado con|qué hay de|en qué quedó|
      fecha de entrega`,
    news: "novedad|novedades|noticia|noticias|información|info|actualización",
    late: `tarde|retraso|retrasado|retrasada|retrasos|demora|demorado|atrasado|atrasada|retrasa|debía haber llegado|
      debería haber llegado|debía llegar|tenía que llegar|tendría que haber llegado|debió llegar`,
    lost: "perdido|perdida|extraviado|extravió|robado|robaron|desaparecido|perdió|extraviada",
    wait: "espero|esperando|esperar|espera|llevo esperando|llevamos esperando",
    says: "dice|pone|aparece|figura|consta|según|marca",
    delivered: "entregado|entregada",
    is: "está|están|anda|queda|quedó|es|son|va|se encuentra|sigue",
    have: "he|ha|han|habéis|hemos|hay|tengo|fue|sido|había|has",
    my: "mi|mis|nuestro|nuestra",
    show: "muestr*|enséñ*|enseñ*|ver|lista|listado|cuáles|mostrar|todos",
    policy: `política|políticas|condiciones|normas|plazo de devolución|plazo para devolver|plazo de devoluciones|
      política de devolución|política de devoluciones|términos|derecho de desistimiento|reglas`,
    must: "tengo que|debo|hay que|tenemos que",
    accepts: `aceptan|aceptáis|se aceptan|admiten|ofrecen|ofrecéis|existe|se puede|cómo funciona|cómo funcionan|cómo es|
      hacen devoluciones|se pueden|se podría|duda sobre|dudas sobre|pregunta sobre|consulta sobre`,
    whoPays: "quién paga|quién asume|a cargo de quién",
    delivers: "envían a|enviáis a|hacen envíos|hacéis envíos|entregan en|mandan a|realizan envíos",
    not: "no|nunca|jamás|sin|tampoco|nada|ni|ningún|ninguna",
    still: "todavía|aún|sigo|sigue|seguimos|aun",
    already: "ya|ya está",
    anymore: "ya no|más",
    instead: "en vez de|en lugar de",
    and: "y|e|o|más|u",
    clause: "y|pero|luego|después|porque|pues|aunque|además|también|así que|sino|entonces",
    broken: `roto|rota|rotos|rotas|dañad*|defectuos*|estropead*|rasgad*|rayad*|mancha|manchad*|agujero|agujeros|quebrad*|
      averiad*|descosid*|se rompió|se ha roto|rompieron|inservible|golpead*|fallad*`,
    wrong: "equivocad*|incorrect*|erróne*|no es lo que|otro producto|otra cosa",
    rejected: "rechaz*|negaron|denegad*|denegaron",
    missing: "falta|faltan|faltaba|faltaban|incompleto|incompleta",
    too: "demasiado|demasiada|muy|queda|quedan|quedó|tan|bastante",
    small: "pequeñ*|chic*|estrech*|apretad*|cort*|justo|justa|chica|chico",
    big: "grande|grandes|anch*|larg*|holgad*|enorme|grandísim*",
    fit: "me vale|me valen|me sirve|me sirven|mi talla|me entra|me entran|sirve",
    works: "funciona|funcionan|funcionaba|enciende|carga|anda|prende|va bien",
    described: `como se describe|como en la foto|como en la imagen|la descripción|lo que pedí|lo que esperaba|lo descrito|
      como esperaba|como aparece|lo que compré`,
    dislike: "me gusta|me gustan|me convence|me gustó",
    mistake: "por error|por equivocación|sin querer|me equivoqué",
    changedMind: `cambiado de opinión|cambié de opinión|cambié de idea|cambiado de idea|cambié de parecer|me arrepentí|
      me he arrepentido|arrepentido|ya no lo quiero|ya no la quiero|ya no los quiero|ya no las quiero|
      ya no quiero`,
    noReason:
      "sin motivo|ningún motivo|ninguna razón|sin razón|prefiero no decir|no quiero decir|no les importa|no importa",
    forget: `olvídalo|olvídelo|olvídenlo|olvidadlo|déjalo|déjelo|déjenlo|dejadlo|mejor no|da igual|no hace falta|
      ya no hace falta|no lo hagas|no lo haga|no lo hagan|no sigas|espera no|no espera|no espere|olvida eso|
      olvídate`,
    stop: "para|pare|paren|parad|stop|alto|detente|deténgase|detengan|cancela|cancelar|cancele|cancelen|espera|espere|basta|anular",
    angry: `vergüenza|vergonzos*|inaceptable|estafa*|ladron*|pésim*|peor|horribl*|terribl*|ridícul*|indignad*|indignante|hart*|
      decepcion*|furios*|enfadad*|enojad*|asco|mierda|incompetent*|desastre|fatal|lamentable|timo|nunca más|jamás volveré|
      queja|quejarme|reclamación|molest*|porquería|cabread*|una burla|tomadura de pelo|inútil*`,
    again: "otra vez|de nuevo|nuevamente|inténtalo|reintentar|vuelve a intentarlo|intenta",
    yes: "sí|claro|vale|ok|okay|adelante|correcto|exacto|por supuesto|de acuerdo|dale",
    no: "no|no gracias|mejor no",
    thanks: "gracias|muchas gracias|mil gracias|genial|perfecto|estupendo|excelente|fenomenal|buenísimo",
    bye: "adiós|hasta luego|hasta pronto|chao|chau|nos vemos|buen día|que tengas|que tenga|buen fin de semana",
    greeting: "hola|buenas|buenos días|buenas tardes|buenas noches|qué tal|saludos|muy buenas",
    help: "ayuda|ayúdame|ayúdenme|necesito ayuda|me puedes ayudar|me pueden ayudar|me ayudas|tengo una pregunta|tengo una duda|una consulta",
    latest: "último|última|últimos|últimas|más reciente|reciente|el pasado",
    oldest: "más antiguo|más antigua|más viejo|primerísimo",
    other: "otro|otra|el otro|la otra",
    number: "número|nº|núm|num|nro",
    placed: "pedí|pedimos|compré|compramos|hice|hicimos|encargué|comprado",
    otherNumber: `talla|modelo|teléfono|tel|móvil|cp|código|desde|año|enero|febrero|marzo|abril|mayo|junio|julio|agosto|
      septiembre|octubre|noviembre|diciembre|guía|seguimiento|cliente`,
    period: "semana|semanas|mes|meses|año|vez|día|días|noche|viernes|lunes",
    today: "hoy|de hoy",
    yesterday: "ayer|de ayer",
    dayBefore: "anteayer|antes de ayer|antier",
    whole: `todo|todo el pedido|toda la compra|todo mi pedido|pedido completo|pedido entero|completo|completa|el total|
      entero|todos los artículos|todas las cosas|importe total|reembolso total|reembolso completo|por completo|todita`,
    every: "todos|todas|cada|los tres|las tres",
    both: "ambos|ambas|los dos|las dos",
    also: "también|además|y también|igualmente",
    one: "un|una|uno|único|única|otro",
    pair: "par",
    pairs: "pares",
    between:
      "de|los|las|el|la|mis|mi|esos|esas|estos|estas|del|unidades|unidad|piezas|nuevos|nuevas|otros|otras",
    except: "excepto|menos|salvo|sin|a excepción de|quitando",
    keep: "me quedo|me lo quedo|me la quedo|me los quedo|me las quedo|quedarme|me quedaré|conservar|conservo|quedármelo|quedármela|quedármelos|quedarme con|quédense",
    only: "solo|sólo|solamente|únicamente|nomás|nada más",
    currency: "euro|euros|eur|dólar|dólares|usd|libras|gbp|pesos|mxn|pavos",
    of: "de|del|por|para|en|solo|los|me|con|sobre",
    elsewhere: `vale de compra|bono|crédito de tienda|crédito en tienda|tarjeta regalo|paypal|efectivo|otra cuenta|
      otra tarjeta|tarjeta nueva|cuenta nueva|cuenta bancaria|iban|bizum|transferencia|bitcoin`,
    terms: `qué tarjeta|cuál tarjeta|a qué tarjeta|qué cuenta|a qué cuenta|a dónde va|cuánto es|cuánto sería|cuánto dinero|
      qué quieres decir|qué significa|qué exactamente|a cuánto|mi tarjeta|mi cuenta`,
    found: "encontrado|encontré|apareció|ya lo tengo|ya la tengo|vecino lo tenía|vecino",
    contest: `injusto|injusta|no es justo|excepción|pero|por qué|porque|aun así|de todas formas|colega|compañero|
      no estoy de acuerdo|mal|pregunta|pregunte|pregunten`,
    accepted:
      "vale|ok|okay|entiendo|entendido|comprendo|está bien|bueno|de acuerdo|gracias|bien|lástima|ya veo",
  },
  patterns: SPANISH_PATTERNS,
  numbers: "cero|uno, un, una|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez",
  ordinals: `primero, primera, primer|segundo, segunda|tercero, tercera, tercer|cuarto, cuarta|quinto, quinta|último, última`,
  products: SPANISH_PRODUCTS,
  compounds: false,
  plain: `no sé|no lo sé|no entiendo|no estoy seguro|no estoy segura|no comprendo|yo|tú|él|ella|ellos|ustedes|usted|vosotros|nosotros|me|te|se|lo|la|los|las|le|les|nos|os|el|un|una|unos|unas|al|del|
    de|a|en|con|por|para|desde|hasta|hace|hacia|entre|sobre|si|que|qué|quién|cual|cuál|como|muy|más|menos|tan|tanto|mucho|
    mucha|muchos|poco|esto|esta|este|estos|estas|eso|esa|ese|esos|esas|aquí|ahí|allí|ahora|hoy|mañana|ayer|semana|semanas|
    día|días|mes|meses|hora|horas|ser|soy|eres|somos|estoy|estás|estaba|era|ser|hacer|hago|haz|hace|hacen|hizo|hice|tener|
    tengo|tiene|tienen|tuve|decir|dije|saber|sé|saben|comprar|compré|compramos|comprado|pedí|pedido|artículo|artículos|
    producto|productos|cosa|cosas|talla|color|señor|señora|estimados|buen|buena|gracias|favor|la tienda|en la tienda|en su tienda|en vuestra tienda|tienda online|la tienda online|de la tienda|su tienda|vuestra tienda|vez|algo|alguien|así|
    porque|cuanto|cuánto|cuántos|gran|además|donde|cuando|unos|su|sus|tu|tus|nuestro|mismo|misma|hay problema|
    sobre todo|todo el día|eso es todo|es todo|no pasa nada|no hay problema|no importa|todo bien|de nada|español|otra cosa más|quizás|
    tal vez|correo|entonces|ni|o sea|pues|bueno|parte`,
  short: `q=que|k=que|xq=porque|pq=porque|porfis=por favor|tb=también|tmb=también|pa=para|dnd=dónde|x=por|d=de|
    msj=mensaje|ntp=no te preocupes|grax=gracias|xfa=por favor|xfavor=por favor|porfavor=por favor`,
  elided: "",
  spelled: `reembolso|reembolsar|reembolsen|devolución|devolver|devuelvan|dinero|pedido|pedidos|paquete|seguimiento|
    entrega|recibido|llegado|cancelar|cambiar|abogado|persona|agente|humano|dañado|calcetines|camiseta`,
};
