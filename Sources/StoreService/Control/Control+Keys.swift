// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import StoreDomain

extension Control {
    /// Registers the public part of a key, which is drawn where the private
    /// part stays.
    package struct RegisterKeyCall: Codable, Sendable {
        package var key: String
        package var name: String
        /// The public key of P-256 as X9.63 writes it, in base64.
        package var publicKey: Data

        package init(key: String, name: String, publicKey: Data) {
            self.key = key
            self.name = name
            self.publicKey = publicKey
        }
    }

    package struct RevokeKeyCall: Codable, Sendable {
        package var key: String

        package init(key: String) {
            self.key = key
        }
    }

    package struct KeysCall: Codable, Sendable {
        package init() {}
    }

    /// A key with which a seller's server signs.
    package struct KeyAnswer: Codable, Sendable {
        package var key: String
        /// The app that it is valid for; absent for all apps.
        package var bundle: String?
        package var name: String
        /// In milliseconds since 1970.
        package var created: Int64
        /// In milliseconds since 1970; absent while it is valid.
        package var revoked: Int64?
    }

    /// All keys, by identifier.
    package struct KeysAnswer: Codable, Sendable {
        /// The UUID that tokens for the App Store Server API name as their
        /// issuer.
        package var issuer: String
        package var keys: [KeyAnswer]
    }
}

extension Control.KeysAnswer {
    /// Lists the keys of a store.
    ///
    /// - Throws: The errors of `ManagingKeys`.
    package init(listing call: Control.KeysCall, of context: StoreContext) async throws {
        self.init(
            issuer: try await ManagingKeys(context).issuer(),
            keys: try await ManagingKeys(context)().map { key in
                Control.KeyAnswer(
                    key: key.identifier, bundle: key.bundleIdentifier?.rawValue, name: key.name,
                    created: key.created.milliseconds, revoked: key.revoked?.milliseconds)
            })
    }

    /// Registers a key, and lists all.
    ///
    /// - Throws: The errors of `ManagingKeys.register`.
    package init(registering call: Control.RegisterKeyCall, in context: StoreContext) async throws {
        try await ManagingKeys(context).register(
            InAppPurchaseKey(
                identifier: call.key, name: call.name, publicKey: call.publicKey, created: context.clock.now()))
        try await self.init(listing: Control.KeysCall(), of: context)
    }

    /// Revokes a key, and lists all.
    ///
    /// - Throws: The errors of `ManagingKeys.revoke`.
    package init(revoking call: Control.RevokeKeyCall, in context: StoreContext) async throws {
        try await ManagingKeys(context).revoke(call.key)
        try await self.init(listing: Control.KeysCall(), of: context)
    }
}

extension StoreService {
    func controlKeys(_ verb: Control.Verb, _ body: Data) async throws -> Data {
        switch verb {
        case .registerKey:
            let call = try decode(Control.RegisterKeyCall.self, from: body, of: verb.rawValue)
            return try encode(try await Control.KeysAnswer(registering: call, in: context))
        case .revokeKey:
            let call = try decode(Control.RevokeKeyCall.self, from: body, of: verb.rawValue)
            return try encode(try await Control.KeysAnswer(revoking: call, in: context))
        default:
            let call = try decode(Control.KeysCall.self, from: body, of: verb.rawValue)
            return try encode(try await Control.KeysAnswer(listing: call, of: context))
        }
    }
}
