// SPDX-License-Identifier: Apache-2.0

import StoreDomain

/// The texts of the page of an app's codes.
struct CodeWords: PageWords {
    var title: String
    var batches: String
    var none: String
    var downloadNote: String
    var make: String
    var chooseNote: String
    var draw: String
    var drawNote: String
    var drawButton: String
    var ownWord: String
    var ownWordNote: String
    var wordButton: String
    var offer: String
    var promo: String
    /// In the place of product and offer, for promo codes of the app itself.
    var itself: String
    var itselfNote: String
    var name: String
    var nameHint: String
    var count: String
    var countHint: String
    var lastDay: String
    var lastDayHint: String
    var word: String
    var wordHint: String
    var limit: String
    var complete: String
    var revoke: String
    var revoked: String
    var incomplete: String
    var valid: String
    /// `{product}` and `{offer}`.
    var of: String
    /// `{used}` and `{all}` are numbers of redemptions.
    var redeemed: String
    /// `{date}`.
    var made: String
    /// `{date}`.
    var ends: String

    static let english = CodeWords(
        title: "Codes",
        batches: "Batches",
        none: "The app has no codes yet.",
        downloadNote: """
            The codes of a batch can be downloaded for a day, by its name. Afterwards the store can check codes, but \
            can’t show them again.
            """,
        make: "Make codes",
        chooseNote: "Codes are made for a product: open the offers on its page.",
        draw: "Draw codes",
        drawNote: "Each code is redeemed once. In half a year, a product has 100 promo codes, and an app 1,000.",
        drawButton: "Draw codes",
        ownWord: "A word of your own",
        ownWordNote: "Many customers redeem the same word.",
        wordButton: "Make the code",
        offer: "Offer",
        promo: "the product itself, free (promo codes)",
        itself: "the app itself, free (promo codes)",
        itselfNote: "Customers redeem them on the app’s page in the store, each once. An app has 100 in half a year.",
        name: "Your name for the codes",
        nameHint: "At most 64 characters. Customers don’t see it.",
        count: "Number of codes",
        countHint: "At most 25,000, and 100 promo codes.",
        lastDay: "Last day",
        lastDayHint: "Drawn codes end after 6 months at the latest, promo codes after 28 days.",
        word: "Word",
        wordHint: "4 to 64 letters, digits and hyphens.",
        limit: "Number of redemptions",
        complete: "Make the rest",
        revoke: "Revoke",
        revoked: "revoked",
        incomplete: "not complete",
        valid: "valid",
        of: "{product}: {offer}",
        redeemed: "Redeemed: {used} of {all}",
        made: "Made: {date}",
        ends: "End: {date}")

    static let german = CodeWords(
        title: "Codes",
        batches: "Stapel",
        none: "Die App hat noch keine Codes.",
        downloadNote: """
            Die Codes eines Stapels lassen sich einen Tag lang über seinen Namen herunterladen. Danach kann der Store \
            Codes prüfen, aber nicht mehr ausgeben.
            """,
        make: "Codes erzeugen",
        chooseNote: "Codes gelten für ein Produkt: Öffnen Sie die Angebote auf seiner Seite.",
        draw: "Codes ziehen",
        drawNote: "Jeder Code gilt einmal. In einem Halbjahr hat ein Produkt 100 Promo-Codes und eine App 1.000.",
        drawButton: "Codes ziehen",
        ownWord: "Ein eigenes Wort",
        ownWordNote: "Viele Kunden lösen dasselbe Wort ein.",
        wordButton: "Code erzeugen",
        offer: "Angebot",
        promo: "das Produkt selbst, kostenlos (Promo-Codes)",
        itself: "die App selbst, kostenlos (Promo-Codes)",
        itselfNote: "Kunden lösen sie auf der Seite der App im Store ein, jeden einmal. Eine App hat 100 im Halbjahr.",
        name: "Ihr Name für die Codes",
        nameHint: "Höchstens 64 Zeichen. Kunden sehen ihn nicht.",
        count: "Anzahl der Codes",
        countHint: "Höchstens 25.000, und 100 Promo-Codes.",
        lastDay: "Letzter Tag",
        lastDayHint: "Gezogene Codes enden spätestens nach 6 Monaten, Promo-Codes nach 28 Tagen.",
        word: "Wort",
        wordHint: "4 bis 64 Buchstaben, Ziffern und Bindestriche.",
        limit: "Anzahl der Einlösungen",
        complete: "Den Rest erzeugen",
        revoke: "Widerrufen",
        revoked: "widerrufen",
        incomplete: "nicht vollständig",
        valid: "gültig",
        of: "{product}: {offer}",
        redeemed: "Eingelöst: {used} von {all}",
        made: "Erzeugt: {date}",
        ends: "Ende: {date}")

    static let french = CodeWords(
        title: "Codes",
        batches: "Lots",
        none: "L’app n’a pas encore de codes.",
        downloadNote: """
            Les codes d’un lot peuvent être téléchargés pendant un jour, par son nom. Ensuite, la boutique peut vérifier les \
            codes, mais plus les afficher.
            """,
        make: "Créer des codes",
        chooseNote: "Les codes valent pour un produit : ouvrez les offres sur sa page.",
        draw: "Tirer des codes",
        drawNote: """
            Chaque code sert une fois. Par semestre, un produit a 100 codes promotionnels, et une app 1 000.
            """,
        drawButton: "Tirer des codes",
        ownWord: "Un mot à vous",
        ownWordNote: "Beaucoup de clients utilisent le même mot.",
        wordButton: "Créer le code",
        offer: "Offre",
        promo: "le produit lui-même, gratuit (codes promotionnels)",
        itself: "l’app elle-même, gratuite (codes promotionnels)",
        itselfNote: """
            Les clients les utilisent sur la page de l’app dans la boutique, une fois chacun. Une app en a 100 par \
            semestre.
            """,
        name: "Votre nom pour les codes",
        nameHint: "Au plus 64 caractères. Les clients ne le voient pas.",
        count: "Nombre de codes",
        countHint: "Au plus 25 000, et 100 codes promotionnels.",
        lastDay: "Dernier jour",
        lastDayHint: "Les codes tirés finissent au plus tard après 6 mois, les codes promotionnels après 28 jours.",
        word: "Mot",
        wordHint: "4 à 64 lettres, chiffres et tirets.",
        limit: "Nombre d’utilisations",
        complete: "Créer le reste",
        revoke: "Révoquer",
        revoked: "révoqué",
        incomplete: "incomplet",
        valid: "valable",
        of: "{product} : {offer}",
        redeemed: "Utilisés : {used} sur {all}",
        made: "Créé : {date}",
        ends: "Fin : {date}")

    func state(of batch: OfferCodeBatch) -> String {
        if batch.revoked != nil { return revoked }
        return batch.isComplete ? valid : incomplete
    }

    func details(of listed: MakingAppCodes.Listed, _ language: PageLanguage) -> [String] {
        let batch = listed.batch
        let offer = batch.offer.isEmpty ? promo : ChangeList.shortened(batch.offer).isolated
        var details = [
            batch.isForApp
                ? itself : fill(\.of, ["product": batch.productIdentifier.rawValue.isolated, "offer": offer]),
            fill(
                \.redeemed,
                ["used": String(batch.redemptions), "all": String(batch.size * batch.usesLimit)]),
            fill(\.made, ["date": language.date(batch.created)]),
        ]
        if let expires = batch.expires { details.append(fill(\.ends, ["date": language.date(expires)])) }
        return details
    }
}
