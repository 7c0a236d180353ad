// SPDX-License-Identifier: Apache-2.0

import StoreDomain

/// The texts of the live page.
struct LiveWords: PageWords {
    var lead: String
    var tester: String
    var app: String
    var allApps: String
    var none: String
    var reload: String
    var isLive: String
    var isInterrupted: String
    var payment: String
    var redemption: String
    var signIn: String
    var priceConsent: String
    var signOut: String
    var notification: String
    var onSheet: String
    var noSheet: String
    var processing: String
    var deferred: String
    var interrupted: String
    var bought: String
    var refunded: String
    var unfinished: String
    var done: String
    /// `{reason}`.
    var failed: String
    var noTester: String
    var device: String

    static let english = LiveWords(
        lead: "The newest requests of devices in the sandbox, and the notifications to your servers.",
        tester: "E-mail address of a tester",
        app: "App",
        allApps: "All apps",
        none: """
            Nothing has happened yet. When an app asks for a payment, the request appears here, with the reason if it \
            fails.
            """,
        reload: "Load the page again",
        isLive: "The page shows new entries as they come.",
        isInterrupted: "The connection is interrupted. The page tries again.",
        payment: "Payment",
        redemption: "Redemption of a code",
        signIn: "Sign-in",
        priceConsent: "Consent to a price",
        signOut: "Sign-out",
        notification: "Notification",
        onSheet: "The sheet waits for the customer.",
        noSheet: "The sheet was closed, or has expired.",
        processing: "The payment provider hasn’t answered yet.",
        deferred: "Another person has to approve it (Ask to Buy).",
        interrupted: "It is interrupted until the customer has acted.",
        bought: "Bought, and finished by the app.",
        refunded: "Refunded.",
        unfinished: "Bought. The app hasn’t finished the transaction.",
        done: "Done.",
        failed: "Failed: {reason}",
        noTester: "No tester is signed in.",
        device: "Device")

    static let german = LiveWords(
        lead: "Die neuesten Anfragen von Geräten in der Sandbox und die Mitteilungen an Ihre Server.",
        tester: "E-Mail-Adresse eines Testers",
        app: "App",
        allApps: "Alle Apps",
        none: """
            Es ist noch nichts geschehen. Wenn eine App um eine Zahlung bittet, erscheint die Anfrage hier, mit dem Grund, \
            falls sie scheitert.
            """,
        reload: "Seite neu laden",
        isLive: "Die Seite zeigt neue Einträge, sobald sie kommen.",
        isInterrupted: "Die Verbindung ist unterbrochen. Die Seite versucht es wieder.",
        payment: "Zahlung",
        redemption: "Einlösen eines Codes",
        signIn: "Anmeldung",
        priceConsent: "Zustimmung zu einem Preis",
        signOut: "Abmeldung",
        notification: "Mitteilung",
        onSheet: "Das Kaufblatt wartet auf den Kunden.",
        noSheet: "Das Kaufblatt wurde geschlossen oder ist abgelaufen.",
        processing: "Der Zahlungsanbieter hat noch nicht geantwortet.",
        deferred: "Eine andere Person muss ihn genehmigen (Kaufanfrage).",
        interrupted: "Er ist unterbrochen, bis der Kunde gehandelt hat.",
        bought: "Gekauft und von der App abgeschlossen.",
        refunded: "Erstattet.",
        unfinished: "Gekauft. Die App hat die Transaktion nicht abgeschlossen.",
        done: "Erledigt.",
        failed: "Gescheitert: {reason}",
        noTester: "Kein Tester ist angemeldet.",
        device: "Gerät")

    static let french = LiveWords(
        lead: "Les dernières requêtes des appareils dans le sandbox, et les notifications à vos serveurs.",
        tester: "Adresse e-mail d’un testeur",
        app: "App",
        allApps: "Toutes les apps",
        none: """
            Rien ne s’est encore passé. Quand une app demande un paiement, la requête apparaît ici, avec la raison si \
            elle échoue.
            """,
        reload: "Recharger la page",
        isLive: "La page montre les nouvelles entrées dès leur arrivée.",
        isInterrupted: "La connexion est interrompue. La page réessaie.",
        payment: "Paiement",
        redemption: "Utilisation d’un code",
        signIn: "Connexion",
        priceConsent: "Consentement à un prix",
        signOut: "Déconnexion",
        notification: "Notification",
        onSheet: "La feuille d’achat attend le client.",
        noSheet: "La feuille d’achat a été fermée ou a expiré.",
        processing: "Le prestataire de paiement n’a pas encore répondu.",
        deferred: "Une autre personne doit l’approuver (Demander d’acheter).",
        interrupted: "Elle est interrompue jusqu’à ce que le client ait agi.",
        bought: "Acheté et terminé par l’app.",
        refunded: "Remboursé.",
        unfinished: "Acheté. L’app n’a pas terminé la transaction.",
        done: "Fait.",
        failed: "Échec : {reason}",
        noTester: "Aucun testeur n’est connecté.",
        device: "Appareil")

    func name(_ kind: DeviceRequest.Kind) -> String {
        switch kind {
        case .payment: payment
        case .redemption: redemption
        case .signIn: signIn
        case .priceConsent: priceConsent
        case .signOut: signOut
        default: kind.rawValue
        }
    }
}
