// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import StoreCore

extension PackedSource {
    /// The SHA-256 of the packed object in lower-case hexadecimal. `progress`
    /// is called with the number of bytes that were read.
    ///
    /// - Throws: The errors of ``read(_:at:)``.
    package func checksum(progress: (Int64) -> Void = { _ in }) throws -> String {
        var hash = SHA256()
        var done: Int64 = 0
        try forEachBlock { data in
            hash.update(data: data)
            done += Int64(data.count)
            progress(done)
        }
        return Data(hash.finalize()).hexadecimal
    }
}
