// SPDX-License-Identifier: Apache-2.0

/// A group of auto-renewable subscriptions of an app. An account has at most
/// one active subscription of a group.
package struct SubscriptionGroup: Hashable, Sendable {
    package var bundleIdentifier: BundleIdentifier
    package var identifier: SubscriptionGroupIdentifier
    /// The seller's own name for it, which is the title when there are no
    /// localizations.
    package var referenceName: String
    /// The titles by locale. The description is the app's name beside the
    /// title, if the seller has provided one.
    package var localizations: [Product.Localization]

    package init(
        bundleIdentifier: BundleIdentifier, identifier: SubscriptionGroupIdentifier, referenceName: String,
        localizations: [Product.Localization] = []
    ) {
        self.bundleIdentifier = bundleIdentifier
        self.identifier = identifier
        self.referenceName = referenceName
        self.localizations = localizations
    }

    /// The title in the language that the customer prefers.
    package func title(for languages: LanguagePreference) -> String {
        languages.best(of: localizations)?.title ?? referenceName
    }
}

/// The identifier of a group of subscriptions, unique in its app.
package typealias SubscriptionGroupIdentifier = TypedIdentifier<SubscriptionGroup>
