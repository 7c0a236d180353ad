// SPDX-License-Identifier: Apache-2.0

import Logging
package import StoreAPI
import StoreDomain

extension StoreService {
    /// How an error of the domain or the database goes to a device or a page.
    /// What nobody expected is logged, and says nothing of its insides.
    package func failure(of error: any Error, at place: String) -> StoreFailure {
        switch error {
        case let failure as StoreFailure:
            return failure
        case let error as DomainError:
            return StoreFailure(Self.codes[error.code] ?? .invalid, error.message)
        default:
            if let outage = StoreContext.outage(error) {
                logger.error("database out of order", metadata: ["place": "\(place)", "error": "\(outage)"])
                return StoreFailure(.unavailable, "The store can't answer now: \(outage) Nothing was lost; try again.")
            }
            if let reason = StoreContext.badValue(error) { return StoreFailure(.invalid, reason) }
            logger.error("unexpected error", metadata: ["place": "\(place)", "error": "\(error)"])
            return StoreFailure(.internalError, "The store failed; its log says why.")
        }
    }

    private static let codes: [DomainError.Code: StoreFailure.Code] = [
        .invalid: .invalid,
        .notFound: .notFound,
        .exists: .invalid,
        .unknownDevice: .unknownDevice,
        .deviceTaken: .deviceTaken,
        .requestMismatch: .requestMismatch,
        .wrongPassword: .wrongPassword,
        .throttled: .throttled,
        .sheetUsed: .sheetUsed,
        .sheetExpired: .sheetExpired,
        .declined: .declined,
        .underWay: .underWay,
        .decided: .decided,
        .priceChanged: .priceChanged,
        .providerUnavailable: .unavailable,
    ]
}
