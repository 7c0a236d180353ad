// SPDX-License-Identifier: Apache-2.0

/// Everything that is stored of an authority: certificates and private keys
/// as PEM, and the index.
package struct AuthorityRecord: Sendable, Equatable {
    /// A certificate and its private key, PEM.
    package struct Entry: Sendable, Equatable {
        package var certificate: String
        /// `nil` if the operator keeps the key in another place, or if the
        /// leaf doesn't sign any more.
        package var key: String?

        package init(certificate: String, key: String?) {
            self.certificate = certificate
            self.key = key
        }
    }

    /// The entries by name, such as `root`, `jws/ocsp/intermediate` or
    /// `leaf-4f02`: the paths of their files without the extension.
    package var entries: [String: Entry]
    package var index: AuthorityIndex

    package init(entries: [String: Entry], index: AuthorityIndex = AuthorityIndex()) {
        self.entries = entries
        self.index = index
    }
}

extension AuthorityRecord.Entry: CustomStringConvertible, CustomReflectable {
    /// Whether there is a key. Neither this nor the mirror contains the key,
    /// so that no log does.
    package var description: String { key == nil ? "a certificate" : "a certificate with its key" }

    /// A mirror without children.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
