// SPDX-License-Identifier: Apache-2.0

extension Audit {
    /// A code for former customers begins a subscription that had ended, and
    /// none whose renewal is only due.
    func codesForFormerCustomersWait() {
        guard let agreements = world.agreements else { return }
        for subscription in books.subscriptions {
            for (place, event) in subscription.events.enumerated() {
                guard let offer = event.details.period?.offer, offer.kind == "code", offer.number == 1,
                    offer.identifier == Template.returning.name
                else { continue }
                var before = subscription
                before.events.removeLast(before.events.count - place)
                let history = History(before)
                if history.isRunning {
                    agreements.complain(
                        "\(subscription.original) wasn't over when a former customer's code was redeemed")
                }
            }
        }
    }
}
