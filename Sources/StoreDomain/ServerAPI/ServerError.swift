// SPDX-License-Identifier: Apache-2.0

/// An answer of the App Store Server API that refuses a request, with Apple's
/// number and text. The first three digits are the HTTP status.
package struct ServerError: Error, Hashable, Sendable {
    package var code: Int
    package var message: String

    package init(_ code: Int, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The request can't be read.
    package static let badRequest = ServerError(4_000_000, "Bad request.")
    package static let invalidRevision = ServerError(4_000_005, "Invalid request revision.")
    package static let invalidTransaction = ServerError(4_000_006, "Invalid transaction id.")
    package static let invalidOriginalTransaction = ServerError(4_000_008, "Invalid original transaction id.")
    package static let invalidExtendByDays = ServerError(4_000_009, "Invalid extend by days value.")
    package static let invalidExtendReasonCode = ServerError(4_000_010, "Invalid extend reason code.")
    package static let invalidRequestIdentifier = ServerError(4_000_011, "Invalid request identifier.")
    package static let startDateTooFarInPast = ServerError(
        4_000_012, "Invalid request. The start date is earlier than the allowed start date.")
    package static let startDateAfterEndDate = ServerError(
        4_000_013, "Invalid request. The end date precedes the start date or the dates are the same.")
    package static let invalidPaginationToken = invalid(4_000_014, "pagination token")
    package static let invalidStartDate = ServerError(
        4_000_015,
        "Invalid request. The start date is not a timestamp value represented in milliseconds.")
    package static let invalidEndDate = ServerError(
        4_000_016, "Invalid request. The end date is not a timestamp value represented in milliseconds.")
    package static let invalidNotificationType = invalid(4_000_018, "notification type or subtype")
    package static let multipleFilters = ServerError(
        4_000_019, "Invalid request. Supply either a transaction id or a notification type, but not both.")
    package static let invalidTestNotificationToken = invalid(4_000_020, "test notification token")
    package static let invalidSort = invalid(4_000_021, "sort parameter")
    package static let invalidProductType = invalid(4_000_022, "product type parameter")
    package static let invalidProduct = invalid(4_000_023, "product id parameter")
    package static let invalidGroup = invalid(4_000_024, "subscription group identifier parameter")
    package static let invalidExcludeRevoked = invalid(4_000_025, "exclude revoked parameter")
    package static let invalidOwnership = invalid(4_000_026, "in-app ownership type parameter")
    package static let invalidRevoked = invalid(4_000_030, "revoked parameter")
    package static let invalidStatus = invalid(4_000_031, "status parameter")
    package static let emptyStorefronts = ServerError(
        4_000_027, "Invalid request. If provided, the list of storefront country codes must not be empty.")
    package static let invalidStorefront = ServerError(
        4_000_028, "Invalid request. A storefront country code was invalid.")
    package static let invalidAccountTenure = invalid(4_000_032, "account tenure field")
    package static let invalidAccountToken = ServerError(
        4_000_033, "Invalid request. The app account token field must contain a valid UUID or an empty string.")
    package static let invalidConsumptionStatus = invalid(4_000_034, "consumption status field")
    package static let invalidCustomerConsented = ServerError(
        4_000_035,
        "Invalid request. The customer consented field is required and must indicate the customer consented.")
    package static let invalidDeliveryStatus = invalid(4_000_036, "delivery status field")
    package static let invalidDollarsPurchased = invalid(4_000_037, "lifetime dollars purchased field")
    package static let invalidDollarsRefunded = invalid(4_000_038, "lifetime dollars refunded field")
    package static let invalidPlatform = invalid(4_000_039, "platform field")
    package static let invalidPlayTime = invalid(4_000_040, "playtime field")
    package static let invalidSampleContentProvided = invalid(4_000_041, "sample content provided field")
    package static let invalidUserStatus = invalid(4_000_042, "user status field")
    package static let invalidRefundPreference = invalid(4_000_044, "refund preference field")
    package static let transactionTypeNotSupported = ServerError(
        4_000_047, "Invalid request. The transaction id doesn't represent a supported in-app purchase type.")
    package static let appTransactionNotSupported = ServerError(
        4_000_048, "Invalid request. App transactions aren't supported by this endpoint.")
    package static let invalidAccountTokenUUID = ServerError(
        4_000_183, "Invalid request. The app account token field must be a valid UUID.")
    package static let familyTransactionNotSupported = ServerError(
        4_000_185, "Invalid request. Family Sharing transactions aren't supported by this endpoint.")
    package static let notAnOriginalTransaction = ServerError(
        4_000_187, "Invalid request. The transaction ID provided is not an original transaction ID.")
    /// Apple publishes the name `ConsumptionPercentageOutOfRangeError`, and
    /// neither number nor text.
    package static let consumptionPercentageOutOfRange = ServerError(
        4_000_208, "Invalid request. The consumption percentage field is out of range.")
    package static let consumptionPercentageOfSubscription = ServerError(
        4_000_209,
        "Invalid request. The consumption percentage field is not supported for auto-renewable subscription "
            + "transactions.")
    /// Apple publishes the name `UndeliveredConsumptionPercentageNonZeroError`,
    /// and neither number nor text.
    package static let consumptionPercentageOfUndelivered = ServerError(
        4_000_210, "Invalid request. The consumption percentage field must be zero for the delivery status.")
    package static let extensionIneligible = ServerError(
        4_030_004, "Forbidden - subscription state ineligible for extension.")
    package static let extensionMaximum = ServerError(
        4_030_005, "Forbidden - subscription has reached maximum extension count.")
    package static let extensionOfFamilyShare = ServerError(
        4_030_007,
        "Subscriptions that users obtain through Family Sharing can't get a renewal date extension directly.")
    package static let accountNotFound = ServerError(4_040_001, "Account not found.")
    package static let appNotFound = ServerError(4_040_003, "App not found.")
    package static let originalTransactionNotFound = ServerError(4_040_005, "Original transaction id not found.")
    package static let notificationAddressNotFound = ServerError(
        4_040_007,
        "No App Store Server Notification URL found for provided app. Check that a URL is configured in App Store "
            + "Connect for this environment.")
    package static let testNotificationNotFound = ServerError(
        4_040_008,
        "Either the test notification token is expired or the notification and status are not yet available.")
    package static let massExtensionNotFound = ServerError(
        4_040_009,
        "The server didn't find a subscription-renewal-date extension request for this requestIdentifier and "
            + "productId combination.")
    package static let transactionNotFound = ServerError(4_040_010, "Transaction id not found.")
    package static let rateLimitExceeded = ServerError(4_290_000, "Rate limit exceeded.")
    package static let internalError = ServerError(5_000_000, "An unknown error occurred.")
    package static let internalErrorRetryable = ServerError(
        5_000_001, "An unknown error occurred. Please try again.")

    private static func invalid(_ code: Int, _ what: String) -> ServerError {
        ServerError(code, "Invalid request. The \(what) is invalid.")
    }
}
