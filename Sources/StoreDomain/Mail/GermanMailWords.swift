// SPDX-License-Identifier: Apache-2.0

/// The messages to customers in German.
struct GermanMailWords: MailWords {
    func password(link: String) -> MailText {
        MailText(
            subject: "Ihr neues Passwort",
            body: """
                Hier können Sie ein neues Passwort für Ihren Account festlegen:

                \(link)

                Der Link gilt eine Stunde lang und nur einmal. Wenn Sie ihn nicht angefordert haben, tun Sie nichts:
                Ihr Passwort bleibt, wie es ist.
                """)
    }

    func address(link: String) -> MailText {
        MailText(
            subject: "Bestätigen Sie Ihre neue Adresse",
            body: """
                Bestätigen Sie hier, dass dies die neue Adresse Ihres Accounts ist:

                \(link)

                Der Link gilt eine Stunde lang und nur einmal. Wenn Sie ihn nicht angefordert haben, tun Sie nichts.
                """)
    }

    func addressChanged(store: String) -> MailText {
        MailText(
            subject: "Ihr Account hat eine andere Adresse",
            body: """
                Ihr Account bei \(store) hat jetzt eine andere Adresse, und diese wird nicht mehr verwendet.
                Wenn Sie das nicht waren, schreiben Sie dem Betreiber des Stores.
                """)
    }

    func teamInvitation(link: String) -> MailText {
        MailText(
            subject: "Ihre Einladung zu Connect",
            body: """
                Sie sind zu Connect eingeladen, wo Anbieter ihre Apps und Produkte registrieren. Wählen Sie hier Ihr
                Passwort:

                \(link)

                Der Link gilt sieben Tage lang und nur einmal. Wenn Sie keine Einladung erwarten, tun Sie nichts.
                """)
    }

    func teamRecovery(link: String) -> MailText {
        MailText(
            subject: "Ihr neues Passwort für Connect",
            body: """
                Hier können Sie ein neues Passwort für Connect festlegen:

                \(link)

                Der Link gilt einen Tag lang und nur einmal. Wenn Sie ihn nicht angefordert haben, tun Sie
                nichts: Ihr Passwort bleibt, wie es ist.
                """)
    }

    func childAsks(_ asked: ChildMessage.Asked) -> MailText {
        MailText(
            subject: "Eine Kaufanfrage",
            body: """
                \(asked.child) möchte kaufen:

                „\(asked.product)“ in der App „\(asked.app)“\(asked.terms)

                Stimmen Sie hier zu, oder lehnen Sie ab:

                \(asked.page)

                Bevor Sie zustimmen, wird nichts berechnet.
                """)
    }

    func costs(_ price: String) -> String { "Der Preis ist \(price)." }

    var free: String { "Es ist kostenlos." }
}
