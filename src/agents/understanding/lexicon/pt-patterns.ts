/** Portuguese sentences: lower case, no accents, no apostrophes. */
import type { Patterns } from "./lexicon.ts";

export const PORTUGUESE_PATTERNS: Patterns = {
  withdraws: [
    / (?:retiro|retirar|fechem|feche|fechar)(?: \S+){0,3} (?:pedido de reembolso|devolucao|reembolso|estorno) | nao preciso?a?(?: \S+){0,4} (?:reembolso|devolucao|estorno) /,
    / (?:cancel\S*|anul\S*|esque\S*|nao facam|desist\S*|parem)(?: \S+){0,3} (?:devolucao|reembolso|estorno|troca) /,
  ],
  general: [
    / (?:quanto tempo (?:demora|leva)(?: \S+){0,3} (?:entrega|envio|frete|chegar um)|qual (?:e )?o prazo de entrega|(?:prazos?|custos?|portes|valor|preco) d[eo] (?:entrega|envio|frete)|quanto (?:custa|e)(?: \S+){0,2} (?:frete|envio|entrega)|(?:entregam|enviam|mandam) (?:em|no|na|para)|fazem entregas) /,
  ],
  howItStands: [
    / (?:ja esta|esta)(?: \S+){0,2} (?:feito|pronto|aprovado|confirmado|resolvido|concluido) | (?:ha|alguma|tem|alguma) (?:novidade|novidades|noticia|noticias)\b| (?:como esta isso|como vai|em que pe|em que ponto|e agora|continuo a espera|continuo esperando) |^ (?:estado|status)(?: \S+)? $/,
  ],
  legal: [
    / (?:entro com acao|abrir (?:um )?processo|queixa(?: \S+){0,4} policia) /,
    / (?:advogad[oa]s?|processar (?:voces|vos|a loja|a empresa|esta|essa|judicialmente|na justica)|processo voces|vou (?:vos )?processar (?:voces|a)|processo judicial|na justica|a justica|acao judicial|accao judicial|medidas (?:legais|judiciais)|juizado|pequenas causas|procon|reclame aqui|livro de reclamacoes|codigo de defesa do consumidor|defesa do consumidor|direitos do consumidor|deco proteste|(?:a|na) deco|asae|tribunal|queixa crime) /,
    / (?:contestar|contesto|contestacao)(?: \S+){0,4} (?:cobranca|compra|pagamento|banco|cartao) | chargeback /,
    / (?:lgpd|rgpd) | (?:apag\S+|elimin\S+|exclu\S+)(?: \S+){0,4} (?:meus dados|minha conta|dados pessoais) | dados pessoais /,
    / (?:policia|delegacia|gnr|psp|boletim de ocorrencia) /,
  ],
  noThreat: [
    / (?:sou|e|como) (?:um |uma )?advogad[oa] | (?:presente|fato|terno|livro|pasta)(?: \S+){0,3} advogad[oa] | (?:sem|nao)(?: \S+){0,2} (?:advogados?|tribunal) /,
  ],
  safety: [
    / (?:me matar|matar me|suicid\S+|tirar a (?:minha )?vida|quero morrer|me machucar|vou matar|nao quero mais viver|fazer mal a mim) /,
    / (?:pegou fogo|pegar fogo|em chamas|incend\S+|explodiu|explodi\S+|me queimei|queimei me|queimou|queimadura\S*|choque eletrico|choque electrico|levei um choque|reacao alergica|hospital|urgencias|me cortei|cortei me|ferid[oa]|machuquei|machucou|lesao|intoxic\S+|engasg\S+) /,
    / (?:bateria|carregador)(?: \S+){0,4} (?:inchad[oa]|fumaca|fumo|derretid[oa]|derreteu|superaquec\S+) /,
  ],
  person: [
    / (?:tem|ha)(?: \S+){0,2} (?:gente|pessoas?|humanos?)(?: \S+){0,2} (?:verdade|ai|real) | alguem(?: \S+)? que (?:possa|pode|decida)(?: \S+){0,3} /,
    / (?:uma pessoa|um humano|humano)(?: \S+)? (?:ja|agora) | respostas automaticas(?: \S+){0,3} (?:pessoa|humano) | (?:o seu|seu) (?:chefe|gerente|superior) | ligue(?: \S+){0,3} atendente /,
    / (?:falar|falo|passa\w*|transfer\w+|conversar|atendid[oa]|chama\w*)(?: \S+){0,5} (?:pessoa|humano|alguem|atendente|gerente|responsavel|operador\w?|supervisor|funcionario) | (?:atendente|humano|pessoa real|operador|assistente humano)(?: \S+)? (?:por favor|pfv) | me (?:liguem|liga|ligar|ligue|ligam) | (?:liguem|ligue) me /,
    / (?:quero|queria|preciso|prefiro|gostaria)(?: de)? (?:um |uma )(?:atendente|humano|pessoa|operador|pessoa real|ser humano) | (?:pessoa|gente) (?:real|de verdade) | atendimento humano /,
    /^ (?:um |uma )?(?:atendente|humano|pessoa|operador|gerente)(?: humano| real| por favor)* $/,
  ],
  noPerson: [
    / (?:nao|sem)(?: (?:quero|preciso|precisa))*(?: (?:de|falar|com|um|uma|nenhum|nenhuma))* (?:atendente|humano|pessoa|operador|ninguem) /,
  ],
  identity: [
    / (?:voce e|es|e voce|voce seria|estou falando com|estou a falar com|falo com)(?: \S+){0,2} (?:bot|robo|robot|maquina|humano|humana|pessoa|real|ia|chatbot) | quem (?:e voce|es tu) /,
  ],
  whatCanYouDo: [
    / (?:o que (?:voce |voces )?(?:pode|podem|sabe|faz|podes) ?(?:fazer)?|como (?:voce |voces )?(?:pode|podem|podes)(?: \S+)? ajudar) /,
  ],
  wantsDone: [
    / (?:cobrad[oa]|cobraram|debitado|troc\S*|substitu\S*|cancel\S*|anul\S*|mudar|alter\S*|atualiz\S*|corrig\S*|senha|palavra passe|login|adicion\S*|remov\S*|errad[oa]) /,
  ],
  legalHint: [/ (?:um processo|processar) /],
};
