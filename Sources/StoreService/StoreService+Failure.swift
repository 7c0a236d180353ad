// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Logging
package import StoreAPI
import StoreDomain

extension StoreService {
    /// Converts an error of the domain or the database to the failure that a
    /// device or a page receives. An unexpected error is logged, and the
    /// failure contains no detail of it.
    package func failure(of error: any Error, at place: String) -> StoreFailure {
        switch error {
        case let failure as StoreFailure:
            return failure
        case let error as DomainError where error.code == .authority:
            logger.error("nothing can be signed", metadata: ["place": "\(place)", "error": "\(error)"])
            return StoreFailure(.unavailable, "The store can't sign now; its log says why.", retryAfter: 60)
        case let error as DomainError:
            return StoreFailure(
                Self.codes[error.code] ?? .invalid, error.message, reason: error.reason,
                retryAfter: error.retryAfter ?? Self.pauses[error.code])
        case let error as InvalidFields:
            return StoreFailure(.invalid, error.message)
        case let error as ContentFormatError:
            return StoreFailure(error.code == .tooLarge ? .tooLarge : .invalid, error.message)
        case let error as ContentStorageError:
            logger.error("storage of content out of order", metadata: ["place": "\(place)", "error": "\(error)"])
            return StoreFailure(.unavailable, Self.message(of: error), retryAfter: 60)
        default:
            if StoreContext.isOverload(error) {
                logger.notice("too much to do", metadata: ["place": "\(place)", "error": "\(error)"])
                return StoreFailure(.unavailable, Self.outage, retryAfter: Self.overloadPause)
            }
            if let outage = StoreContext.outage(error) {
                logger.error("database out of order", metadata: ["place": "\(place)", "error": "\(outage)"])
                return StoreFailure(.unavailable, Self.outage, retryAfter: 5)
            }
            if let error = error as? AppReceiptError, error.code == .notValidAtCreationDate {
                logger.error("nothing can be signed", metadata: ["place": "\(place)", "error": "\(error)"])
                return StoreFailure(
                    .unavailable, "The store can't sign for the time of its clock: its operator has to set the clock.",
                    retryAfter: 60)
            }
            if StoreContext.isBadValue(error) {
                logger.notice("a value can't be stored", metadata: ["place": "\(place)", "error": "\(error)"])
                return StoreFailure(.invalid, "A text has a NUL character, or is too long.")
            }
            if environment == .sandbox, StoreContext.isRemovedRow(error) {
                logger.error("a row is missing", metadata: ["place": "\(place)", "error": "\(error)"])
                return StoreFailure(.unavailable, "The store was emptied meanwhile: send it again.", retryAfter: 1)
            }
            logger.error("unexpected error", metadata: ["place": "\(place)", "error": "\(error)"])
            return StoreFailure(.internalError, "The store failed; its log says why.")
        }
    }

    /// The message of an outage. It doesn't say that nothing was changed,
    /// because the database may fail after it has committed.
    static let outage =
        "The store can't answer now: try again here in a moment. It is carried out once, however often it is sent."

    private static func message(of error: ContentStorageError) -> String {
        switch error.code {
        case .full: "The store's storage of content is full. Its operator has to make room."
        case .missing: "The store's storage lacks bytes of this content. Its operator has to upload it again."
        case .unavailable: "The store's storage of content can't be used now; the store's log says why."
        }
    }

    /// The seconds after which to try again when the database has too much to
    /// do: the calls that may wait for it are the work of about two seconds.
    static let overloadPause = 2

    /// The seconds after which to try again when an operator has to act
    /// first.
    private static let pauses: [DomainError.Code: Int] = [.clock: 60, .schema: 60]

    private static let codes: [DomainError.Code: StoreFailure.Code] = [
        .invalid: .invalid,
        .notFound: .notFound,
        .exists: .invalid,
        .unknownDevice: .unknownDevice,
        .deviceTaken: .deviceTaken,
        .requestMismatch: .requestMismatch,
        .wrongPassword: .wrongPassword,
        .otherEnvironment: .otherEnvironment,
        .throttled: .throttled,
        .busy: .unavailable,
        .clock: .unavailable,
        .schema: .unavailable,
        .sheetUsed: .sheetUsed,
        .sheetExpired: .sheetExpired,
        .declined: .declined,
        .underWay: .underWay,
        .decided: .decided,
        .extendedTwice: .decided,
        .refundTooLarge: .refundTooLarge,
        .priceChanged: .priceChanged,
        .providerUnavailable: .unavailable,
        .contentNotOwned: .contentNotOwned,
        .contentNotFound: .contentNotFound,
        .storageUnavailable: .unavailable,
        .quotaExceeded: .tooLarge,
        .otherOffset: .contentOffset,
        .codeUnknown: .codeUnknown,
        .codeUsed: .codeUsed,
        .codeExpired: .codeExpired,
        .codeRevoked: .codeRevoked,
        .codeNotEligible: .codeNotEligible,
        .codeRedeemed: .codeRedeemed,
        .forbidden: .forbidden,
        .changed: .changed,
    ]
}
