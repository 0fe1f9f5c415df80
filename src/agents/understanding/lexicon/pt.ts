/** Portuguese, of Portugal and of Brazil. */
import type { Lexicon } from "./lexicon.ts";

export const PORTUGUESE: Lexicon = {
  language: "pt",
  answers: {
    yes: `sim|sim sim|siim|claro|claro que sim|com certeza|certo|está certo|tá certo|certeza|tá bom|tá bem|está bem|
      está bom|está ótimo|pode|pode sim|sim pode|podem|podem sim|pode fazer|podem fazer|pode prosseguir|
      pode seguir|pode avançar|pode confirmar|pode continuar|faça|faz|faça isso|faz isso|façam|façam isso|
      podes fazer|podes avançar|avance|avança|avancem|prossiga|prossigam|confirmo|eu confirmo|sim confirmo|
      confirmado|confirmar|aceito|eu aceito|sim aceito|aceite|concordo|eu concordo|de acordo|estou de acordo|
      combinado|fechado|isso mesmo|é isso|é isso mesmo|é isso aí|exato|exatamente|exactamente|correto|correcto|
      está correto|quero|quero sim|sim quero|sim eu quero|eu quero|positivo|beleza|blz|por mim tudo bem|
      com todo o gosto|aprovado`,
    no: `não|não não|naum|não obrigado|não obrigada|obrigado não|não quero|eu não quero|não quero isso|não quero mais|
      já não quero|não precisa|não precisa mais|não é preciso|não é necessário|deixa|deixe|deixa pra lá|
      deixa para lá|deixe pra lá|deixa estar|deixe estar|esquece|esqueça|esqueçam|cancela|cancele|cancelar|
      cancelem|anular|anule|para|pare|parem|não faça|não faça isso|não façam|não façam isso|não faz|não faças|
      melhor não|é melhor não|agora não|por enquanto não|por agora não|ainda não|nunca|jamais|
      de jeito nenhum|de maneira nenhuma|de forma alguma|de modo algum|de modo nenhum|nem pensar|mudei de ideia|
      mudei de ideias|mudei de opinião|prefiro não|prefiro que não|negativo|desisto|desisti|não concordo|
      não aceito|não confirmo|claro que não|com certeza não|nada disso`,
    courtesy: `por favor|pfv|pf|por gentileza|se faz favor|sff|obrigado|obrigada|muito obrigado|muito obrigada|obg|brigado|
      brigada|valeu|agradeço|ótimo|óptimo|perfeito|excelente|maravilha|que bom|bom|bem|muito bem|olá|oi|bom dia|
      boa tarde|boa noite`,
    neither:
      "não tem problema|sem problema|não sei|não tenho certeza|sim e não|sim ou não|tudo bem|pois não|pois sim",
  },
};
