// SPDX-License-Identifier: Apache-2.0

/// The decision about a ``RenewalExtension``.
enum ExtensionDecision: Hashable, Sendable {
    /// The same order has moved the period's end before.
    case repeated(StoreTime)
    /// The period ends at this moment from now on. At a shortened speed it may
    /// be the end that it has already.
    case extend(to: StoreTime)

    /// The number of extensions that a subscription has in a year at most.
    private static let most = 2
    private static let year: Int64 = 365 * 86_400 * 1000

    /// Decides about an order at a moment of the account's time. `earlier`
    /// has all events `extended` of the subscription. Those without an order
    /// don't count towards the limit: a test has ended a period early.
    ///
    /// - Throws: ``DomainError``: `requestMismatch` for an identifier of
    ///   another order, `decided` for a period that can't be extended,
    ///   `extendedTwice` for one that was extended too often.
    static func deciding(
        _ order: RenewalExtension, _ state: SubscriptionState, earlier: [SubscriptionEvent], at moment: StoreTime
    ) throws -> ExtensionDecision {
        if let known = earlier.first(where: { $0.renewalExtension?.request == order.request }) {
            guard known.renewalExtension == order else {
                throw DomainError(
                    .requestMismatch, "The identifier \(order.request) was used for another extension.")
            }
            return .repeated(known.until ?? state.end)
        }
        guard state.status(at: moment) == .active else {
            throw DomainError(
                .decided, "Only a period that runs can be extended: the subscription has ended, or isn't paid.")
        }
        guard state.period.price.milliunits > 0 else {
            throw DomainError(.decided, "Only a period that was paid can be extended: this one costs nothing.")
        }
        let ordered = earlier.filter { $0.renewalExtension != nil }
        guard ordered.count(where: { $0.at.milliseconds > moment.milliseconds - year }) < most else {
            throw DomainError(.extendedTwice, "A subscription can be extended twice in 365 days: this one was.")
        }
        return .extend(to: state.period.speed.extended(state.end, days: order.days, period: state.period.plan.period))
    }
}
