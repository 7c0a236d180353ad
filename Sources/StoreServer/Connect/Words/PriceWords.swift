// SPDX-License-Identifier: Apache-2.0

/// The texts of the page of a product's scheduled prices.
struct PriceWords: PageWords {
    var title: String
    var scheduled: String
    var scheduledNote: String
    var none: String
    var history: String
    var schedule: String
    var cancel: String
    /// `{place}` and `{price}`.
    var priceOf: String
    var base: String
    var country: String
    var countryHint: String
    var price: String
    var priceHint: String
    var firstDay: String
    var firstDayHint: String
    var subscribers: String
    var keep: String
    var change: String
    var consent: String
    var rule: String
    var ruleHint: String
    var needed: String
    var informed: String

    static let english = PriceWords(
        title: "Prices",
        scheduled: "Scheduled prices",
        scheduledNote: "One for each country, and one base price. A new one takes the place of an earlier one.",
        none: "No price is scheduled.",
        history: "Prices that have begun",
        schedule: "Schedule a price",
        cancel: "Cancel",
        priceOf: "{place}: {price}",
        base: "Base price",
        country: "Country",
        countryHint: "A code of three letters, such as DEU. Empty for the base price of all other countries.",
        price: "Price",
        priceHint: "Such as 1.99.",
        firstDay: "First day",
        firstDayHint: "It begins at midnight (UTC) by the store’s clock. Empty for now.",
        subscribers: "Subscribers",
        keep: "keep their price",
        change: "pay a higher price too, after a notice",
        consent: "Consent to a higher price",
        rule: "by the rule",
        ruleHint: "By the rule, subscribers have to agree to a large or a repeated increase.",
        needed: "needed from all of them",
        informed: "not needed: they are informed")

    static let german = PriceWords(
        title: "Preise",
        scheduled: "Geplante Preise",
        scheduledNote: "Einer für jedes Land und ein Grundpreis. Ein neuer tritt an die Stelle eines früheren.",
        none: "Es ist kein Preis geplant.",
        history: "Preise, die begonnen haben",
        schedule: "Preis planen",
        cancel: "Absagen",
        priceOf: "{place}: {price}",
        base: "Grundpreis",
        country: "Land",
        countryHint: "Ein Code aus drei Buchstaben wie DEU. Leer für den Grundpreis aller anderen Länder.",
        price: "Preis",
        priceHint: "Zum Beispiel 1.99.",
        firstDay: "Erster Tag",
        firstDayHint: "Er beginnt um Mitternacht (UTC) nach der Uhr des Stores. Leer für jetzt.",
        subscribers: "Abonnenten",
        keep: "behalten ihren Preis",
        change: "zahlen nach einer Ankündigung auch einen höheren Preis",
        consent: "Zustimmung zu einem höheren Preis",
        rule: "nach der Regel",
        ruleHint: "Nach der Regel müssen Abonnenten einer großen oder wiederholten Erhöhung zustimmen.",
        needed: "von allen nötig",
        informed: "nicht nötig: sie werden informiert")

    static let french = PriceWords(
        title: "Tarifs",
        scheduled: "Prix planifiés",
        scheduledNote: "Un par pays, et un prix de base. Un nouveau prend la place du précédent.",
        none: "Aucun prix n’est planifié.",
        history: "Prix déjà en vigueur",
        schedule: "Planifier un prix",
        cancel: "Annuler",
        priceOf: "{place} : {price}",
        base: "Prix de base",
        country: "Pays",
        countryHint: "Un code de trois lettres, comme DEU. Vide pour le prix de base de tous les autres pays.",
        price: "Prix",
        priceHint: "Par exemple 1.99.",
        firstDay: "Premier jour",
        firstDayHint: "Il commence à minuit (UTC) selon l’horloge de la boutique. Vide pour maintenant.",
        subscribers: "Abonnés",
        keep: "gardent leur prix",
        change: "paient aussi un prix plus élevé, après un préavis",
        consent: "Accord pour un prix plus élevé",
        rule: "selon la règle",
        ruleHint: "Selon la règle, les abonnés doivent accepter une hausse importante ou répétée.",
        needed: "nécessaire pour tous",
        informed: "pas nécessaire : ils sont informés")
}
