// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDomain

/// The price increases that wait for the consent of the customer.
extension EventFeed {
    /// Reads the price increases of an account in the app, and sends them.
    /// Without any, they are sent only if `isChange`.
    func readPriceIncreases(of account: AccountIdentifier, isChange: Bool) async throws {
        let undecided = try await AnsweringPriceIncrease(service.context).pending(of: account, in: bundleIdentifier)
            .filter(\.isUndecided)
        guard isChange || !undecided.isEmpty else { return }
        pending.append(.priceIncreases(undecided.prefix(PriceIncreases.count).map(\.name)))
    }
}

extension ReadingQueue.NumberedNews {
    /// Whether the price increases that wait may be others than before.
    var changesPriceIncreases: Bool {
        if case .priceIncreases = news { true } else { false }
    }
}
