// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A part of a configuration file that has no effect in a store yet.
package struct ConfigurationOmission: Hashable, Sendable {
    /// The place in the file, such as
    /// `subscriptionGroups[0].subscriptions[1] (com.example.gold).billingPlans`.
    package var place: String
    /// The reason, to follow the place.
    package var reason: String

    /// The line that reports the omission.
    package func line(of file: String) -> String {
        "\(file): \(place): \(reason)."
    }
}

extension ConfigurationOmission {
    /// The values of a product or a group, except those that the store uses.
    static func inObject(_ object: [String: Any], at place: String, except known: Set<String>)
        -> [ConfigurationOmission]
    {
        used(object, at: "\(place).") { key in
            known.contains(key) ? nil : reasons[key] ?? "has no effect yet"
        }
    }

    /// Values beside the products: settings, texts of the app and others.
    static func atTheTop(_ root: [String: Any]) -> [ConfigurationOmission] {
        let settings = root["settings"] as? [String: Any]
        let unused = used(root, at: "") { key in
            if ConfigurationKeys.ofFiles.contains(key) || (key == "settings" && settings != nil) { return nil }
            return reasons[key] ?? "has no effect yet"
        }
        return unused
            + used(settings ?? [:], at: "settings.") { key in
                if key == ConfigurationKeys.gracePeriod || isDefault(settings?[key], ofSetting: key) { return nil }
                return "this setting has no effect in a served store"
            }
    }

    /// The keys that have a value and a reason, in their order.
    private static func used(
        _ object: [String: Any], at place: String, _ reason: (String) -> String?
    ) -> [ConfigurationOmission] {
        object.filter { !isEmpty($0.value) }.keys.sorted().compactMap { key in
            reason(key).map { ConfigurationOmission(place: place + key, reason: $0) }
        }
    }

    private static let reasons = [
        "appPolicies": "an app's licence and privacy texts aren't shown yet",
        "billingPlans": "billing plans aren't sold yet",
        "subscriptionBundleGroups": "bundles of subscriptions aren't sold yet",
        "subscriptionSuiteGroups": "suites of subscriptions aren't sold yet",
    ]

    /// Whether a value says nothing. Xcode writes empty texts and lists for
    /// parts that its user hasn't filled in.
    private static func isEmpty(_ value: Any) -> Bool {
        switch value {
        case is NSNull: true
        case let text as String: text.isEmpty
        case let list as [Any]: list.allSatisfy(isEmpty)
        case let object as [String: Any]: object.allSatisfy { $0.key == "locale" || isEmpty($0.value) }
        default: (value as? Double) == 0
        }
    }

    /// Whether a setting has the value that Xcode writes when its user has
    /// changed nothing.
    private static func isDefault(_ value: Any?, ofSetting key: String) -> Bool {
        switch key {
        case "_storefront": value as? String == "USA"
        case "_locale": value as? String == "en_US"
        case "_storeKitErrors":
            (value as? [[String: Any]])?.allSatisfy { $0["enabled"] as? Bool == false } ?? false
        default: false
        }
    }
}
