// SPDX-License-Identifier: Apache-2.0

public import Foundation
import StoreAgent

/// A purchase that the customer began outside the app, as a URL:
/// `itms-services://?action=purchaseIntent&bundleId=…&productIdentifier=…`.
struct PurchaseIntent: Hashable {
    let bundleIdentifier: String
    let productIdentifier: String

    /// Reads a URL; `nil` when it isn't such a purchase.
    init?(_ url: URL) {
        guard url.scheme?.lowercased() == "itms-services",
            let items = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems
        else { return nil }
        func value(_ names: String...) -> String? {
            items.first { names.contains($0.name) }?.value.flatMap { $0.isEmpty ? nil : $0 }
        }
        guard value("action") == "purchaseIntent", let bundle = value("bundleId", "bundleIdentifier"),
            let product = value("productIdentifier")
        else { return nil }
        bundleIdentifier = bundle
        productIdentifier = product
    }

    /// The purchases among the arguments of the process.
    static func all(in arguments: [String]) -> [PurchaseIntent] {
        arguments.dropFirst().compactMap { URL(string: $0).flatMap(PurchaseIntent.init) }
    }
}

extension PaymentQueueCore {
    /// Asks the observers whether to continue a purchase that the customer
    /// began outside the app. Without observers, the purchase waits for the
    /// first one.
    ///
    /// - Returns: whether the purchase is for this app.
    func open(_ intent: PurchaseIntent) -> Bool {
        guard let agent = try? host.agent(), agent.configuration.bundleIdentifier == intent.bundleIdentifier else {
            return false
        }
        _ = host.ask { agent in
            try await agent.products([intent.productIdentifier])
        } answered: { [self] result in
            // A test's session may have changed the agent since.
            guard (try? host.agent()) === agent else { return }
            switch result {
            case .success(let answer):
                guard let product = SKProductsResponse(answer).products.first else {
                    return AgentHost.say("\(intent.productIdentifier) can't be bought: the store doesn't sell it.")
                }
                offer(product)
            case .failure(let error):
                AgentHost.say(
                    "\(intent.productIdentifier) can't be bought now: \(SKError(describing: error).localizedDescription)"
                )
            }
        }
        return true
    }

    /// Called on the main queue.
    private func offer(_ product: SKProduct) {
        let listeners = listeners
        guard !listeners.isEmpty else { return wait(with: product) }
        let payment = SKPayment(product: product)
        // Every observer is called, because each may store the payment.
        let answers = listeners.map { each in
            each.observer.paymentQueue(each.queue, shouldAddStorePayment: payment, for: product)
        }
        guard let index = answers.firstIndex(of: true) else { return }
        add(payment, through: listeners[index].queue)
    }

    /// Offers the products that have waited for an observer.
    func offerWaiting() {
        for product in takeWaiting() { offer(product) }
    }
}

/// Passes StoreKit a URL that the app was opened with, such as a link to buy
/// one of its products (`itms-services://?action=purchaseIntent&…`).
///
/// An addition to Apple's API, where the system passes the URL to StoreKit. On
/// Linux StoreKit reads URLs from the arguments of the process. An app that
/// receives URLs while it runs passes them to this function. StoreKit then
/// calls `paymentQueue(_:shouldAddStorePayment:for:)` of the observers.
///
/// - Returns: whether the URL is meant for StoreKit in this app.
@discardableResult
public func openStorePayment(_ url: URL) -> Bool {
    guard let intent = PurchaseIntent(url) else { return false }
    return PaymentQueueCore.shared.open(intent)
}
