// SPDX-License-Identifier: Apache-2.0

import StoreDomain

/// The texts of the page of a product's offers.
struct OfferWords: PageWords {
    var title: String
    var none: String
    var remove: String
    var add: String
    /// `{kind}`.
    var addOf: String
    var otherKind: String
    var introductoryNote: String
    var promotionalNote: String
    var codeNote: String
    var winBackNote: String
    var identifier: String
    var codeName: String
    var identifierHint: String
    var reference: String
    var mode: String
    var free: String
    var asYouGo: String
    var upFront: String
    var lower: String
    var period: String
    var periodHint: String
    var periods: String
    /// `{most}` and `{period}`.
    var periodsHint: String
    var price: String
    var priceHint: String
    var prices: String
    var pricesHint: String
    var new: String
    var existing: String
    var expired: String
    var noCustomers: String
    var newOnes: String
    var presentOnes: String
    var formerOnes: String
    var stackable: String
    var paidMonths: String
    var leastLapsedMonths: String
    var mostLapsedMonths: String
    var waitMonths: String
    var priority: String
    /// `{periods}` and `{length}`.
    var periodsOf: String
    /// `{customers}` is a list.
    var forCustomers: String
    /// `{paid}`, `{least}` and `{most}` are numbers of months.
    var conditions: String
    var codes: String
    var codesNote: String
    var codesLink: String

    static let english = OfferWords(
        title: "Offers",
        none: "The product has no offer yet.",
        remove: "Remove",
        add: "Add an offer",
        addOf: "Add: {kind}",
        otherKind: "Another kind of offer",
        introductoryNote: "For customers who have had none in the group. A subscription has one.",
        promotionalNote: "For present and former subscribers, whom your app chooses. Your server signs the offer.",
        codeNote: "For customers who redeem a code. Customers who have the offer keep it when it is removed.",
        winBackNote: "For former subscribers, whom the conditions choose.",
        identifier: "Offer identifier",
        codeName: "Name of the offer",
        identifierHint: "At most 64 letters, digits, hyphens, periods and underscores. It can’t be changed later.",
        reference: "Reference name",
        mode: "Payment",
        free: "Free",
        asYouGo: "Lower price in each period",
        upFront: "One price for the whole time",
        lower: "A lower price",
        period: "Length of a free offer, or of one with one price",
        periodHint: "One price for the whole time is possible from 1 month on.",
        periods: "Number of periods with a lower price",
        periodsHint: "1 to {most}, of {period} each.",
        price: "Price of the offer",
        priceHint: "Such as 0.99, the same number in every country. Empty for a free offer.",
        prices: "Prices of single countries",
        pricesHint: "One a line: DEU 1.19.",
        new: "For customers who have never had a subscription of the group",
        existing: "For customers who have one now",
        expired: "For customers whose subscription has ended",
        noCustomers: "Choose one kind of customers at least.",
        newOnes: "new customers",
        presentOnes: "subscribers",
        formerOnes: "former subscribers",
        stackable: "Together with the introductory offer",
        paidMonths: "Months that the customer has paid, at least (1 to 60)",
        leastLapsedMonths: "Months since the end, at least (0 to 24)",
        mostLapsedMonths: "Months since the end, at most (0 to 24)",
        waitMonths: "Months between two such offers (2 to 24)",
        priority: "Before the other win-back offers",
        periodsOf: "{periods} × {length}",
        forCustomers: "For: {customers}",
        conditions: "Paid months: {paid} or more. Months since the end: {least} to {most}.",
        codes: "Codes",
        codesNote: "Codes give a code offer, or the product itself free of charge.",
        codesLink: "Make codes")

