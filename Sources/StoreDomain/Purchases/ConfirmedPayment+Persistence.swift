// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreCore
import StoreDatabase

extension ConfirmedPayment {
    /// The text for the row of a request.
    var stored: String {
        get throws { try SortedJSON.text(self) }
    }

    /// Reads the text of a request's row.
    ///
    /// - Throws: `DatabaseError` for a text that this version can't read.
    init(stored text: String) throws {
        guard let terms = try? JSONDecoder().decode(ConfirmedPayment.self, from: Data(text.utf8)) else {
            throw DatabaseError(.column, "The confirmed terms of a request can't be read.")
        }
        self = terms
    }
}
