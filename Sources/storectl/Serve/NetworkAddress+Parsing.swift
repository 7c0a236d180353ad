// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import StoreServer

extension NetworkAddress {
    /// Reads the argument of `--trusted-proxy`.
    ///
    /// - Throws: `ValidationError`.
    static func parse(_ text: String) throws -> NetworkAddress {
        guard let address = NetworkAddress(text) else {
            throw ValidationError("--trusted-proxy takes an IP address, not \"\(text)\".")
        }
        return address
    }
}
