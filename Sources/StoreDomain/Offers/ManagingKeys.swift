// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Registers, lists and revokes the keys with which sellers' servers sign.
package struct ManagingKeys: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    private static let scope = WriteScope.key("in-app purchase keys")

    /// Registers the public part of a key. The call can be repeated.
    ///
    /// - Throws: ``DomainError`` `invalid`, also when another key has the
    ///   identifier.
    package func register(_ key: InAppPurchaseKey) async throws {
        try key.check()
        try await write(Self.scope) { db in
            let all = try InAppPurchaseKey.all(db)
            if let known = all.first(where: { $0.identifier == key.identifier && $0.bundleIdentifier == nil }) {
                guard known.publicKey == key.publicKey else {
                    throw DomainError(.invalid, "Another key has the identifier \(key.identifier).")
                }
                return
            }
            guard all.filter({ $0.bundleIdentifier == nil }).count < InAppPurchaseKey.limit else {
                throw DomainError(.invalid, "The store has \(InAppPurchaseKey.limit) keys, which is its limit.")
            }
            try key.insert(db)
        }
    }

    /// All keys: those of all apps, and then those of the apps' files.
    package func callAsFunction() async throws -> [InAppPurchaseKey] {
        try await read { db in try InAppPurchaseKey.all(db) }
    }

    /// The UUID that sellers' servers name as the issuer of their tokens. It is
    /// drawn with the first call, and stays the same.
    package func issuer() async throws -> String {
        if let known = try await read({ db in try InAppPurchaseKey.issuer(db) }) { return known }
        let drawn = random.uuid()
        return try await write(Self.scope) { db in try InAppPurchaseKey.issuer(orElse: drawn, db) }
    }

    /// Revokes a key: signatures that were made with it aren't accepted any
    /// more.
    ///
    /// - Throws: ``DomainError`` `notFound`.
    package func revoke(_ identifier: String) async throws {
        try await write(Self.scope) { db in
            if try InAppPurchaseKey.revoke(identifier, db) { return }
            guard try InAppPurchaseKey.all(db).contains(where: { $0.identifier == identifier }) else {
                throw DomainError(.notFound, "The store has no key \(identifier).")
            }
        }
    }
}
