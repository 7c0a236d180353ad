// SPDX-License-Identifier: Apache-2.0

/// Checks of subscriptions: of their histories, their charges, and the devices
/// that have received the periods.
extension Audit {
    func subscriptionsGoOn() {
        guard let renewals = world.renewals else { return }
        world.sold = (books.subscriptions.count, books.charges.count { $0.isPeriod })
        let groups = Dictionary(grouping: books.subscriptions) { "\($0.group) of \($0.bundle) by \($0.account)" }
        for (group, all) in groups.sorted(by: { $0.key < $1.key }) where all.count > 1 {
            witness.complain("\(group) has \(all.count) subscriptions")
        }
        let charges = Dictionary(grouping: books.charges, by: \.transaction)
        for subscription in books.subscriptions {
            let history = History(subscription)
            history.mistakes.forEach(witness.complain)
            nothingIsOverdue(subscription, history)
            everyPeriodIsCharged(subscription, history, charges)
        }
        everyPeriodHasAHistory()
        everyDeviceHears(renewals)
    }

    /// Checks that a step that was due was carried out. The store's own
    /// date of the next step isn't used: it may be wrong.
    private func nothingIsOverdue(_ subscription: Books.Subscription, _ history: History) {
        let now = world.scheduler.now + (books.offsets[subscription.account] ?? 0) - 2 * world.store.tolerance
        if history.isRunning, !history.isInRetry, history.end < now {
            witness.complain("\(subscription.original) ended at \(history.end), and nothing has happened until \(now)")
        }
        if history.isRunning, history.isInRetry, history.end + 61 * 86_400_000 < now {
            witness.complain("\(subscription.original) stays in retry")
        }
    }

    /// Checks that each period is a purchase with one charge, and that the
    /// purchase has the period's dates.
    private func everyPeriodIsCharged(
        _ subscription: Books.Subscription, _ history: History, _ charges: [String: [Books.Charge]]
    ) {
        for paid in history.periods {
            let charges = charges[paid.period.transaction] ?? []
            guard let charge = charges.first, charges.count == 1 else {
                witness.complain("the period \(paid.period.transaction) was charged \(charges.count) times")
                continue
            }
            let isRight =
                charge.original == subscription.original && charge.account == subscription.account
                && charge.bundle == subscription.bundle && charge.product == paid.period.product
                && charge.date == paid.period.start && charge.isUpgraded == paid.isUpgraded
                && (paid.isUpgraded || charge.expires == paid.end)
            if !isRight { witness.complain("\(charge.transaction) isn't the period of \(subscription.original)") }
            if charge.isRenewal { isDated(charge, by: paid) }
        }
    }

    /// Checks that a renewal's charge is dated when it was due, or later if the
    /// provider has answered it later.
    private func isDated(_ charge: Books.Charge, by paid: History.Paid) {
        let wasPending = charge.payment.flatMap { world.store.provider.books[$0]?.wasPending } ?? false
        guard wasPending ? charge.charged < paid.begun : charge.charged != paid.begun else { return }
        witness.complain("\(charge.transaction) was due at \(paid.begun) and is charged at \(charge.charged)")
    }

    /// Writes the histories into the trace of a run that went wrong.
    func noteHistories() {
        for subscription in books.subscriptions {
            for event in subscription.events {
                world.note("\(subscription.original.suffix(6)) \(event)")
            }
        }
    }

    private func everyPeriodHasAHistory() {
        let known = Set(books.subscriptions.flatMap { History($0).periods.map(\.period.transaction) })
        for charge in books.charges where charge.isPeriod && !known.contains(charge.transaction) {
            witness.complain("\(charge.transaction) was charged and is no period of \(charge.original)")
        }
    }

    /// Checks that each device on which the account has used the app when a
    /// period was sold has received the period.
    private func everyDeviceHears(_ renewals: RenewalWitness) {
        let sold = Set(books.charges.filter { !$0.isRefunded }.map(\.transaction))
        for due in renewals.due.sorted(by: { ($0.transaction, $0.device) < ($1.transaction, $1.device) })
        where sold.contains(due.transaction) {
            guard let device = world.devices.first(where: { $0.identifier == due.device }) else { continue }
            let place = device.place(of: due.bundle)
            if witness.purchased[place]?.contains(due.transaction) != true {
                witness.complain("the period \(due.transaction) was never delivered by \(place)")
            }
        }
    }
}
