// SPDX-License-Identifier: Apache-2.0

import StoreAgent
import StoreDomain

/// Compares the store's books with the payment provider's, and both with the
/// transactions that apps have received.
struct Audit {
    let world: World
    let books: Books
    var witness: Witness { world.witness }

    init(_ world: World, _ books: Books) {
        self.world = world
        self.books = books
    }

    func run() {
        world.store.provider.complaints.forEach(witness.complain)
        compareWithProvider()
        nothingIsChargedTwice()
        everythingChargedIsDelivered()
        everythingDeliveredIsCharged()
        consumablesHaveOneHolder()
        everyPaymentEnds()
        receiptsHoldWhatIsTold()
        nothingIsSoldToTheBarred()
        pricesWereShown()
        whatIsOwnedCostsNothing()
        valuesAreTheLastOnes()
        revokedTransactionsLeave()
        subscriptionsGoOn()
        offersAreUsedOnce()
        downloadsAreTheContentBought()
        familiesAgree()
        codesForFormerCustomersWait()
        purchasesReturnTheirOwn()
        if !witness.violations.isEmpty { noteHistories() }
    }

    private func receiptsHoldWhatIsTold() {
        let refunded = Set(books.charges.filter(books.wasRefunded).map(\.transaction))
        for told in witness.receipts.unreceipted
        where !refunded.contains(told.transaction) && !isFinishedByFormerHolder(told.transaction) {
            witness.complain("\(told.transaction) was delivered to \(told.where), with a receipt that doesn't hold it")
        }
    }

    private func compareWithProvider() {
        let charged = Dictionary(grouping: books.charges.filter { $0.payment != nil }, by: { $0.payment ?? "" })
        let setAside = Set(books.subscriptions.compactMap { History($0).authorised })
        for (number, entry) in world.store.provider.books.sorted(by: { $0.key < $1.key }) {
            let lines = charged[number] ?? []
            switch entry.status {
            case .captured:
                if lines.count != 1 { witness.complain("payment \(number) was collected for \(lines.count) purchases") }
                if lines.contains(where: { $0.price != entry.amount }) {
                    witness.complain("payment \(number) was collected with another amount")
                }
                if lines.contains(where: \.isRefunded) { witness.complain("payment \(number) wasn't given back") }
            case .refunded:
                let refunds = lines.map { books.refunds[$0.transaction] ?? 0 }
                if refunds != [entry.amount.milliunits] {
                    witness.complain("payment \(number) was given back for refunds of \(refunds)")
                }
            case .pending: witness.complain("payment \(number) stays pending")
            case .authorised:
                // The next period of a subscription is paid a day before it begins.
                if !setAside.contains(number) {
                    witness.complain("the amount of payment \(number) stays set aside")
                }
            case .declined, .voided:
                if !lines.isEmpty { witness.complain("payment \(number) is \(entry.status), and something was bought") }
            }
            let isCollected = entry.status == .captured || entry.status == .refunded
            let income = isCollected ? entry.amount.milliunits - entry.refunded : 0
            if books.incomes[number, default: 0] != income {
                witness.complain("payment \(number) is an income of \(income), and the ledger has another one")
            }
        }
        for number in charged.keys.sorted() where world.store.provider.books[number] == nil {
            witness.complain("the provider doesn't know payment \(number), and a product was bought for it")
        }
    }

    private func nothingIsChargedTwice() {
        let requested = books.charges.filter { !$0.isRenewal }
        for (request, lines) in Dictionary(grouping: requested, by: \.request) where lines.count > 1 {
            witness.complain("request \(request) was charged \(lines.count) times")
        }
        let owned = books.charges.filter { $0.isOwnedOnce && $0.price.milliunits > 0 && !$0.isRefunded }
        for (thing, lines) in Dictionary(grouping: owned, by: { "\($0.product) of \($0.bundle) by \($0.account)" })
        where lines.count > 1 {
            witness.complain("\(thing) can be owned once and was charged \(lines.count) times")
        }
    }

