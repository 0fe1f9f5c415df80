/** Spanish sentences: lower case, no accents, no apostrophes. */
import type { Patterns } from "./lexicon.ts";

export const SPANISH_PATTERNS: Patterns = {
  withdraws: [
    / (?:retiro|retirar|cierren|cierre|cerrar|cerrad)(?: \S+){0,3} (?:solicitud|devolucion|reembolso) | ya no (?:necesito|hace falta)(?: \S+){0,2} (?:devolucion|reembolso) /,
    / (?:cancel\S*|anul\S*|no hagan|no hagais|detengan|olviden|olvida|paren|parad|ya no quiero)(?: \S+){0,3} (?:devolucion|reembolso|cambio) /,
  ],
  general: [
    / (?:cuanto (?:tiempo )?(?:tarda|tardan|demora|demoran)(?: \S+){0,3} (?:envio|envios|entrega|pedidos|llegar un|llegar los)|cuanto (?:cuesta|cuestan|vale)(?: \S+){0,3} (?:envio|envios|entrega)|(?:gastos|costes|costos|plazos?|tiempos?) de (?:envio|entrega)|(?:envian|enviais|hacen envios|haceis envios|entregan) (?:a|en) ) ?/,
  ],
  howItStands: [
    / (?:ya esta|esta ya)(?: \S+){0,2} (?:hecho|listo|aprobado|confirmado|resuelto) | (?:hay|alguna|tienen|teneis) (?:novedad|novedades|noticia|noticias)\b| (?:como va|como vamos|que tal va|en que quedo|sigo esperando|ya se hizo|se ha hecho ya) |^ estado(?: \S+)? $/,
  ],
  legal: [
    / (?:presento demanda|accion judicial) /,
    / (?:abogad[oa]s?|demandar\S*|demanda judicial|una demanda|denunciar\S*|denuncio|denuncia|juzgados?|tribunal(?:es)?|acciones legales|medidas legales|via (?:judicial|legal)|hojas? de reclamacion\S*|facua|omic|ocu|profeco|sernac|indecopi|defensa del consumidor|oficina del consumidor|proteccion al consumidor|juicio|querella) /,
    / (?:contracargo|retroceder el cargo|devolver el recibo|disputar? (?:el|este) (?:cargo|pago)|reclamar(?: \S+){0,2} (?:banco|visa|mastercard)) /,
    / (?:rgpd|lopd|proteccion de datos|agencia de proteccion)(?: \S+)* | (?:borr\S+|elimin\S+|suprim\S+)(?: \S+){0,3} (?:mis datos|mi cuenta|datos personales) /,
    / (?:policia|guardia civil|fiscalia) /,
  ],
  noThreat: [
    / (?:soy|es|como) (?:un |una )?abogad[oa] | (?:regalo|traje|maletin|libro)(?: \S+){0,3} abogad[oa] | (?:sin|no)(?: \S+){0,2} (?:abogados?|denuncia) /,
  ],
  safety: [
    / (?:matarme|suicid\S+|quitarme la vida|hacerme dano|quiero morir\S*|no quiero vivir|los voy a matar|os voy a matar|te voy a matar|voy a matar) /,
    / (?:se incendio|prendio fuego|se prendio|en llamas|exploto|explotado|ha explotado|me quemo|me he quemado|quemaduras?|electrocut\S+|descarga electrica|me dio corriente|reaccion alergica|hospital|urgencias|me corte|herid[oa]|lesion\S*|intoxic\S+|me atragante) /,
    / (?:bateria|cargador)(?: \S+){0,4} (?:hinchad[oa]|humo|derretid[oa]|sobrecalent\S+|ardiendo) /,
  ],
  person: [
    / (?:hay|habra)(?: \S+){0,2} (?:gente|personas?|humanos?|alguien)(?: \S+){0,2} (?:real|verdad|ahi|atienda) | alguien(?: \S+)? que (?:pueda|puede|decida) /,
    / (?:una persona|un humano)(?: \S+)? (?:ya|ahora) | respuestas automaticas(?: \S+){0,3} persona | (?:su|tu|al) (?:jefe|encargado) | (?:llame|llamen)(?: \S+){0,3} (?:asesor|agente|telefono) /,
    / (?:habl\w+|comunic\w+|pas\w+|contact\w+|atend\w+|pon\w+|transfier\w+)(?: \S+){0,5} (?:persona|humano|alguien|agente|asesor\w?|encargad[oa]|responsable|supervisor\w?|operador\w?|operadora|ejecutivo|gerente|jefe|atencion al cliente) /,
    / (?:agente|persona real|humano|asesor|operador|operadora)(?: humano)? (?:por favor|porfa|ya) | (?:quiero|necesito|prefiero|deseo) (?:un |una |a un |a una )(?:persona|humano|agente|asesor|operador|operadora|ser humano)(?: real| de verdad| humano)? /,
    / (?:llamenme|llamame|me llamen|me llames|me pueden llamar|que me llame) | (?:persona|gente) (?:real|de verdad|de carne y hueso) /,
    /^ (?:por favor )?(?:un |una )?(?:agente|operador|operadora|humano|persona|asesor|encargado|supervisor)(?: humano| real| por favor| ya)* $/,
  ],
  noPerson: [
    / (?:no|sin)(?: (?:quiero|necesito|deseo|hace|falta))*(?: (?:hablar|comunicarme|con|un|una|a|ningun|ninguna))* (?:agente|persona|humano|asesor|nadie) /,
  ],
  identity: [
    / (?:eres|es usted|usted es|estoy hablando con|hablo con)(?: \S+){0,2} (?:bot|robot|maquina|humano|humana|persona|real|ia|chatbot) | quien eres | que eres /,
  ],
  whatCanYouDo: [
    / (?:que (?:puedes|sabes|podeis|pueden) hacer|en que (?:me )?(?:puedes|pueden|podeis) ayudar\S*|como funciona este chat) /,
  ],
  wantsDone: [
    / (?:cobrad[oa]|cobraron|cargado|cambiar|cambio|cambien|reemplaz\S*|cancel\S*|anul\S*|modific\S*|actualiz\S*|correg\S*|contrasena|iniciar sesion|anadir|agregar|quitar|equivocad[oa]) /,
  ],
};