    static let german = OfferWords(
        title: "Angebote",
        none: "Das Produkt hat noch kein Angebot.",
        remove: "Entfernen",
        add: "Angebot hinzufügen",
        addOf: "Hinzufügen: {kind}",
        otherKind: "Eine andere Art von Angebot",
        introductoryNote: "Für Kunden, die in der Gruppe noch keines hatten. Ein Abo hat eines.",
        promotionalNote: "Für jetzige und frühere Abonnenten, die Ihre App auswählt. Ihr Server signiert das Angebot.",
        codeNote: "Für Kunden, die einen Code einlösen. Wer das Angebot hat, behält es, wenn es entfernt wird.",
        winBackNote: "Für frühere Abonnenten, die die Bedingungen auswählen.",
        identifier: "Angebots-ID",
        codeName: "Name des Angebots",
        identifierHint:
            "Höchstens 64 Buchstaben, Ziffern, Bindestriche, Punkte und Unterstriche. Später nicht zu ändern.",
        reference: "Referenzname",
        mode: "Zahlung",
        free: "Kostenlos",
        asYouGo: "Niedrigerer Preis je Zeitraum",
        upFront: "Ein Preis für die ganze Zeit",
        lower: "Ein niedrigerer Preis",
        period: "Dauer eines kostenlosen Angebots oder eines mit einem Preis",
        periodHint: "Ein Preis für die ganze Zeit ist ab 1 Monat möglich.",
        periods: "Anzahl der Zeiträume mit niedrigerem Preis",
        periodsHint: "1 bis {most}, je {period}.",
        price: "Preis des Angebots",
        priceHint: "Etwa 0.99, dieselbe Zahl in jedem Land. Leer bei einem kostenlosen Angebot.",
        prices: "Preise einzelner Länder",
        pricesHint: "Je Zeile einer: DEU 1.19.",
        new: "Für Kunden, die noch nie ein Abo der Gruppe hatten",
        existing: "Für Kunden, die jetzt eines haben",
        expired: "Für Kunden, deren Abo geendet hat",
        noCustomers: "Wählen Sie mindestens eine Art von Kunden.",
        newOnes: "neue Kunden",
        presentOnes: "Abonnenten",
        formerOnes: "frühere Abonnenten",
        stackable: "Zusammen mit dem Einführungsangebot",
        paidMonths: "Bezahlte Monate, mindestens (1 bis 60)",
        leastLapsedMonths: "Monate seit dem Ende, mindestens (0 bis 24)",
        mostLapsedMonths: "Monate seit dem Ende, höchstens (0 bis 24)",
        waitMonths: "Monate zwischen zwei solchen Angeboten (2 bis 24)",
        priority: "Vor den anderen Rückgewinnungsangeboten",
        periodsOf: "{periods} × {length}",
        forCustomers: "Für: {customers}",
        conditions: "Bezahlte Monate: {paid} oder mehr. Monate seit dem Ende: {least} bis {most}.",
        codes: "Codes",
        codesNote: "Codes geben ein Code-Angebot oder das Produkt selbst kostenlos.",
        codesLink: "Codes erzeugen")