    private func everythingChargedIsDelivered() {
        for charge in books.charges where !charge.isRenewal {
            if world.absent.contains(where: { $0.has(charge.device) }) { continue }
            // A parent has approved a choice that was made on a page of the account.
            if world.agreements != nil { continue }
            // No app has asked for it: it reaches all devices, as a renewal does.
            if books.redemptions.contains(charge.request) { continue }
            guard let device = world.devices.first(where: { $0.identifier == charge.device }) else {
                witness.complain("\(charge.transaction) was charged on an unknown device")
                continue
            }
            let place = device.place(of: charge.bundle)
            guard let payment = witness.payments[charge.request] else {
                // The app's process ended while it added the payment. A later process has the purchase, without the payment
                // if it uses StoreKit 2.
                let isTaken = books.wasRefunded(charge) || books.handedOver.contains(charge.transaction)
                let isGiven = witness.purchased[place]?.contains(charge.transaction) == true
                if !(isTaken || isGiven) || !witness.additionsBrokenOff.contains(place) {
                    witness.complain("\(charge.transaction) was charged for \(charge.request), which no app has paid")
                }
                continue
            }
            if payment.place != place {
                witness.complain("\(charge.transaction) was charged for \(place), and paid by \(payment.place)")
            }
            // A purchase that is refunded before its delivery may never be delivered, and one whose refund is taken back
            // afterwards reaches the devices of that time.
            if books.wasRefunded(charge) { continue }
            // A resolved interruption reaches every device that uses the app,
            // and one of them finishes it for all. A consumable has one
            // holder: the device that asked, until it is handed over.
            let places: Set<Place> =
                if let consumable = world.holders.consumables[charge.transaction] {
                    self.places(of: consumable)
                } else if charge.wasInterrupted {
                    Set(witness.purchased.keys.filter { $0.bundle == charge.bundle })
                } else {
                    [place]
                }
            if !places.contains(where: { witness.purchased[$0]?.contains(charge.transaction) == true }) {
                witness.complain("\(charge.transaction) was charged and never delivered by \(place)")
            }
            if payment.state == .failed, !charge.wasInterrupted {
                witness.complain("\(charge.request) failed, and was charged as \(charge.transaction)")
            }
        }
    }

    private func everythingDeliveredIsCharged() {
        let charged = Dictionary(grouping: books.charges, by: \.transaction)
        for (place, transactions) in witness.purchased.sorted(by: { "\($0.key)" < "\($1.key)" }) {
            for transaction in transactions.sorted() where charged[transaction]?.first?.bundle != place.bundle {
                witness.complain("\(transaction) was delivered by \(place) and never charged for it")
            }
        }
        for (transaction, original) in witness.restored.sorted(by: { $0.key < $1.key }) {
            guard let line = charged[original]?.first, line.isOwnedOnce || line.isPeriod else {
                witness.complain("\(transaction) restores \(original), which no account has bought")
                continue
            }
        }
    }

    /// Whether another payment, which has changed the subscription's plan, has
    /// brought the transaction of this one.
    private func isReplaced(_ request: String, _ payment: Witness.Payment) -> Bool {
        guard let answer = books.answers[request],
            let charge = books.charges.first(where: { $0.transaction == answer }), charge.isPeriod
        else { return false }
        return books.wasRefunded(charge) || witness.purchased[payment.place]?.contains(answer) == true
    }

    private func everyPaymentEnds() {
        // A purchase that is refunded or handed over before its delivery may
        // never be delivered by the app that has paid.
        let taken = Set(
            books.charges.filter { books.wasRefunded($0) || books.handedOver.contains($0.transaction) }.map(\.request))
        for (name, payment) in witness.payments.sorted(by: { $0.key < $1.key }) where !taken.contains(name) {
            if isReplaced(name, payment) { continue }
            if isGivenByStoreKit2(name, payment) { continue }
            // Its task may have ended before the decision, and no app receives a failure then.
            if payment.payment.isAwaited { continue }
            if payment.state != .purchased, payment.state != .failed {
                let state = payment.state.map { "\($0)" } ?? "untold"
                witness.complain("\(name) of \(payment.payment.productIdentifier) by \(payment.place) ends \(state)")
            }
        }
        for device in world.devices {
            for app in device.processes where witness.openRestores[ObjectIdentifier(app), default: 0] > 0 {
                witness.complain("a restore of \(app.life.name) doesn't end")
            }
        }
    }
}
