// SPDX-License-Identifier: Apache-2.0

import StoreDomain

/// The texts of a transaction's page.
struct RecordWords: PageWords {
    var transaction: String
    var original: String
    var date: String
    var product: String
    var quantity: String
    var price: String
    var storefront: String
    var until: String
    var accountToken: String
    var device: String
    var request: String
    var customer: String
    var closed: String
    var sharedFrom: String
    var receipt: String
    var inReceipt: String
    var notInReceipt: String
    var revoked: String
    var customersView: String
    var customerMayAsk: String
    var noView: String
    var events: String
    var noEvents: String
    var ledger: String
    var noLedger: String
    var notifications: String
    var noNotifications: String
    /// `{date}` and `{result}`.
    var attempt: String
    /// `{date}`.
    var nextAttempt: String
    var notSigned: String
    var resend: String
    var resent: String
    var others: String
    var signed: String
    var signedNote: String
    var refund: String
    /// `{amount}`.
    var refundNote: String
    var amount: String
    var refundButton: String
    var refundDone: String
}

extension RecordWords {
    static let english = RecordWords(
        transaction: "Transaction and order",
        original: "Original transaction",
        date: "Bought",
        product: "Product",
        quantity: "Quantity",
        price: "Price",
        storefront: "Storefront",
        until: "Period until",
        accountToken: "Account token",
        device: "Device",
        request: "Request of the device",
        customer: "Tester",
        closed: "The account is closed.",
        sharedFrom: "Shared from",
        receipt: "App receipt",
        inReceipt: "has the purchase",
        notInReceipt: "doesn’t have the purchase",
        revoked: "Refunded",
        customersView: "The customer’s view",
        customerMayAsk: "The customer can ask for a refund.",
        noView: "The customer’s account is closed.",
        events: "Events",
        noEvents: "The events were deleted because of their age.",
        ledger: "Ledger",
        noLedger: "Nothing was charged.",
        notifications: "Notifications to your servers",
        noNotifications: """
            There is none. A purchase gets notifications if its app has a notification address at the time.
            """,
        attempt: "{date}: {result}",
        nextAttempt: "next attempt: {date}",
        notSigned: "It is being signed.",
        resend: "Send again",
        resent: "The notification is sent again.",
        others: "Transactions with the same original transaction",
        signed: "Signed transaction",
        signedNote: "As the App Store Server API returns it now.",
        refund: "Refund",
        refundNote: "{amount} can be given back. The customer loses the product, and your servers are notified.",
        amount: "Amount",
        refundButton: "Refund",
        refundDone: "The purchase is refunded.")

    static let german = RecordWords(
        transaction: "Transaktion und Bestellung",
        original: "Ursprüngliche Transaktion",
        date: "Gekauft",
        product: "Produkt",
        quantity: "Anzahl",
        price: "Preis",
        storefront: "Land",
        until: "Zeitraum bis",
        accountToken: "Konto-Token",
        device: "Gerät",
        request: "Anfrage des Geräts",
        customer: "Tester",
        closed: "Das Konto ist geschlossen.",
        sharedFrom: "Geteilt von",
        receipt: "App-Beleg",
        inReceipt: "enthält den Kauf",
        notInReceipt: "enthält den Kauf nicht",
        revoked: "Erstattet",
        customersView: "Ansicht des Kunden",
        customerMayAsk: "Der Kunde kann um eine Erstattung bitten.",
        noView: "Das Konto des Kunden ist geschlossen.",
        events: "Ereignisse",
        noEvents: "Die Ereignisse wurden wegen ihres Alters gelöscht.",
        ledger: "Hauptbuch",
        noLedger: "Es wurde nichts berechnet.",
        notifications: "Mitteilungen an Ihre Server",
        noNotifications: """
            Es gibt keine. Ein Kauf bekommt Mitteilungen, wenn seine App zu der Zeit eine Adresse dafür hat.
            """,
        attempt: "{date}: {result}",
        nextAttempt: "nächster Versuch: {date}",
        notSigned: "Sie wird gerade signiert.",
        resend: "Noch einmal senden",
        resent: "Die Mitteilung wird noch einmal gesendet.",
        others: "Transaktionen mit derselben ursprünglichen Transaktion",
        signed: "Signierte Transaktion",
        signedNote: "So gibt die App Store Server API sie jetzt zurück.",
        refund: "Erstattung",
        refundNote: """
            {amount} können zurückgegeben werden. Der Kunde verliert das Produkt, und Ihre Server erhalten eine Mitteilung.
            """,
        amount: "Betrag",
        refundButton: "Erstatten",
        refundDone: "Der Kauf ist erstattet.")

    static let french = RecordWords(
        transaction: "Transaction et commande",
        original: "Transaction d’origine",
        date: "Achat",
        product: "Produit",
        quantity: "Quantité",
        price: "Prix",
        storefront: "Pays",
        until: "Période jusqu’au",
        accountToken: "Jeton de compte",
        device: "Appareil",
        request: "Requête de l’appareil",
        customer: "Testeur",
        closed: "Le compte est fermé.",
        sharedFrom: "Partagé depuis",
        receipt: "Reçu de l’app",
        inReceipt: "contient l’achat",
        notInReceipt: "ne contient pas l’achat",
        revoked: "Remboursé",
        customersView: "Vue du client",
        customerMayAsk: "Le client peut demander un remboursement.",
        noView: "Le compte du client est fermé.",
        events: "Événements",
        noEvents: "Les événements ont été supprimés en raison de leur âge.",
        ledger: "Grand livre",
        noLedger: "Rien n’a été débité.",
        notifications: "Notifications à vos serveurs",
        noNotifications: """
            Il n’y en a pas. Un achat reçoit des notifications si son app a une adresse pour elles à ce moment.
            """,
        attempt: "{date} : {result}",
        nextAttempt: "prochain essai : {date}",
        notSigned: "Elle est en cours de signature.",
        resend: "Renvoyer",
        resent: "La notification est renvoyée.",
        others: "Transactions de la même transaction d’origine",
        signed: "Transaction signée",
        signedNote: "Telle que l’App Store Server API la renvoie maintenant.",
        refund: "Remboursement",
        refundNote: """
            {amount} peuvent être rendus. Le client perd le produit, et vos serveurs reçoivent une notification.
            """,
        amount: "Montant",
        refundButton: "Rembourser",
        refundDone: "L’achat est remboursé.")
}
