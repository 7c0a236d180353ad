// SPDX-License-Identifier: Apache-2.0

extension SheetWords {
    static let german = SheetWords(
        titlePayment: "Kauf bestätigen",
        titleSignIn: "Anmelden",
        titleRedeem: "Code einlösen",
        titleConsent: "Neuem Preis zustimmen",
        partProduct: "Was Sie kaufen",
        partTerms: "Bedingungen des Abonnements",
        partSubscription: "Das Abonnement, dessen Preis steigt",
        partCode: "Das Produkt des Codes",
        partPrice: "Der neue Preis",
        partDetails: "Angaben zur Zahlung",
        leadSignIn: "{app} fragt nach Ihren Käufen. Melden Sie sich im Store an, um fortzufahren.",
        leadRedeem: """
            Geben Sie einen Code für {app} ein, und melden Sie sich an, um sein Produkt und die Bedingungen zu sehen.
            """,
        freeOfCharge: "Kostenlos",
        owned: "Sie haben dies schon gekauft. Sie erhalten es noch einmal, ohne dass etwas berechnet wird.",
        asksToBuy: "Eine andere Person muss diesem Kauf zustimmen. Vorher wird nichts berechnet.",
        paymentMethod: "Zahlungsart",
        sandboxPayment: "Sandbox: Es wird kein Geld abgebucht",
        preferredMethod: "Die bevorzugte des Accounts",
        noMethod: "Keine: Es kann nichts berechnet werden",
        addMethod: "Zahlungsart hinzufügen",
        chooseMethod: "Zahlungsart wählen",
        taxIncluded: "enthält {tax} Steuer ({rate})",
        taxAdded: "ohne Steuer ({rate}), die mit dieser Zahlung nicht berechnet wird",
        code: "Code",
        name: "Name",
        contactEmail: "E-Mail-Adresse",
        contactExample: "Die des Accounts",
        postcode: "Postleitzahl",
        manageSubscriptions: "Abonnements verwalten",
        buy: "Kaufen",
        getAgain: "Noch einmal laden",
        ask: "Um Erlaubnis fragen",
        redeem: "Einlösen",
        otherCode: "Anderen Code verwenden",
        goOn: "Weiter",
        agree: "Zustimmen",
        notNow: "Jetzt nicht",
        sending: "Verbindung zum Store wird geprüft …",
        networkFailed: """
            Der Store ist nicht erreichbar. Prüfen Sie die Verbindung, und drücken Sie die Taste noch einmal: Es wird \
            nur einmal ausgeführt.
            """)
}
