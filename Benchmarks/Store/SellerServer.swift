// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import StoreDomain

/// A seller's server that calls the App Store Server API with a key of its own.
struct SellerServer: Sendable {
    private static let keyIdentifier = "BENCHMARKS"

    private let key = P256.Signing.PrivateKey()
    private let issuer: String

    /// Registers the key.
    init(_ store: BenchmarkStore) async throws {
        let keys = ManagingKeys(store.context)
        try await keys.register(
            InAppPurchaseKey(
                identifier: Self.keyIdentifier, name: "Benchmarks", publicKey: key.publicKey.x963Representation,
                created: store.context.clock.now()))
        issuer = try await keys.issuer()
    }

    /// The header of requests, with a token for the next hour: as Apple
    /// recommends, a server signs one for many requests.
    func headers() throws -> [String: String] {
        let second = Int(Date().timeIntervalSince1970)
        let head = #"{"alg":"ES256","kid":"\#(Self.keyIdentifier)","typ":"JWT"}"#
        let payload = """
            {"iss":"\(issuer)","iat":\(second),"exp":\(second + 3600),"aud":"appstoreconnect-v1",\
            "bid":"\(BenchmarkStore.app)"}
            """
        let text = [head, payload].map { Self.base64URL(Data($0.utf8)) }.joined(separator: ".")
        let signature = try key.signature(for: Data(text.utf8)).rawRepresentation
        return ["Authorization": "Bearer \(text).\(Self.base64URL(signature))"]
    }

    private static func base64URL(_ data: Data) -> String {
        data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
