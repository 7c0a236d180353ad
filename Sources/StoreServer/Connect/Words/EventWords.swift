// SPDX-License-Identifier: Apache-2.0

import StoreDomain

/// The names of a purchase's events, of the kinds of its ledger's entries, and
/// of the states of a notification's delivery.
struct EventWords: PageWords {
    var bought: String
    var handedOver: String
    var finished: String
    var refunded: String
    var reinstated: String
    var receipt: String
    var priceIncrease: String
    var renewal: String
    var refundRequest: String
    var childRequest: String
    var charge: String
    var refund: String
    var dispute: String
    var disputeWon: String
    var disputeLost: String
    var refundReversed: String
    var captureFailed: String
    var due: String
    var held: String
    var listened: String
    var delivered: String
    var failed: String

    static let english = EventWords(
        bought: "was added to the queues of devices",
        handedOver: "was moved to the queue of another device",
        finished: "was finished by the app",
        refunded: "was refunded",
        reinstated: "the refund was taken back",
        receipt: "changed in the receipt",
        priceIncrease: "a higher price was announced, answered or withdrawn",
        renewal: "the renewal has changed",
        refundRequest: "the customer has asked for a refund",
        childRequest: "a child has asked to buy",
        charge: "charged",
        refund: "refunded",
        dispute: "disputed at the bank",
        disputeWon: "dispute won",
        disputeLost: "dispute lost",
        refundReversed: "refund taken back",
        captureFailed: "couldn’t be collected",
        due: "waits for an attempt",
        held: "held back by a test",
        listened: "waits for the listener",
        delivered: "delivered",
        failed: "not delivered; no attempt follows")

    static let german = EventWords(
        bought: "in die Warteschlangen der Geräte gelegt",
        handedOver: "in die Warteschlange eines anderen Geräts gelegt",
        finished: "von der App abgeschlossen",
        refunded: "erstattet",
        reinstated: "Erstattung zurückgenommen",
        receipt: "im Beleg geändert",
        priceIncrease: "ein höherer Preis wurde angekündigt, beantwortet oder zurückgenommen",
        renewal: "die Verlängerung hat sich geändert",
        refundRequest: "der Kunde hat um eine Erstattung gebeten",
        childRequest: "ein Kind hat um einen Kauf gebeten",
        charge: "berechnet",
        refund: "erstattet",
        dispute: "bei der Bank beanstandet",
        disputeWon: "Beanstandung gewonnen",
        disputeLost: "Beanstandung verloren",
        refundReversed: "Erstattung zurückgenommen",
        captureFailed: "konnte nicht eingezogen werden",
        due: "wartet auf einen Versuch",
        held: "von einem Test zurückgehalten",
        listened: "wartet auf den Empfänger",
        delivered: "zugestellt",
        failed: "nicht zugestellt; es folgt kein Versuch")

    static let french = EventWords(
        bought: "ajouté aux files des appareils",
        handedOver: "passé dans la file d’un autre appareil",
        finished: "terminé par l’app",
        refunded: "remboursé",
        reinstated: "remboursement annulé",
        receipt: "modifié dans le reçu",
        priceIncrease: "un prix plus élevé a été annoncé, répondu ou retiré",
        renewal: "le renouvellement a changé",
        refundRequest: "le client a demandé un remboursement",
        childRequest: "un enfant a demandé un achat",
        charge: "débité",
        refund: "remboursé",
        dispute: "contesté auprès de la banque",
        disputeWon: "contestation gagnée",
        disputeLost: "contestation perdue",
        refundReversed: "remboursement annulé",
        captureFailed: "n’a pas pu être encaissé",
        due: "attend un essai",
        held: "retenue par un test",
        listened: "attend le récepteur",
        delivered: "délivrée",
        failed: "non délivrée ; aucun essai ne suit")

    /// The words of an event's kind; its code for one of a newer version.
    func name(_ kind: AccountEvent.Kind) -> String {
        switch kind {
        case .transaction: bought
        case .handedOver: handedOver
        case .finished: finished
        case .revoked: refunded
        case .reinstated: reinstated
        case .receipt: receipt
        case .priceIncrease: priceIncrease
        case .renewal: renewal
        case .refundRequest: refundRequest
        case .childRequest: childRequest
        default: kind.rawValue
        }
    }

    func name(_ kind: LedgerEntry.Kind) -> String {
        switch kind {
        case .charge: charge
        case .refund: refund
        case .dispute: dispute
        case .disputeWon: disputeWon
        case .disputeLost: disputeLost
        case .refundReversed: refundReversed
        case .captureFailed: captureFailed
        }
    }

    func name(_ state: NotificationDelivery.State) -> String {
        switch state {
        case .due: due
        case .held: held
        case .listened: listened
        case .delivered: delivered
        case .failed: failed
        }
    }
}
