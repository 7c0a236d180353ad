// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreCore
import StoreDatabase

extension FormerHolders {
    /// The value of the column `former_holders`; `nil` for no devices.
    ///
    /// - Throws: `EncodingError`.
    var storedText: String? {
        get throws { devices.isEmpty ? nil : try SortedJSON.text(devices.map(\.rawValue)) }
    }

    /// Reads the column `former_holders` of a row.
    ///
    /// - Throws: `DecodingError`, or `DatabaseError` when the row lacks the
    ///   column.
    init(_ row: Row) throws {
        let text: String? = try row.get("former_holders")
        let names = try text.map { try JSONDecoder().decode([String].self, from: Data($0.utf8)) }
        self.init((names ?? []).map { DeviceIdentifier($0) })
    }
}
