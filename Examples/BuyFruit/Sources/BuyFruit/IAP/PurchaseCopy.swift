// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreKit

/// A copy of what UserDefaults holds of purchases, replaced in one step.
///
/// Foundation on Linux writes the defaults' file over itself: an app that is
/// killed in the middle leaves an empty file behind, and with it everything
/// that was bought would be gone. So the purchases are written a second time,
/// beside that file, by a rename; what the defaults have lost is taken from
/// there at the next launch.
struct PurchaseCopy {
    private let file: URL

    init(environment: [String: String] = ProcessInfo.processInfo.environment) {
        let folder: URL
        if let configuration = environment["XDG_CONFIG_HOME"], !configuration.isEmpty {
            folder = URL(fileURLWithPath: configuration, isDirectory: true)
        } else {
            folder = FileManager.default.homeDirectoryForCurrentUser.appendingPathComponent(
                ".config", isDirectory: true)
        }
        file = folder.appendingPathComponent("BuyFruit.purchases.plist")
    }

    /// Writes the values of these keys down.
    func save(_ keys: Set<String>, of defaults: UserDefaults) {
        var values: [String: Any] = [:]
        for key in keys { values[key] = defaults.object(forKey: key) }
        do {
            let data = try PropertyListSerialization.data(fromPropertyList: values, format: .xml, options: 0)
            try data.write(to: file, options: .atomic)
        } catch {
            NSLog("%@", "The copy of the purchases can't be written: \(error.localizedDescription)")
        }
    }

    /// Puts back what the defaults have lost.
    func putBack(into defaults: UserDefaults) {
        guard let data = try? Data(contentsOf: file),
            let values = try? PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
        else { return }
        for (key, value) in values where defaults.object(forKey: key) == nil {
            defaults.set(value, forKey: key)
        }
    }
}
