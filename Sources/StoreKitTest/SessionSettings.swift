// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDomain
import StoreKit
import Synchronization

/// The values of a session's properties.
struct SessionSettings: Sendable {
    var disablesDialogs = false
    var asksToBuy = false
    var interruptsPurchases = false
    var failsTransactions = false
    var failure = SKError.Code.unknown
    var entersBillingRetry = false
    var hasGracePeriod = false
    var timeRate = SKTestSession.TimeRate.realTime
    var storefront = "USA"
    var locale = Locale(identifier: "en_US")
    var contentBandwidth: Int?
    var contentFailures: [SKTestSession.ContentFailure] = []
    /// The failures that the session simulates.
    var simulated: [SimulatedAPI: _SKTestFailureCode] = [:]

    init() {}

    /// Removes and returns the failure of the next request for content.
    mutating func takeContentFailure() -> SKTestSession.ContentFailure? {
        contentFailures.isEmpty ? nil : contentFailures.removeFirst()
    }

    /// Whether the storefront exists; if not, that is reported on standard
    /// error.
    static func isKnown(storefront: String) -> Bool {
        let isKnown = StoreDomain.Storefront.named(storefront) != nil
        if !isKnown {
            FileHandle.standardError.write(
                Data("StoreKitTest: there is no storefront \"\(storefront)\"; write one such as USA or DEU.\n".utf8))
        }
        return isKnown
    }

    /// The settings that Xcode has saved in a configuration file. A setting
    /// that is missing, or of another type, has its default.
    init(configuration: Data) {
        let root = (try? JSONSerialization.jsonObject(with: configuration)) as? [String: Any]
        guard let settings = root?["settings"] as? [String: Any] else { return }
        func flag(_ key: String) -> Bool { settings[key] as? Bool ?? false }
        disablesDialogs = flag("_disableDialogs")
        asksToBuy = flag("_askToBuyEnabled")
        failsTransactions = flag("_failTransactionsEnabled")
        interruptsPurchases = flag("_billingIssuesEnabled")
        entersBillingRetry = flag("_renewalBillingIssuesEnabled")
        hasGracePeriod = flag("_billingGracePeriodEnabled")
        timeRate = (settings["_timeRate"] as? Int).flatMap(SKTestSession.TimeRate.init) ?? .realTime
        if let country = settings["_storefront"] as? String, Self.isKnown(storefront: country) { storefront = country }
        if let locale = settings["_locale"] as? String { self.locale = Locale(identifier: locale) }
    }
}
