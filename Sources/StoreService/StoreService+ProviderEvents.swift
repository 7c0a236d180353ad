// SPDX-License-Identifier: Apache-2.0

import Logging
package import StoreDomain

/// The events of the payment provider.
extension StoreService {
    /// Saves an event of the payment provider, and handles it. Repeating an
    /// event changes nothing.
    ///
    /// - Throws: `DatabaseError` when the event isn't saved: the provider has
    ///   to send it again.
    package func receive(_ event: ProviderEvent) async throws {
        try await receiving(event) { report($0) }
    }

    /// Fetches the events that the provider has for the store, and handles
    /// them.
    package func receiveProviderEvents() async {
        do {
            try await receiving.fetch { report($0) }
        } catch {
            _ = failure(of: error, at: "receiving provider events")
        }
    }

    /// Handles the saved events that wait, because their payment was unknown
    /// or an error stopped them.
    package func handleProviderEvents() async {
        do {
            try await receiving.handleDue { report($0) }
        } catch {
            _ = failure(of: error, at: "handling provider events")
        }
    }

    private var receiving: ReceivingProviderEvents {
        ReceivingProviderEvents(context, requireDeliverable: { [self] in try requireDeliverable() })
    }

    private func report(_ handling: ReceivingProviderEvents.Handling) {
        switch handling {
        case .handled(let event, let outcome, let progress):
            if outcome.needsOperator {
                logger.error("an event of the payment provider doesn't fit", metadata: metadata(event, outcome))
            } else if outcome == .released {
                logger.notice("a payment was authorised too late", metadata: metadata(event, outcome))
            } else if outcome == .reversed {
                logger.notice("the amount of a payment has changed", metadata: metadata(event, outcome))
            }
            if let progress { report(progress) }
        case .failed(let event, let error):
            logger.warning(
                "an event of the payment provider waits",
                metadata: ["event": "\(event.identifier)", "payment": "\(event.payment)", "error": "\(error)"])
        }
    }

    private func metadata(_ event: ProviderEvent, _ outcome: ProviderEvent.Consequence) -> Logger.Metadata {
        [
            "event": "\(event.identifier)", "payment": "\(event.payment)", "kind": "\(event.kind.rawValue)",
            "outcome": "\(outcome.rawValue)",
        ]
    }
}
