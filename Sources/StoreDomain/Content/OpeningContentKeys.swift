// SPDX-License-Identifier: Apache-2.0

package import Crypto
import Foundation
import StoreCore
import StoreDatabase

/// Reads the secret of a store's hosted content, and makes it at first use.
package struct OpeningContentKeys: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// The keys that are derived from the secret.
    package struct Keys: Sendable {
        /// Signs the addresses of content.
        package let addresses: SymmetricKey
        /// The name of the store's own part of a storage, so that two stores
        /// may have the same folder or bucket.
        package let storageName: String

        init(_ secret: Data) {
            let key = SymmetricKey(data: secret)
            addresses = HKDF<SHA256>.deriveKey(
                inputKeyMaterial: key, info: Data("content addresses".utf8), outputByteCount: 32)
            storageName = HKDF<SHA256>.deriveKey(
                inputKeyMaterial: key, info: Data("content storage".utf8), outputByteCount: 8
            ).withUnsafeBytes { Data($0).hexadecimal }
        }
    }

    /// Reads the secret.
    package func callAsFunction() async throws -> Keys {
        let proposed = random.bytes(32)
        return Keys(
            try await write(.key("content")) { db in
                try ContentSecret.readOrInsert(proposed, db)
            })
    }
}
