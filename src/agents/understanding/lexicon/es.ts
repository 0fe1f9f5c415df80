/** Spanish, of Spain and of Latin America. */
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
};
