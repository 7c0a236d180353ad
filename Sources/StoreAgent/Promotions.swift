// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI

/// An app's order and visibility of its promoted products on this device.
package struct Promotions: Sendable, Hashable, Codable {
    /// The products that come first, in this order.
    package var order: [String] = []
    /// By product: the raw value of an `SKProductStorePromotionVisibility`.
    package var visibility: [String: Int] = [:]
}

extension Agent {
    /// The stored promotions.
    ///
    /// - Throws: ``AgentError`` with the code `home`.
    package var promotions: Promotions {
        get throws {
            guard let bytes = try files.contents(of: folder.promotions) else { return Promotions() }
            do {
                return try StoreCoding.decode(Promotions.self, from: bytes)
            } catch {
                throw AgentError(
                    .home, "\(folder.promotions.path) can't be read (\(error)). Remove it to begin with no promotions.")
            }
        }
    }

    /// The stored promotions, like ``promotions``, without blocking the thread.
    ///
    /// - Throws: ``AgentError`` with the code `home`, `CancellationError`.
    package func storedPromotions() async throws -> Promotions {
        try await blocking { [self] in try promotions }
    }

    /// Changes the stored promotions, like ``updatePromotions(_:)``, without
    /// blocking the thread.
    ///
    /// - Throws: ``AgentError`` with the code `home`, `CancellationError`.
    package func changePromotions(_ change: @escaping @Sendable (inout Promotions) -> Void) async throws {
        try await blocking { [self] in try updatePromotions(change) }
    }

    /// Changes the stored promotions. Concurrent changes by two processes are
    /// both kept.
    ///
    /// - Throws: ``AgentError`` with the code `home`.
    package func updatePromotions(_ change: (inout Promotions) -> Void) throws {
        try files.withLock(folder.promotions.appendingPathExtension("lock")) {
            var promotions = try promotions
            change(&promotions)
            try files.replace(folder.promotions, temporary: ".promotions.json") { _ in
                try StoreCoding.encode(promotions)
            }
        }
    }
}
