// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreKit

/// A copy of the purchases in UserDefaults, replaced in one step.
///
/// Foundation on Linux overwrites the file of the defaults in place: an app
/// that is killed during the write leaves an empty file, and all purchases
/// are lost. This copy is written beside that file and renamed into place. At
/// launch, values that are missing from the defaults are restored from it.
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

    /// Writes the values of these keys to the copy.
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

    /// Restores values that are missing from the defaults.
    func putBack(into defaults: UserDefaults) {
        guard let data = try? Data(contentsOf: file),
            let values = try? PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
        else { return }
        for (key, value) in values where defaults.object(forKey: key) == nil {
            defaults.set(value, forKey: key)
        }
    }
}
