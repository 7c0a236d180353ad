// SPDX-License-Identifier: Apache-2.0

import StoreCore

/// The credentials of a device: its identifier and its secret, both of which
/// the device has made.
package struct DeviceCredentials: Sendable, Hashable {
    /// 16 bytes in lower-case hexadecimal. The device hash of a receipt is
    /// computed with these bytes.
    package var identifier: String
    /// 32 bytes in lower-case hexadecimal. The store keeps only their hash.
    package var secret: String

    package init(identifier: String, secret: String) {
        self.identifier = identifier
        self.secret = secret
    }

    /// The value of an `Authorization` header.
    package var authorization: String {
        "Device \(identifier):\(secret)"
    }

    /// Reads an `Authorization` header; `nil` when it has another form.
    package init?(authorization: String) {
        let words = authorization.split(separator: " ", omittingEmptySubsequences: true)
        guard words.count == 2, words[0].lowercased() == "device" else { return nil }
        let parts = words[1].split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        self.init(identifier: String(parts[0]), secret: String(parts[1]))
        guard isWellFormed else { return nil }
    }

    /// Whether both parts have the required length and only lower-case
    /// hexadecimal digits.
    package var isWellFormed: Bool {
        identifier.isHexadecimal(bytes: 16) && secret.isHexadecimal(bytes: 32)
    }
}

extension DeviceCredentials: CustomStringConvertible {
    /// The identifier without the secret, so that no secret is logged.
    package var description: String { "device \(identifier)" }
}
