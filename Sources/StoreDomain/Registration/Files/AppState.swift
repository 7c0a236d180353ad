// SPDX-License-Identifier: Apache-2.0

/// The state of an app with which a file is compared.
struct AppState: Hashable, Sendable {
    var products: [ProductRegistration]
    var groups: [SubscriptionGroup]
    var gracePeriodDays: Int
    /// The keys for promotional offers of the app's files.
    var keys: [InAppPurchaseKey]
}
