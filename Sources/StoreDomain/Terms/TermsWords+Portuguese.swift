// SPDX-License-Identifier: Apache-2.0

extension TermsWords {
    /// Avoids words that differ between Brazil and Portugal.
    static let portuguese = TermsWords(
        separator: " ",
        moment: "{day}, às {time} (UTC)",
        day: Unit(
            one: "{count} dia", other: "{count} dias", rate: "{price} por dia", rates: "{price} a cada {count} dias"),
        week: Unit(
            one: "{count} semana", other: "{count} semanas", rate: "{price} por semana",
            rates: "{price} a cada {count} semanas"),
        month: Unit(
            one: "{count} mês", other: "{count} meses", rate: "{price} por mês",
            rates: "{price} a cada {count} meses"),
        year: Unit(
            one: "{count} ano", other: "{count} anos", rate: "{price} por ano", rates: "{price} a cada {count} anos"),
        free: "Grátis durante {length}",
        upFront: "{price} por {length}",
        eachPeriod: "{rate} durante {length}",
        sequence: "{first}; depois, {second}",
        offered: "{offer}; depois, {rate} a partir de {date}, até que a assinatura seja cancelada.",
        regular: "{rate}.",
        firstPeriod: "O primeiro período vai de {start}, a {end}.",
        replaces: "A assinatura começa agora e substitui a sua assinatura atual.",
        givenBack: "Será feito um reembolso de {price}, a parte não utilizada do preço da sua assinatura atual.",
        begins: "A assinatura começa em {date}, no fim do período já pago.",
        nothingNow: "Nada é cobrado agora.",
        offerBegins: "A oferta começa no próximo período.",
        owned: "Esta assinatura já está ativa.",
        ownedUntil: "Esta assinatura está ativa até {date}.",
        staysOn: "A renovação automática continua ativada.",
        turnedOn: "A renovação automática é ativada novamente.",
        renewal: """
            A assinatura é renovada no fim de cada período até ser cancelada, e é cobrada no máximo um dia \
            antes. Para cancelar, desative a renovação na página “{page}” antes do fim do período; a assinatura \
            continua ativa durante o resto do período.
            """,
        contact: """
            Enviar o meu nome, o meu endereço de e-mail e o meu código postal ao vendedor de {app}. Nesse caso, \
            o primeiro período dura mais {length}, até {end}.
            """,
        priceRises: "O preço atual é {old} e passa a ser {new} a partir do período que começa em {date}.",
        endsUnlessAgreed: "Sem o seu consentimento, a assinatura termina nesse dia e não é cobrada novamente.")
}