    static let french = OfferWords(
        title: "Offres",
        none: "Le produit n’a pas encore d’offre.",
        remove: "Supprimer",
        add: "Ajouter une offre",
        addOf: "Ajouter : {kind}",
        otherKind: "Un autre type d’offre",
        introductoryNote: "Pour les clients qui n’en ont eu aucune dans le groupe. Un abonnement en a une.",
        promotionalNote: """
            Pour les abonnés actuels et anciens, que votre app choisit. Votre serveur signe l’offre.
            """,
        codeNote: "Pour les clients qui utilisent un code. Ceux qui ont l’offre la gardent quand elle est supprimée.",
        winBackNote: "Pour les anciens abonnés, que les conditions choisissent.",
        identifier: "Identifiant de l’offre",
        codeName: "Nom de l’offre",
        identifierHint: "Au plus 64 lettres, chiffres, tirets, points et traits de soulignement. Il ne change plus.",
        reference: "Nom de référence",
        mode: "Paiement",
        free: "Gratuit",
        asYouGo: "Prix réduit à chaque période",
        upFront: "Un prix pour toute la durée",
        lower: "Un prix réduit",
        period: "Durée d’une offre gratuite, ou d’une offre à prix unique",
        periodHint: "Un prix pour toute la durée est possible à partir de 1 mois.",
        periods: "Nombre de périodes à prix réduit",
        periodsHint: "1 à {most}, de {period} chacune.",
        price: "Prix de l’offre",
        priceHint: "Par exemple 0.99, le même nombre dans tous les pays. Vide pour une offre gratuite.",
        prices: "Prix de certains pays",
        pricesHint: "Un par ligne : DEU 1.19.",
        new: "Pour les clients qui n’ont jamais eu d’abonnement du groupe",
        existing: "Pour les clients qui en ont un maintenant",
        expired: "Pour les clients dont l’abonnement est terminé",
        noCustomers: "Choisissez au moins un type de clients.",
        newOnes: "nouveaux clients",
        presentOnes: "abonnés",
        formerOnes: "anciens abonnés",
        stackable: "Avec l’offre de lancement",
        paidMonths: "Mois payés par le client, au moins (1 à 60)",
        leastLapsedMonths: "Mois depuis la fin, au moins (0 à 24)",
        mostLapsedMonths: "Mois depuis la fin, au plus (0 à 24)",
        waitMonths: "Mois entre deux offres de ce type (2 à 24)",
        priority: "Avant les autres offres de reconquête",
        periodsOf: "{periods} × {length}",
        forCustomers: "Pour : {customers}",
        conditions: "Mois payés : {paid} ou plus. Mois depuis la fin : {least} à {most}.",
        codes: "Codes",
        codesNote: "Les codes donnent une offre par code, ou le produit lui-même gratuitement.",
        codesLink: "Créer des codes")

    func note(_ kind: Product.Offer.Kind) -> String {
        switch kind {
        case .introductory: introductoryNote
        case .promotional: promotionalNote
        case .code: codeNote
        case .winBack: winBackNote
        }
    }

    private func name(_ customers: Product.Offer.Eligibility) -> String {
        switch customers {
        case .new: newOnes
        case .existing: presentOnes
        case .expired: formerOnes
        }
    }

    /// The terms of an offer.
    func details(_ offer: Product.Offer, _ product: Product, _ language: PageLanguage) -> [String] {
        var details: [String] = []
        if !offer.referenceName.isEmpty { details.append(ChangeList.shortened(offer.referenceName)) }
        var terms: [String] = []
        switch offer.mode {
        case .free: terms.append(free)
        case .payAsYouGo: terms.append(asYouGo)
        case .payUpFront: terms.append(product.plan == nil ? lower : upFront)
        }
        if product.plan != nil {
            let length = language.length(offer.period)
            let periods = fill(\.periodsOf, ["periods": String(offer.periods), "length": length])
            terms.append(offer.periods == 1 ? length : periods)
        }
        if offer.mode != .free { terms.append(language.price(product.price(of: offer, in: .unitedStates))) }
        details.append(terms.joined(separator: ", "))
        if !offer.prices.isEmpty {
            let prices = offer.prices.sorted { $0.key < $1.key }.prefix(20)
            details += prices.compactMap { country, milliunits in
                Storefront.named(country).map { storefront in
                    language.labelled(
                        country, language.price(Money(milliunits: milliunits, currency: storefront.currency)))
                }
            }
        }
        if !offer.eligibility.isEmpty {
            details.append(
                fill(\.forCustomers, ["customers": offer.eligibility.sorted().map(name).joined(separator: ", ")]))
        }
        if let conditions = offer.conditions {
            details.append(
                fill(
                    \.conditions,
                    [
                        "paid": String(conditions.paidMonths), "least": String(conditions.leastLapsedMonths),
                        "most": String(conditions.mostLapsedMonths),
                    ]))
        }
        return details
    }
}
