// SPDX-License-Identifier: Apache-2.0

extension OutcomeWords {
    static let german = OutcomeWords(
        purchased: Outcome(
            title: "Gekauft", message: "Sie können diese Seite schließen und zur App zurückkehren."),
        cancelled: Outcome(
            title: "Abgebrochen",
            message: "Es wurde nichts berechnet. Sie können diese Seite schließen und zur App zurückkehren."),
        signedIn: Outcome(
            title: "Angemeldet", message: "Sie können diese Seite schließen; die App braucht sie nicht mehr."),
        agreed: Outcome(
            title: "Zugestimmt",
            message: """
                Das Abonnement läuft zum neuen Preis weiter. Sie können diese Seite schließen und zur App zurückkehren.
                """),
        notNow: Outcome(
            title: "Jetzt nicht",
            message: """
                Sie haben dem neuen Preis nicht zugestimmt und können das noch tun. Sie können diese Seite schließen \
                und zur App zurückkehren.
                """),
        nothingToAgree: Outcome(
            title: "Kein neuer Preis",
            message: "Kein neuer Preis wartet auf Ihre Zustimmung. Sie können diese Seite schließen."),
        asked: Outcome(
            title: "Gefragt",
            message: """
                Eine andere Person muss erst zustimmen; dann geht es in der App weiter. Es wurde noch nichts berechnet.
                """),
        interrupted: Outcome(
            title: "Unterbrochen",
            message: """
                Im Store ist vorher etwas zu tun; dann geht der Kauf weiter. Es wurde noch nichts berechnet.
                """),
        subscribed: Outcome(
            title: "Schon abonniert",
            message: """
                Sie haben dieses Abonnement, und es läuft weiter wie bisher. Es wurde nichts berechnet oder geändert.
                """),
        underWay: Outcome(
            title: "Die Zahlung läuft",
            message: """
                Die Zahlung ist gespeichert und wird abgeschlossen, sobald der Store das kann. Kaufen Sie dies nicht \
                noch einmal: Die App erhält den Kauf oder erfährt, dass nichts berechnet wurde.
                """),
        pending: Outcome(
            title: "Ihre Bank hat noch nicht geantwortet",
            message: """
                Ihre Bank hat die Zahlung noch nicht bestätigt. Sie können diese Seite auch schließen: Die App erhält \
                den Kauf oder erfährt, dass nichts berechnet wurde.
                """),
        atBank: Outcome(
            title: "Bei Ihrer Bank bestätigen",
            message: """
                Ihre Bank bittet Sie, diese Zahlung zu bestätigen. Ihre Seite öffnet sich in einem neuen Fenster. Es \
                wurde noch nichts berechnet.
                """),
        toBank: "Zu Ihrer Bank",
        waits: "Diese Seite zeigt das Ergebnis. Kaufen Sie dies inzwischen nicht noch einmal.",
        renews: "Ihr Abonnement verlängert sich am {date}",
        changes: "Ihr Abonnement wechselt am {date}",
        nothingCharged: "Es wurde nichts berechnet. Sie können diese Seite schließen und zur App zurückkehren.")
}
