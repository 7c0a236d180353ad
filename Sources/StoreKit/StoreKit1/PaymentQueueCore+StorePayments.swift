// SPDX-License-Identifier: Apache-2.0

public import Foundation
import StoreAPI
import StoreAgent

extension PaymentQueueCore {
    /// Offers a purchase that the customer began outside the app to the app.
    /// Without a listener or an observer, the purchase waits for the first one.
    ///
    /// - Returns: whether the purchase is for this app.
    func open(_ link: StorePurchaseLink) -> Bool {
        guard let agent = try? host.agent(), agent.configuration.bundleIdentifier == link.bundleIdentifier else {
            return false
        }
        _ = host.ask { agent in
            try await agent.products([link.productIdentifier])
        } answered: { [self] result in
            // A test's session may have changed the agent since.
            guard host.uses(agent) else { return }
            switch result {
            case .success(let answer):
                guard let purchase = OutsidePurchase(answer, link) else {
                    return AgentHost.say("\(link.productIdentifier) can't be bought: the store doesn't sell it.")
                }
                offer(purchase)
            case .failure(let error):
                AgentHost.say(
                    "\(link.productIdentifier) can't be bought now: \(SKError.message(of: error))"
                )
            }
        }
        return true
    }

    /// Called on the main queue.
    private func offer(_ purchase: OutsidePurchase) {
        if IntentHub.shared.hasListeners { return IntentHub.shared.offer(purchase.intent) }
        let listeners = listeners
        guard !listeners.isEmpty else { return wait(with: purchase) }
        let payment = SKPayment(product: purchase.product)
        // Every observer is called, because each may store the payment.
        let answers = listeners.map { each in
            each.observer.paymentQueue(each.queue, shouldAddStorePayment: payment, for: purchase.product)
        }
        guard let index = answers.firstIndex(of: true) else { return }
        add(payment, through: listeners[index].queue)
    }

    /// Offers the purchases that have waited for an observer.
    func offerWaiting() {
        for purchase in takeWaiting() { offer(purchase) }
    }

    /// Offers the purchases that have waited, and those of the process'
    /// arguments, to the first listener of intents.
    func offerToIntents() {
        openArguments()
        onMain { core in core.offerWaiting() }
        host.settle()
    }
}

/// Passes StoreKit a URL that the app was opened with, such as a link to buy
/// one of its products (`itms-services://?action=purchaseIntent&…`).
///
/// An addition to Apple's API, where the system passes the URL to StoreKit. On
/// Linux StoreKit reads URLs from the arguments of the process. An app that
/// receives URLs while it runs passes them to this function. StoreKit then
/// calls `paymentQueue(_:shouldAddStorePayment:for:)` of the observers, or
/// passes a ``PurchaseIntent`` to the app's listeners.
///
/// - Returns: whether the URL is meant for StoreKit in this app.
@discardableResult
public func openStorePayment(_ url: URL) -> Bool {
    guard let link = StorePurchaseLink(url) else { return false }
    return PaymentQueueCore.shared.open(link)
}
