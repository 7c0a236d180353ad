// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreCore

extension ContentAnswer {
    /// Checks the store's answer for a download. Its checksum becomes the name
    /// of a file.
    ///
    /// - Throws: `StoreFailure` with the code `unreadableAnswer`.
    func check(for download: Download) throws {
        let isPlain = version.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
        guard checksum.isHexadecimal(bytes: 32), product == download.product, isPlain,
            ContentVersionText.refusal(of: version) == nil
        else {
            throw StoreFailure(.unreadableAnswer, "The store has answered with another content than was asked for.")
        }
    }
}
