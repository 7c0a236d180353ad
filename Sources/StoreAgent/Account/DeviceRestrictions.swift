// SPDX-License-Identifier: Apache-2.0

package import Foundation
import StoreAPI
package import StoreCore

/// The restrictions that the device's owner has set, in a file in the
/// device's home that all of its apps share. The file is read each time, so
/// that a change takes effect immediately.
package struct DeviceRestrictions: Sendable {
    private let file: URL

    private struct Contents: Codable {
        /// Absent means allowed.
        var inAppPurchases: Bool?
    }

    /// The restrictions of the device with this home; without a file there
    /// are none.
    package init(home: URL) {
        file = home.appendingPathComponent("restrictions.json")
    }

    /// The reason why In-App Purchases aren't allowed; `nil` when they are. A
    /// file that can't be read allows none, because the owner meant to
    /// restrict them.
    package var refusal: PurchaseFailure? {
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        do {
            let contents = try StoreCoding.decode(Contents.self, from: try Data(contentsOf: file))
            guard contents.inAppPurchases == false else { return nil }
            return PurchaseFailure(
                .paymentNotAllowed, "This device doesn't allow In-App Purchases (\(file.path)).")
        } catch {
            return PurchaseFailure(
                .paymentNotAllowed,
                """
                \(file.path) can't be read as a device's restrictions, so that nothing may be bought. Remove it, \
                or write {"inAppPurchases": false} or true into it.
                """)
        }
    }

    /// Allows In-App Purchases on this device, or forbids them.
    ///
    /// - Throws: ``AgentError`` with the code `home` when the file can't be
    ///   written.
    package func allow(inAppPurchases isAllowed: Bool) throws {
        do {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            try StoreCoding.encode(Contents(inAppPurchases: isAllowed)).write(to: file, options: .atomic)
        } catch {
            throw AgentError(.home, "\(file.path) can't be written: \(error.localizedDescription)")
        }
    }
}
