// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The second way: values in the user defaults of this device.
///
/// They are quick to read at launch. The customer can change them, and a
/// second device doesn't have them.
struct InUserDefaults {
    let defaults: UserDefaults

    func isPurchased(_ product: String) -> Bool { defaults.bool(forKey: product) }

    func setPurchased(_ product: String) { defaults.set(true, forKey: product) }
}
