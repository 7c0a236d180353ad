// SPDX-License-Identifier: Apache-2.0

extension PurchaseWords {
    static let german = PurchaseWords(
        none: "Dieser Account hat keine Käufe.",
        older: "Ältere Käufe",
        newest: "Neueste Käufe",
        receipt: "Beleg",
        titleReceipt: "Beleg eines Kaufs",
        order: "Nummer",
        date: "Datum",
        app: "App",
        product: "Produkt",
        quantity: "Anzahl",
        period: "Zeitraum",
        periodUntil: "bis zum {end}",
        price: "Preis",
        free: "kostenlos",
        refunded: "erstattet",
        refundedOn: "Erstattet am {date}.",
        partlyRefundedOn: "Ein Teil des Preises wurde am {date} erstattet.",
        store: "Store",
        print: "Um diesen Beleg aufzubewahren, drucken Sie die Seite.",
        report: "Ein Problem melden",
        titleProblem: "Ein Problem melden",
        leadProblem: """
            Sie bitten um eine Erstattung. Die Mitarbeiter des Stores lesen Ihre Bitte und entscheiden. Stimmen sie \
            zu, erhalten Sie den Preis zurück und verlieren das Produkt.
            """,
        reason: "Ihr Problem",
        unintended: "Ich wollte dies nicht kaufen",
        child: "Ein Kind hat dies ohne Erlaubnis gekauft",
        missing: "Ich habe es nicht erhalten",
        broken: "Es funktioniert nicht wie erwartet",
        unsatisfied: "Ich bin damit nicht zufrieden",
        legal: "Ich habe einen rechtlichen Grund",
        other: "Etwas anderes",
        comment: "Beschreiben Sie es (freiwillig)",
        send: "Um Erstattung bitten",
        waits: "Sie haben um eine Erstattung gebeten. Die Mitarbeiter des Stores haben noch nicht entschieden.",
        declined: "Die Mitarbeiter des Stores haben die Erstattung abgelehnt.",
        approved: "Die Erstattung wurde genehmigt.",
        costNothing: "Dieser Kauf hat nichts gekostet, sodass nichts erstattet werden kann.",
        back: "Zurück zum Beleg")
}
