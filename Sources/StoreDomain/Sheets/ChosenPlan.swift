// SPDX-License-Identifier: Apache-2.0

/// The plan that a customer has chosen for the next period of a subscription.
/// Nothing was bought or charged.
package struct ChosenPlan: Hashable, Sendable {
    /// Whether it is the current plan, whose renewal is on.
    package var isCurrent: Bool
    /// The end of the paid period, at which the next one begins.
    package var begins: StoreTime

    /// The choice of a request for a subscription, from the purchase that has
    /// answered it; `nil` when the purchase is the request's own.
    init?(of request: DeviceRequest, answeredBy purchase: Purchase) {
        guard let term = purchase.term,
            purchase.requestIdentifier != request.identifier || purchase.device != request.device
        else { return nil }
        isCurrent = purchase.productIdentifier == request.productIdentifier
        begins = term.expires
    }
}
