// SPDX-License-Identifier: Apache-2.0

import StoreKit

func checkAppStoreAPI() async throws {
    let _: Bool = AppStore.canMakePayments
    let _: UUID? = AppStore.deviceVerificationID
    try await AppStore.sync()
    // Additions: on Apple's platforms they take a scene or a view controller.
    try await AppStore.showManageSubscriptions()
    try await AppStore.presentOfferCodeRedeemSheet()
    let environments: [AppStore.Environment] = [.production, .sandbox, .xcode]
    let _: [String] = environments.map(\.rawValue)
    let platforms: [AppStore.Platform] = [.iOS, .macOS, .tvOS, .visionOS, .watchOS]
    let _: [String] = platforms.map(\.rawValue)
}

func checkAppTransactionAPI() async throws {
    let shared: VerificationResult<AppTransaction> = try await AppTransaction.shared
    let _: VerificationResult<AppTransaction> = try await AppTransaction.refresh()
    let app = shared.unsafePayloadValue
    let _: any Hashable & Sendable = app
    let _: String = app.debugDescription
    let _: Data = app.jsonRepresentation
    let _: UInt64? = app.appID
    let _: String = app.appVersion
    let _: UInt64? = app.appVersionID
    let _: String = app.bundleID
    let _: AppStore.Environment = app.environment
    let _: String = app.originalAppVersion
    let _: Date = app.originalPurchaseDate
    let _: Date? = app.preorderDate
    let _: String = app.appTransactionID
    let _: Date? = app.revocationDate
    let _: AppStore.Platform = app.originalPlatform
    let _: String = app.originalPlatformStringRepresentation
    let _: Data = app.deviceVerification
    let _: UUID = app.deviceVerificationNonce
    let _: Date = app.signedDate
}

func checkStorefrontAPI() async {
    guard let storefront: Storefront = await Storefront.current else { return }
    let _: any Sendable & Identifiable = storefront
    let _: String = storefront.countryCode
    let _: Storefront.ID = storefront.id
    let _: Locale.Currency? = storefront.currency
    let _: Storefront.Storefronts = Storefront.updates
    for await update in Storefront.updates {
        let _: Storefront = update
    }
}

func checkStoreKitErrorAPI(_ error: StoreKitError) -> String? {
    let _: any LocalizedError & Sendable = error
    switch error {
    case .unknown, .userCancelled, .notAvailableInStorefront: return error.errorDescription
    case .networkError(let network):
        let _: URLError = network
        return error.failureReason
    case .systemError(let system):
        let _: any Error = system
        return error.recoverySuggestion
    case .notEntitled, .unsupported: return nil
    @unknown default: return nil
    }
}
