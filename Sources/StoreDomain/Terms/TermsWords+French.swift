// SPDX-License-Identifier: Apache-2.0

extension TermsWords {
    static let french = TermsWords(
        separator: " ",
        moment: "{day} à {time} (UTC)",
        day: Unit(
            one: "{count} jour", other: "{count} jours", rate: "{price} par jour",
            rates: "{price} tous les {count} jours"),
        week: Unit(
            one: "{count} semaine", other: "{count} semaines", rate: "{price} par semaine",
            rates: "{price} toutes les {count} semaines"),
        month: Unit(
            one: "{count} mois", other: "{count} mois", rate: "{price} par mois",
            rates: "{price} tous les {count} mois"),
        year: Unit(
            one: "{count} an", other: "{count} ans", rate: "{price} par an", rates: "{price} tous les {count} ans"),
        free: "Gratuit pendant {length}",
        upFront: "{price} pour {length}",
        eachPeriod: "{rate} pendant {length}",
        sequence: "{first}, puis {second}",
        offered: "{offer}, puis {rate} à partir du {date}, jusqu’à résiliation de votre part.",
        regular: "{rate}.",
        firstPeriod: "La première période va du {start} au {end}.",
        replaces: "L’abonnement commence immédiatement et remplace votre abonnement actuel.",
        givenBack: """
            Vous recevez un remboursement de {price}, la partie non utilisée du prix de votre abonnement actuel.
            """,
        begins: "L’abonnement commence le {date}, à la fin de la période que vous avez déjà payée.",
        nothingNow: "Rien n’est débité maintenant.",
        offerBegins: "L’offre s’applique à partir de la période suivante.",
        owned: "Vous avez déjà cet abonnement.",
        ownedUntil: "Vous disposez de cet abonnement jusqu’au {date}.",
        staysOn: "Le renouvellement automatique reste activé.",
        turnedOn: "Le renouvellement automatique est réactivé.",
        renewal: """
            L’abonnement est renouvelé à la fin de chaque période jusqu’à ce que vous le résiliiez, et son prix \
            est débité au plus tôt un jour avant. Pour résilier, désactivez le renouvellement sur la page \
            «\u{00A0}{page}\u{00A0}» avant la fin de la période\u{00A0}; vous conservez l’abonnement jusqu’à la \
            fin de celle-ci.
            """,
        contact: """
            Communiquer mon nom, mon adresse e-mail et mon code postal au vendeur de {app}. La première période \
            est alors prolongée de {length}, jusqu’au {end}.
            """,
        priceRises: """
            Vous payez actuellement {old}. Le prix passe à {new} à partir de la période qui commence le {date}.
            """,
        endsUnlessAgreed: "Sans votre accord, l’abonnement prend fin ce jour-là et plus rien n’est débité.")
}
