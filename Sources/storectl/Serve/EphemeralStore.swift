// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import StoreDomain
import StoreServer
import StoreService

/// The keys of a store that leaves nothing on the disk, which are made for one
/// run.
struct EphemeralStore {
    let authority: SigningAuthority
    let address: String
    let controlToken: String
    let issuer: String
    let key: InAppPurchaseKey.Pair

    /// Draws the token of the remote control, and registers a key for the App
    /// Store Server API.
    ///
    /// - Throws: ``CommandFailure``, the errors of `ManagingKeys.register`.
    init(_ context: StoreContext, address: String, authority: SigningAuthority?) async throws {
        guard let authority else { throw CommandFailure("The keys of the store weren't made.") }
        self.authority = authority
        self.address = address
        controlToken = context.random.hexadecimal(bytes: 32)
        key = try InAppPurchaseKey.Pair(context.random)
        issuer = try await Control.KeysAnswer(
            registering: Control.RegisterKeyCall(
                key: key.identifier, name: "Key of this run", publicKey: key.publicKey), in: context
        ).issuer
    }

    /// Makes the signing authority in memory.
    ///
    /// - Throws: The errors of `SigningAuthority.create`.
    static func makeAuthority(at address: String, _ environment: [String: String]) throws -> SigningAuthority {
        var drawing = SystemDependencies.random.drawing
        return try SigningAuthority.create(
            profile: .sandbox(publicAddress: address), keys: .environment(environment), using: &drawing)
    }

    /// The secrets with which the store is served, with the apps' shared
    /// secrets that the start was given.
    func secrets(shared: [String: String]) -> ServedSecrets {
        ServedSecrets(
            control: ControlAccess(token: controlToken),
            verifyReceipt: VerifyReceiptConfiguration(sharedSecrets: shared))
    }

    /// The store's address, secrets and certificates as one line of JSON.
    ///
    /// - Throws: An error of the encoder.
    func line(_ names: NameOptions.Listener?) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let facts = Facts(
            address: address, controlToken: controlToken, rootCertificate: authority.jwsRootCertificatePEM,
            receiptRootCertificate: authority.rootCertificatePEM, keyId: key.identifier, issuerId: issuer,
            privateKey: key.privateKey, tlsAddress: names?.address, tlsRootCertificate: names?.rootCertificate)
        return String(decoding: try encoder.encode(facts), as: UTF8.self)
    }

    private struct Facts: Encodable {
        var address: String
        var controlToken: String
        /// The root of signed transactions and notifications, PEM.
        var rootCertificate: String
        /// The root of app receipts, PEM.
        var receiptRootCertificate: String
        var keyId: String
        var issuerId: String
        /// PEM (PKCS #8), as a `.p8` file has it.
        var privateKey: String
        /// Where Apple's names are served; absent without `--tls`.
        var tlsAddress: String?
        /// The root of the certificate of these names, PEM.
        var tlsRootCertificate: String?
    }
}
