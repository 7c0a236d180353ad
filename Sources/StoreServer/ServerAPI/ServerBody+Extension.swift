// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDomain

/// The fields of `ExtendRenewalDateRequest` and `MassExtendRenewalDateRequest`.
extension ServerBody {
    /// The order of a seller.
    ///
    /// - Throws: `ServerError` with the number of the wrong field.
    func renewalExtension() throws(ServerError) -> RenewalExtension {
        let days = try number("extendByDays", in: 1...90, or: .invalidExtendByDays)
        let reason = try number("extendReasonCode", in: 0...3, or: .invalidExtendReasonCode)
        let identifier = try text("requestIdentifier", or: .invalidRequestIdentifier)
        guard (1...128).contains(identifier.utf8.count) else { throw .invalidRequestIdentifier }
        return RenewalExtension(
            days: days, reason: RenewalExtension.Reason(rawValue: reason),
            request: RenewalExtensionIdentifier(identifier))
    }

    /// The order of a seller for all subscribers, whose identifier is a UUID.
    ///
    /// - Throws: `ServerError` with the number of the wrong field.
    func massExtension() throws(ServerError) -> RenewalExtension {
        let order = try renewalExtension()
        guard UUID(uuidString: order.request.rawValue) != nil else { throw .invalidRequestIdentifier }
        return order
    }

    /// The country codes of the storefronts of an order; empty for all.
    ///
    /// - Throws: `ServerError` for an empty list and for an unknown country.
    func storefronts() throws(ServerError) -> Set<String> {
        guard has("storefrontCountryCodes") else { return [] }
        let codes = try texts("storefrontCountryCodes", or: .invalidStorefront)
        guard !codes.isEmpty else { throw .emptyStorefronts }
        guard codes.allSatisfy({ Storefront.named($0) != nil }) else { throw .invalidStorefront }
        return Set(codes)
    }
}
