// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A scenario that comes with storectl.
package struct ShippedScenario: Sendable {
    /// The YAML.
    package let text: String
    /// The products that all of them use, as a StoreKit configuration file has
    /// them.
    package let configuration = String(decoding: PackageResources.garden_storekit, as: UTF8.self)

    /// The names, in the order in which a seller meets them.
    package static var names: [String] { files.map(\.name) }

    /// A scenario by its name.
    ///
    /// - Throws: ``ScenarioFailure`` when there is none of this name.
    package static func named(_ name: String) throws -> ShippedScenario {
        guard let file = files.first(where: { $0.name == name }) else {
            throw ScenarioFailure("there is no scenario \(name)")
        }
        return ShippedScenario(text: String(decoding: file.bytes(), as: UTF8.self))
    }

    private init(text: String) { self.text = text }

    /// The scenario of the YAML.
    ///
    /// - Throws: ``ScenarioFailure``.
    package func scenario() throws -> Scenario { try ScenarioFile.scenario(Data(text.utf8)) }

    private static let files: [(name: String, bytes: @Sendable () -> [UInt8])] = [
        ("first-purchase", { PackageResources.first_purchase_yaml }),
        ("trial-to-paid", { PackageResources.trial_to_paid_yaml }),
        ("renewal-for-a-year", { PackageResources.renewal_for_a_year_yaml }),
        ("grace-and-recovery", { PackageResources.grace_and_recovery_yaml }),
        ("card-fails-and-expires", { PackageResources.card_fails_and_expires_yaml }),
        ("cancel-and-resubscribe", { PackageResources.cancel_and_resubscribe_yaml }),
        ("upgrade-with-proration", { PackageResources.upgrade_with_proration_yaml }),
        ("downgrade-at-renewal", { PackageResources.downgrade_at_renewal_yaml }),
        ("refund-after-use", { PackageResources.refund_after_use_yaml }),
        ("refund-overtaken", { PackageResources.refund_overtaken_yaml }),
        ("ask-to-buy-a-week-later", { PackageResources.ask_to_buy_a_week_later_yaml }),
        ("family-member-loses-access", { PackageResources.family_member_loses_access_yaml }),
        ("price-increase-refused", { PackageResources.price_increase_refused_yaml }),
        ("twice-and-out-of-order", { PackageResources.twice_and_out_of_order_yaml }),
        ("receiver-down-for-a-day", { PackageResources.receiver_down_for_a_day_yaml }),
        ("certificate-rotated", { PackageResources.certificate_rotated_yaml }),
    ]
}
