// SPDX-License-Identifier: Apache-2.0

/// A seller's order to move the end of a running period, for example after an
/// outage of the seller's service.
package struct RenewalExtension: Hashable, Sendable {
    /// Why a period is extended: the numbers of `extendReasonCode` in the App
    /// Store Server API.
    package struct Reason: RawRepresentable, Hashable, Sendable {
        package var rawValue: Int

        package init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// The seller gives no reason.
        package static let undeclared = Reason(rawValue: 0)
        /// To satisfy a customer.
        package static let satisfaction = Reason(rawValue: 1)
        /// A reason that isn't listed here.
        package static let other = Reason(rawValue: 2)
        /// The seller's service couldn't be used.
        package static let outage = Reason(rawValue: 3)
    }

    /// 1 to 90.
    package var days: Int
    package var reason: Reason
    /// The caller's identifier of the order. A subscription is extended once
    /// for it.
    package var request: RenewalExtensionIdentifier

    package init(days: Int, reason: Reason, request: RenewalExtensionIdentifier) {
        self.days = days
        self.reason = reason
        self.request = request
    }

    /// - Throws: ``DomainError`` `invalid` for another number of days, or an
    ///   identifier of another length.
    func check() throws {
        guard (1...90).contains(days) else {
            throw DomainError(.invalid, "A subscription is extended by 1 to 90 days, not \(days).")
        }
        guard (1...128).contains(request.rawValue.utf8.count) else {
            throw DomainError(.invalid, "The identifier of an extension has 1 to 128 bytes.")
        }
    }
}

/// A seller's identifier of an extension.
package typealias RenewalExtensionIdentifier = TypedIdentifier<RenewalExtension>
