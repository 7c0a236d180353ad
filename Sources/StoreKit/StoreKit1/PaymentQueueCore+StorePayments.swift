// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import StoreAgent

/// A purchase that the customer began outside of the app, as an address says
/// it: `itms-services://?action=purchaseIntent&bundleId=…&productIdentifier=…`.
struct PurchaseIntent: Hashable {
    let bundleIdentifier: String
    let productIdentifier: String

    /// Reads an address; `nil` for one that says something else.
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

    /// What the process was started with.
    static func all(in arguments: [String]) -> [PurchaseIntent] {
        arguments.dropFirst().compactMap { URL(string: $0).flatMap(PurchaseIntent.init) }
    }
}

extension PaymentQueueCore {
    /// Asks the observers whether a purchase that the customer began outside
    /// of the app goes on now; those that come later, when there are none.
    ///
    /// - Returns: whether it is this app's.
    func open(_ intent: PurchaseIntent) -> Bool {
        guard let agent = try? host.agent(), agent.configuration.bundleIdentifier == intent.bundleIdentifier else {
            return false
        }
        _ = host.ask { agent in
            try await agent.products([intent.productIdentifier])
        } answered: { [self] result in
            // A test's session has come or gone meanwhile.
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
        // Every observer is asked, as each may have something to remember.
        let answers = listeners.map { each in
            each.observer.paymentQueue(each.queue, shouldAddStorePayment: payment, for: product)
        }
        guard let index = answers.firstIndex(of: true) else { return }
        add(payment, through: listeners[index].queue)
    }

    /// Offers what came before there was an observer.
    func offerWaiting() {
        for product in takeWaiting() { offer(product) }
    }
}

/// Tells StoreKit of an address that the app was opened with, such as a link
/// to buy one of its products (`itms-services://?action=purchaseIntent&…`).
///
/// Not Apple's: there the system tells StoreKit. On Linux an address comes as
/// an argument of the process, which StoreKit reads by itself, or in whatever
/// way the app has for addresses while it runs: then it calls this. Observers
/// are asked by `paymentQueue(_:shouldAddStorePayment:for:)`.
///
/// - Returns: whether the address is meant for StoreKit in this app.
@discardableResult
public func openStorePayment(_ url: URL) -> Bool {
    guard let intent = PurchaseIntent(url) else { return false }
    return PaymentQueueCore.shared.open(intent)
}
