// SPDX-License-Identifier: Apache-2.0

import Logging
package import StoreDomain

/// Subscriptions: the steps that are due, and the clocks of sandbox accounts.
extension StoreService {
    /// Carries out the steps of subscriptions that are due. A step that fails
    /// is logged, and tried again in the next round.
    package func renewSubscriptions() async {
        let renewing = RenewingSubscriptions(context, requireDeliverable: { [self] in try requireDeliverable() })
        do {
            try await renewing { [logger] failure in
                logger.warning(
                    "a renewal waits", metadata: ["account": "\(failure.account)", "error": "\(failure.error)"])
            }
        } catch {
            _ = failure(of: error, at: "renewing subscriptions")
        }
    }

    /// Sets the prices that begin, and tells subscribers of higher ones. A
    /// change that fails is logged, and tried again in the next round.
    package func applyPriceChanges() async {
        do {
            try await ApplyingPriceChanges(context)() { [logger] failure in
                logger.warning(
                    "a price change waits", metadata: ["change": "\(failure.change)", "error": "\(failure.error)"])
            }
        } catch {
            _ = failure(of: error, at: "applying price changes")
        }
    }

    /// Ends the running period of a sandbox subscription, and begins the next
    /// one immediately.
    ///
    /// - Throws: The errors of `ForcingRenewal`.
    package func renewNow(_ original: OriginalTransactionIdentifier, of account: AccountIdentifier) async throws {
        try await ForcingRenewal(context, requireDeliverable: { [self] in try requireDeliverable() })(
            original, account: account)
    }

    /// Moves the clock of a sandbox account, carries out the steps that are due, and
    /// lists it.
    ///
    /// - Throws: The errors of `AdvancingClock`.
    package func move(clockOf email: String, _ move: MovingClock.Move) async throws -> AdvancingClock.Advanced {
        try await AdvancingClock(context, requireDeliverable: { [self] in try requireDeliverable() })(
            email: email, move)
    }
}
