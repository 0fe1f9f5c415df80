/** Portuguese, of Portugal and of Brazil. */
import type { Lexicon } from "./lexicon.ts";
import { PORTUGUESE_PATTERNS } from "./pt-patterns.ts";
import { PORTUGUESE_PRODUCTS } from "./pt-products.ts";

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
  words: {
    where: "onde|onde é|aonde|cadê|por onde|onde é que",
    when: "quando|que dia|em que data|para quando",
    howLong:
      "quanto tempo|quantos dias|quanto demora|quanto leva|qual o prazo|qual é o prazo|em quanto tempo|quanto tempo demora|que prazo",
    how: "como",
    order: "pedido|encomenda|pacote|entrega|compra|envio|remessa|mercadoria",
    orders: "pedidos|encomendas|pacotes|compras|entregas",
    money: "dinheiro|grana|valor|montante|valor pago|o que paguei|o que pagamos",
    shipping: "frete|entrega|entregas|envio|portes|portes de envio|custos de envio",
    cost: "custa|custam|custo|custos|preço|taxa|grátis|gratuito",
    refund: `reembols*|estorn*|ressarc*|refund|devolução do dinheiro|devolução do valor|devolução do meu dinheiro|
      devolução do pagamento|restituição do valor|restituição do dinheiro`,
    refunded:
      "reembolsado|reembolsada|reembolsados|reembolsaram|estornado|estornada|estornaram|ressarcido|estornados",
    return: `devolução|devoluções|retornar o|trocas e devoluções|logística reversa|etiqueta de devolução|arrependimento|
      fazer uma devolução|vai de volta|vão de volta`,
    returned:
      "devolvido|devolvida|devolvidos|devolvidas|devolvi|devolvemos|já devolvi|mandei de volta|enviei de volta",
    giveBack: "devolução|devoluções|devolver*|devolv*|restituir|restituam|devolvo|devolvê",
    repay: `devolvam*|devolva|devolva me|me devolvam|me devolva|devolvem|me devolvem|devolverem|devolver me|me devolver|
      restituam`,
    give: "deem|dêem|paguem|paguem me|depositem|transfiram|dar me|me paguem|creditem",
    back: "de volta|para trás",
    send: "enviar|envio|mandar|mando|enviem|mandem|recolher|recolham",
    exchange: `trocar|troca|trocas|troque|trocá|troquem|substitu*|substituição|outro tamanho|outra cor|tamanho maior|
      tamanho menor|um número maior|um número menor`,
    cancel: "cancel*|cancela|cancelar|cancele|cancelem|cancelo|anular|anulação|anulem",
    compensation: "compensação|compensar|indeniz*|indemniz*|ressarcimento",
    goodwill: `compensação|compensar|incómodo|incômodo|transtorno|desconto|parcial|parcialmente|diferença de preço|atraso|gesto|danificad*|indenização|indemnização`,
    outside: `fatura|factura|nota fiscal|recibo|segunda via|senha|palavra passe|fazer login|login|cupom|cupão|cupons|
      código promocional|desconto|newsletter|assinatura|subscrição|descadastrar|conserto|consertar|reparação|reparar|garantia|
      em estoque|em stock|estoque|disponível|disponibilidade|vocês vendem|vendem|tabela de medidas|horário|loja física|
      recomend*|cartão presente|vale presente|minha conta de utilizador`,
    charged: "cobrado|cobrada|cobraram|debitado|debitaram|cobrança|pago|descontado|faturado",
    twice: "duas vezes|em dobro|dobro|duplicado|duplicada|a mais|em duplicado",
    change: "mudar|alterar|corrigir|atualizar|actualizar|modificar|alteração|errado|trocar o",
    address: "endereço|morada|endereço de entrega|telefone|número de telefone|email",
    want: `quero|queria|gostaria|gostava|preciso|desejo|exijo|posso|poderia|poderiam|podem|pode|podes|solicito|solicitar|
      peço|pretendo|queremos|consigo|vou querer|pediria|quería`,
    please: "por favor|pfv|por gentileza|se faz favor|faz favor",
    arrive: `chegar|chegou|chega|chegará|chegaram|chegado|recebi|receber|recebido|recebo|recebeu|receberam|recebemos|
      entregue|entregar|entregam|entregaram|apareceu|veio|vem|vejo|vi|caiu|cair|entrou|chegue|creditado|
      recebessem|devia ter chegado|deveria ter chegado|devia chegar|era para ter chegado|deveria chegar`,
    ship: "enviado|enviaram|enviada|despachado|despacharam|postado|saiu|a caminho|expedido|expedida|mandaram|em trânsito|seguiu",
    track:
      "rastre*|rastreio|rastreamento|código de rastreio|seguimento|tracking|localizar|acompanhar|código de rastreamento",
    status: `estado|status|situação|andamento|ponto de situação|que fim levou|o que aconteceu com|que aconteceu com|
      o que houve com|como está|data de entrega|data da entrega`,
    news: "novidade|novidades|notícia|notícias|informação|informações|atualização|info|retorno",
    late: `atrasado|atrasada|atraso|tarde|demora|demorado|demorando|atrasou|tardou|devia ter chegado|
      deveria ter chegado|devia chegar|era para ter chegado|deveria chegar`,
    lost: "perdido|perdida|extraviado|extraviada|extravio|sumiu|roubado|roubada|perdeu|desaparecido|desapareceu",
    wait: "espero|esperando|aguardo|aguardando|à espera|esperar|espera|aguardar",
    says: "diz|consta|aparece|mostra|marca|segundo|informa",
    delivered: "entregue|entregues",
    is: "está|estão|anda|ficou|é|são|foi|continua|encontra",
    have: "tenho|tem|têm|há|foi|foram|tinha|tiver|já",
    my: "meu|minha|meus|minhas|nosso|nossa",
    show: "mostr*|ver|lista|listar|quais|todos",
    policy: `política|políticas|condições|regras|prazo de devolução|prazo para devolver|prazo para devolução|prazo de troca|
      política de devolução|política de devoluções|política de troca|termos|direito de arrependimento|normas`,
    must: "tenho que|tenho de|preciso pagar|devo|é preciso|temos de",
    accepts: `aceitam|vocês aceitam|oferecem|existe|é possível|como funciona|como funcionam|fazem devoluções|
      há possibilidade|dá para|dá pra|pode se|podem ser|dúvida sobre|dúvidas sobre|pergunta sobre`,
    whoPays: "quem paga|quem assume|por conta de quem",
    delivers:
      "entregam em|entregam no|entregam na|enviam para|fazem entregas|fazem envios|vocês entregam|mandam para|entregam para",
    not: "não|nunca|jamais|sem|nem|nada|nenhum|nenhuma|tampouco",
    still: "ainda|continuo|continua|até agora",
    already: "já!|já está",
    anymore: "mais",
    instead: "em vez de|ao invés de|em vez do|ao invés do|em lugar de|no lugar de",
    and: "e|ou|mais",
    clause: "e|mas|porém|depois|porque|pois|então|embora|além disso|também|só que|logo",
    broken: `quebrad*|partid*|danificad*|defeito|defeituos*|estragad*|rasgad*|riscad*|manchad*|mancha|furad*|furo|buraco|
      avariad*|avaria|quebrou|partiu|rachad*|descosturad*|sujo|suja`,
    wrong: "errado|errada|errados|erradas|incorreto|incorrecto|trocado|trocada|outro produto|engano",
    rejected: "recus*|negaram|negad*|rejeit*",
    missing: "falta|faltam|faltou|faltando|faltava|incompleto|incompleta|em falta|faltaram",
    too: "demasiado|muito|demais|bastante|ficou|ficaram|um pouco",
    small: "pequen*|apertad*|curt*|estreit*|justo|justa",
    big: "grande|grandes|larg*|comprid*|enorme|folgad*|grandão",
    fit: "me serve|me servem|serve|servem|serviu|serviram|fica bem|coube|cabe|meu tamanho",
    works: "funciona|funcionam|funcionou|liga|carrega|anda",
    described: `como descrito|a descrição|como na foto|como na imagem|o que pedi|o que esperava|o que encomendei|conforme|
      à descrição|como anunciado|o que comprei`,
    dislike: "gostei|gosto|gostámos|gostamos|agradou",
    mistake: "por engano|por erro|sem querer|me enganei|enganei me",
    changedMind: `mudei de ideia|mudei de ideias|mudei de opinião|arrependi|me arrependi|arrependi me|já não quero|
      não quero mais|já não preciso|não preciso mais`,
    noReason:
      "sem motivo|nenhum motivo|nenhuma razão|sem razão|prefiro não dizer|não quero dizer|não interessa|não importa",
    forget: `esquece|esqueça|esqueçam|deixa pra lá|deixe pra lá|deixa para lá|deixe para lá|deixa estar|deixe estar|
      deixa|melhor não|tanto faz|não precisa|não precisa mais|não faça|não façam|não faça isso|não espera|
      espera não|não espere|desisto|desisti|afinal não`,
    stop: "para|pare|parem|stop|cancela|cancelar|cancele|cancelem|espera|espere|chega|aguarde|anular",
    angry: `vergonha|vergonhos*|inaceit*|absurdo|golpe|ladr*|burla|péssim*|pior|horrív*|terrív*|ridícul*|decepcion*|
      dececion*|desilud*|furios*|revoltad*|indignad*|lixo|merda|porcaria|incompetent*|desrespeito|palhaçada|nunca mais|
      reclamação|reclamar|queixa|enganad*|fraude|irritad*|raiva|insatisfeit*|descaso|desastre|inadmissível|chatead*`,
    again: "de novo|outra vez|novamente|tentar|tente|tenta",
    yes: "sim|claro|ok|okay|certo|pode|com certeza|isso mesmo|exato|correto|tá bom|está bem|beleza",
    no: "não|não obrigado|não obrigada|melhor não|agora não",
    thanks:
      "obrigado|obrigada|muito obrigado|muito obrigada|valeu|perfeito|ótimo|excelente|brigado|obg|maravilha|legal",
    bye: "tchau|adeus|até logo|até mais|até breve|bom fim de semana|boa noite|tenha um bom dia|xau",
    greeting: "olá|oi|bom dia|boa tarde|boas|oie|opa|e aí|tudo bem|alô",
    help: "ajuda|ajude me|me ajude|me ajuda|preciso de ajuda|podem me ajudar|pode me ajudar|pode ajudar me|uma dúvida|tenho uma dúvida|uma pergunta",
    latest: "último|última|últimos|últimas|mais recente|recente",
    oldest: "mais antigo|mais antiga|mais velho",
    other: "outro|outra|o outro|a outra",
    number: "número|nº|núm|nro",
    placed: "pedi|comprei|encomendei|fiz|comprado|compramos|encomendámos",
    otherNumber: `tamanho|modelo|telefone|tel|telemóvel|cep|código|desde|ano|janeiro|fevereiro|março|abril|maio|junho|julho|
      agosto|setembro|outubro|novembro|dezembro|rastreio|cliente`,
    period: "semana|semanas|mês|meses|ano|vez|dia|dias|noite|sexta|segunda feira",
    today: "hoje|de hoje",
    yesterday: "ontem|de ontem",
    dayBefore: "anteontem|antes de ontem",
    whole: `tudo|pedido todo|pedido inteiro|encomenda toda|encomenda inteira|toda a encomenda|todo o pedido|pedido completo|
      encomenda completa|valor total|reembolso total|reembolso completo|tudinho|completo|completa|inteiro|inteira|
      todos os itens|todos os artigos|todas as coisas|por completo`,
    every: "todos|todas|cada|os três|as três",
    both: "ambos|ambas|os dois|as duas",
    also: "também|além disso|igualmente|e ainda",
    one: "um|uma|único|única",
    pair: "par",
    pairs: "pares",
    between:
      "de|dos|das|do|da|os|as|o|a|meus|minhas|meu|minha|esses|essas|estes|estas|unidades|unidade|peças|novos|novas",
    except: "exceto|excepto|menos|salvo|sem|a não ser|à exceção de|fora",
    keep: "fico com|ficar com|ficarei com|vou ficar com|guardar|manter|mantenho|fico|quero ficar",
    only: "só|somente|apenas|unicamente|só mesmo",
    currency: "euro|euros|eur|reais|real|brl|dólar|dólares|usd|libras|gbp|paus|contos",
    of: "de|do|da|por|para|em|só|os|pelo|pela|com|sobre",
    elsewhere: `vale compras|vale compra|crédito na loja|crédito em loja|cartão presente|paypal|dinheiro vivo|outra conta|
      outro cartão|cartão novo|nova conta|conta bancária|iban|pix|mbway|transferência|bitcoin|voucher`,
    terms: `qual cartão|em que cartão|que cartão|qual conta|que conta|para onde vai|quanto é|quanto seria|quanto dinheiro|
      quanto vou receber|o que quer dizer|como assim|o que exatamente|qual o valor|qual valor|meu cartão|minha conta`,
    found: "encontrei|apareceu|achei|vizinho|com o vizinho|vizinha",
    contest: `injusto|injusta|não é justo|exceção|excepção|mas|por que|porquê|porque|mesmo assim|colega|discordo|
      não concordo|errado|pergunte|perguntem|absurdo`,
    accepted:
      "ok|okay|entendo|entendi|compreendo|está bem|tá bom|tudo bem|certo|obrigado|obrigada|bom|pena|beleza",
  },
  patterns: PORTUGUESE_PATTERNS,
  numbers: "zero|um, uma|dois, duas|três|quatro|cinco|seis|sete|oito|nove|dez",
  ordinals: `primeiro, primeira|segundo, segunda|terceiro, terceira|quarto, quarta|quinto, quinta|último, última`,
  products: PORTUGUESE_PRODUCTS,
  compounds: false,
  plain: `qual é|quem é|quando é|como é|não sei|não entendi|não entendo|não tenho certeza|não percebi|eu|tu|ele|ela|eles|elas|você|vocês|nós|me|te|se|lhe|lhes|o|a|os|as|um|uma|uns|umas|ao|aos|à|às|do|da|dos|das|no|na|
    nos|nas|num|numa|de|em|com|por|para|pra|pro|pelo|pela|desde|até|entre|sobre|que|quem|qual|quais|se|muito|muita|muitos|
    pouco|tanto|isto|isso|aquilo|este|esta|esse|essa|aquele|aquela|aqui|ali|lá|agora|hoje|amanhã|ontem|semana|semanas|dia|
    dias|mês|meses|hora|horas|anos|ser|sou|somos|estou|estava|era|fazer|faço|faz|fazem|fiz|fez|ter|tive|dizer|sei|sabem|
    saber|comprar|comprei|comprado|encomendei|pedi|artigo|artigos|produto|produtos|item|itens|coisa|coisas|tamanho|cor|
    senhor|senhora|prezados|cumprimentos|atenciosamente|boa|bom|loja|favor|vez|algo|alguém|assim|quanto|quantos|grande|
    seu|sua|seus|suas|teu|tua|mesmo|mesma|depois|antes|ainda|não tem problema|tudo bem com|é tudo|isso é tudo|só isso|de nada|por enquanto|talvez|
    então|ou seja|pois|bem|parte|português|foi mal|outra coisa|sobretudo|todo dia|todos os dias|gente|ficar|está|são`,
  short: `vc=você|vcs=vocês|tb=também|tbm=também|pq=porque|qdo=quando|qd=quando|n=não|nao=não|naum=não|pfv=por favor|
    pf=por favor|obg=obrigado|blz=beleza|hj=hoje|td=tudo|oq=o que|dps=depois|q=que|msg=mensagem|eh=é|tá=está|ta=está|
    tô=estou|to=estou|cmg=comigo|mt=muito|mto=muito|ñ=não`,
  elided: "d",
  spelled: `reembolso|reembolsar|reembolsem|estorno|estornar|devolução|devolver|devolvam|dinheiro|pedido|pedidos|encomenda|
    rastreio|entrega|entregue|recebi|chegou|cancelar|trocar|advogado|pessoa|atendente|humano|danificado|meias|camiseta`,
};
