// SPDX-License-Identifier: Apache-2.0

/// The consequence of buying a product of a group, decided from the state of
/// the account's subscription. The sheet's form contains the raw values.
package enum PlanChange: String, Hashable, Sendable {
    /// A period begins now, or, in the grace period, at the end of the one
    /// before.
    case subscribe
    /// A period begins now, and the unused part of the running one is given
    /// back: the product has a higher level, or the same level and duration.
    case upgrade
    /// The product is that of the next period: it has a lower level, or the
    /// same level and another duration.
    case choose
    /// The product is the current one: its renewal is turned on, and another
    /// choice for the next period is dropped.
    case keep

    /// Whether something is paid now.
    package var charges: Bool { self == .subscribe || self == .upgrade }

    /// Decides about a product at a moment; `state` is `nil` without a
    /// subscription.
    static func buying(
        _ product: ProductIdentifier, _ plan: Product.Plan, _ state: SubscriptionState?, at moment: StoreTime
    ) -> PlanChange {
        guard let state, state.status(at: moment) == .active else { return .subscribe }
        if product == state.period.product { return .keep }
        let current = state.period.plan
        if plan.level < current.level || (plan.level == current.level && plan.period == current.period) {
            return .upgrade
        }
        return .choose
    }
}
