// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import StoreDomain

/// The refusals of the App Store Server API, compared with Apple's list
/// ("Error codes" of the App Store Server API).
struct ServerErrorTests {
    /// Apple's numbers and texts.
    private static let published: [(error: ServerError, code: Int, message: String)] = [
        (.badRequest, 4_000_000, "Bad request."),
        (.invalidRevision, 4_000_005, "Invalid request revision."),
        (.invalidTransaction, 4_000_006, "Invalid transaction id."),
        (.invalidOriginalTransaction, 4_000_008, "Invalid original transaction id."),
        (.invalidExtendByDays, 4_000_009, "Invalid extend by days value."),
        (.invalidExtendReasonCode, 4_000_010, "Invalid extend reason code."),
        (.invalidRequestIdentifier, 4_000_011, "Invalid request identifier."),
        (.startDateTooFarInPast, 4_000_012, "Invalid request. The start date is earlier than the allowed start date."),
        (
            .startDateAfterEndDate, 4_000_013,
            "Invalid request. The end date precedes the start date or the dates are the same."
        ),
        (.invalidPaginationToken, 4_000_014, "Invalid request. The pagination token is invalid."),
        (
            .invalidStartDate, 4_000_015,
            "Invalid request. The start date is not a timestamp value represented in milliseconds."
        ),
        (
            .invalidEndDate, 4_000_016,
            "Invalid request. The end date is not a timestamp value represented in milliseconds."
        ),
        (.invalidNotificationType, 4_000_018, "Invalid request. The notification type or subtype is invalid."),
        (
            .multipleFilters, 4_000_019,
            "Invalid request. Supply either a transaction id or a notification type, but not both."
        ),
        (.invalidTestNotificationToken, 4_000_020, "Invalid request. The test notification token is invalid."),
        (.invalidSort, 4_000_021, "Invalid request. The sort parameter is invalid."),
        (.invalidProductType, 4_000_022, "Invalid request. The product type parameter is invalid."),
        (.invalidProduct, 4_000_023, "Invalid request. The product id parameter is invalid."),
        (.invalidGroup, 4_000_024, "Invalid request. The subscription group identifier parameter is invalid."),
        (.invalidExcludeRevoked, 4_000_025, "Invalid request. The exclude revoked parameter is invalid."),
        (.invalidOwnership, 4_000_026, "Invalid request. The in-app ownership type parameter is invalid."),
        (.invalidRevoked, 4_000_030, "Invalid request. The revoked parameter is invalid."),
        (.invalidStatus, 4_000_031, "Invalid request. The status parameter is invalid."),
        (
            .emptyStorefronts, 4_000_027,
            "Invalid request. If provided, the list of storefront country codes must not be empty."
        ),
        (.invalidStorefront, 4_000_028, "Invalid request. A storefront country code was invalid."),
        (.invalidAccountTenure, 4_000_032, "Invalid request. The account tenure field is invalid."),
        (
            .invalidAccountToken, 4_000_033,
            "Invalid request. The app account token field must contain a valid UUID or an empty "
                + "string."
        ),
        (.invalidConsumptionStatus, 4_000_034, "Invalid request. The consumption status field is invalid."),
        (
            .invalidCustomerConsented, 4_000_035,
            "Invalid request. The customer consented field is required and must indicate the "
                + "customer consented."
        ),
        (.invalidDeliveryStatus, 4_000_036, "Invalid request. The delivery status field is invalid."),
        (.invalidDollarsPurchased, 4_000_037, "Invalid request. The lifetime dollars purchased field is invalid."),
        (.invalidDollarsRefunded, 4_000_038, "Invalid request. The lifetime dollars refunded field is invalid."),
        (.invalidPlatform, 4_000_039, "Invalid request. The platform field is invalid."),
        (.invalidPlayTime, 4_000_040, "Invalid request. The playtime field is invalid."),
        (.invalidSampleContentProvided, 4_000_041, "Invalid request. The sample content provided field is invalid."),
        (.invalidUserStatus, 4_000_042, "Invalid request. The user status field is invalid."),
        (.invalidRefundPreference, 4_000_044, "Invalid request. The refund preference field is invalid."),
        (
            .transactionTypeNotSupported, 4_000_047,
            "Invalid request. The transaction id doesn't represent a supported in-app purchase type."
        ),
        (
            .appTransactionNotSupported, 4_000_048,
            "Invalid request. App transactions aren't supported by this endpoint."
        ),
        (.extensionIneligible, 4_030_004, "Forbidden - subscription state ineligible for extension."),
        (.extensionMaximum, 4_030_005, "Forbidden - subscription has reached maximum extension count."),
        (
            .extensionOfFamilyShare, 4_030_007,
            "Subscriptions that users obtain through Family Sharing can't get a renewal date "
                + "extension directly."
        ),
        (.accountNotFound, 4_040_001, "Account not found."),
        (.appNotFound, 4_040_003, "App not found."),
        (.originalTransactionNotFound, 4_040_005, "Original transaction id not found."),
        (
            .notificationAddressNotFound, 4_040_007,
            "No App Store Server Notification URL found for provided app. Check that a URL is "
                + "configured in App Store Connect for this environment."
        ),
        (
            .testNotificationNotFound, 4_040_008,
            "Either the test notification token is expired or the notification and status are not "
                + "yet available."
        ),
        (
            .massExtensionNotFound, 4_040_009,
            "The server didn't find a subscription-renewal-date extension request for this "
                + "requestIdentifier and productId combination."
        ),
        (.transactionNotFound, 4_040_010, "Transaction id not found."),
        (
            .familyTransactionNotSupported, 4_000_185,
            "Invalid request. Family Sharing transactions aren't supported by this endpoint."
        ),
        (
            .notAnOriginalTransaction, 4_000_187,
            "Invalid request. The transaction ID provided is not an original transaction ID."
        ),
        (
            .consumptionPercentageOfSubscription, 4_000_209,
            "Invalid request. The consumption percentage field is not supported for auto-renewable "
                + "subscription transactions."
        ),
        (.rateLimitExceeded, 4_290_000, "Rate limit exceeded."),
        (.internalError, 5_000_000, "An unknown error occurred."),
        (.internalErrorRetryable, 5_000_001, "An unknown error occurred. Please try again."),
    ]
    /// Those of which Apple publishes the number only, or the name only.
    private static let numbered: [(error: ServerError, code: Int)] = [
        (.invalidAccountTokenUUID, 4_000_183),
        (.consumptionPercentageOutOfRange, 4_000_208),
        (.consumptionPercentageOfUndelivered, 4_000_210),
    ]

    @Test("Each refusal has Apple's number and Apple's text")
    func texts() {
        for refusal in Self.published {
            #expect(refusal.error.code == refusal.code)
            #expect(refusal.error.message == refusal.message)
        }
        for refusal in Self.numbered {
            #expect(refusal.error.code == refusal.code && refusal.error.message.hasSuffix("."))
        }
    }

    @Test("The list is complete: each refusal of the store is in it once")
    func complete() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let file = root.appendingPathComponent("Sources/StoreDomain/ServerAPI/ServerError.swift")
        let source = try String(contentsOf: file, encoding: .utf8)
        let declared = source.matches(of: #/\b(\d)_(\d{3})_(\d{3})\b/#).compactMap { Int("\($0.1)\($0.2)\($0.3)") }
        let listed = Self.published.map(\.code) + Self.numbered.map(\.code)
        #expect(listed.sorted() == declared.sorted() && Set(listed).count == listed.count)
    }
}
