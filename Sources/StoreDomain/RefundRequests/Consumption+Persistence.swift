// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreCore
import StoreDatabase

extension Consumption {
    /// The text for a row.
    var stored: String {
        get throws {
            try SortedJSON.text(self)
        }
    }

    /// Reads the text of a row.
    ///
    /// - Throws: `DatabaseError` for a text that this version can't read.
    init(stored text: String) throws {
        guard let stored = try? JSONDecoder().decode(Consumption.self, from: Data(text.utf8)) else {
            throw DatabaseError(.column, "The information of a seller about a refund can't be read: \(text)")
        }
        self = stored
    }
}
