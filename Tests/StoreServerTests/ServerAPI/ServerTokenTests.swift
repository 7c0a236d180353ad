// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import HTTPTypes
import HummingbirdTesting
import StoreDomain
import StoreTestSupport
import Testing

/// The tokens of sellers' servers, as the App Store Server API checks them.
struct ServerTokenTests {
    /// Changes of a valid token, each with a word of the reason in the log.
    private static let refused: [(header: [String: String], claims: [String: String], reason: String)] = [
        (["alg": "\"none\""], [:], "ES256"), (["alg": "\"HS256\""], [:], "ES256"), (["alg": ""], [:], "header"),
        (["typ": "\"JWS\""], [:], "type JWT"), (["typ": ""], [:], "header"), (["kid": ""], [:], "header"),
        (["kid": "\"OTHERKEY00\""], [:], "key that the store doesn't have"), (["kid": "7"], [:], "header"),
        ([:], ["iss": ""], "\"iss\""), ([:], ["iss": "\"57246542-96fe-1a63-e053-0824d011072a\""], "issuer"),
        ([:], ["aud": ""], "\"aud\""), ([:], ["aud": "\"promotional-offer\""], "audience"),
        ([:], ["bid": ""], "\"bid\""), ([:], ["bid": "\"\""], "no app"), ([:], ["bid": "\"a\\u0000\""], "no app"),
        ([:], ["iat": "", "exp": "9999999999"], "60 minutes"), ([:], ["iat": "\"now\""], "another type"),
        ([:], ["exp": ""], "\"exp\""),
        ([:], ["exp": "1"], "expired"), ([:], ["iat": "9999999999", "exp": "9999999999"], "future"),
        ([:], ["exp": "9999999999"], "60 minutes"), ([:], ["exp": "1e300"], "60 minutes"),
    ]

    @Test("A token with a wrong field gets 401, and the reason is in the log alone", arguments: Engine.servers)
    func wrongFields(engine: Engine) async throws {
        let log = RecordingLogHandler()
        try await engine.withDatabase(hasTables: true) { database in
            let store = try await TestStore(database, log: log)
            try await store.withHTTP { client in
                let seller = try await TestSeller(store.context)
                for (header, claims, reason) in Self.refused {
                    let value = try seller.authorization(at: store.clock.now, header: header, claims: claims)
                    let response = try await client.get(
                        "/inApps/v1/transactions/2000000000000000001", headers: [.authorization: value])
                    #expect(response.status == .unauthorized && response.text.isEmpty, "\(header) \(claims)")
                    #expect(log.lines.last?.contains(reason) == true, "\(reason)")
                    store.clock.advance(by: .seconds(2))
                }
            }
        }
    }

    @Test("A token is needed, signed by its key, no longer than the limit and not revoked", arguments: Engine.servers)
    func wrongTokens(engine: Engine) async throws {
        try await engine.withHTTP { store, client in
            let seller = try await TestSeller(store.context)
            let path = "/inApps/v1/transactions/2000000000000000001"
            let valid = try seller.authorization(at: store.clock.now)
            #expect(try await client.get(path, headers: [.authorization: valid]).status == .notFound)
            // Apple's library for Python doesn't say when it has signed.
            let undated = try seller.authorization(at: store.clock.now, claims: ["iat": ""])
            #expect(try await client.get(path, headers: [.authorization: undated]).status == .notFound)
            let other = try seller.authorization(at: store.clock.now, signedBy: P256.Signing.PrivateKey())
            for value in [
                "", "Bearer", "Bearer ", "Bearer ..", "Basic \(valid.dropFirst(7))", "\(valid)A", "\(valid).", other,
                "Bearer \(String(repeating: "A", count: 5000))", String(valid.dropLast(4)),
            ] {
                let response = try await client.get(path, headers: [.authorization: value])
                #expect(response.status == .unauthorized, "\(value.prefix(60))")
            }
            #expect(try await client.get(path).status == .unauthorized)
            try await ManagingKeys(store.context).revoke(seller.keyIdentifier)
            #expect(try await client.get(path, headers: [.authorization: valid]).status == .unauthorized)
        }
    }

    /// Claims of other libraries' tokens, beside those of `TestSeller`, at a
    /// second.
    private static func claims(at second: Int64) -> [[String: String]] {
        [
            // jwt-kit 5, which Apple's library for Swift 6.0.0 uses, writes fractions of seconds.
            ["iat": "\(second).734512", "exp": "\(second + 300).734498"],
            // java-jwt 4.5.1 of Apple's library for Java 5.2.0 writes no time of signing.
            ["iat": "", "exp": "\(second + 300)"],
            // go-iap 1.52.0 signs for the whole hour, with an identifier of the token.
            ["exp": "\(second + 3600)", "nonce": "\"7389a31a-fb6d-4569-a2a6-db7d85d84813\""],
        ]
    }

    @Test("The tokens of the libraries for Swift, Java and Go are accepted until they end", arguments: Engine.servers)
    func otherLibraries(engine: Engine) async throws {
        let path = "/inApps/v1/transactions/2000000000000000001"
        try await engine.withHTTP { store, client in
            let seller = try await TestSeller(store.context)
            for claims in Self.claims(at: store.clock.now.milliseconds / 1000) {
                let value = try seller.authorization(at: store.clock.now, claims: claims)
                let response = try await client.get(path, headers: [.authorization: value])
                #expect(response.status == .notFound, "\(claims)")
            }
            // go-iap sends its token until the second of its end.
            let second = store.clock.now.milliseconds / 1000
            let hour = try seller.authorization(at: store.clock.now, claims: ["exp": "\(second + 3600)"])
            store.clock.advance(by: .seconds(3598))
            #expect(try await client.get(path, headers: [.authorization: hour]).status == .notFound)
            store.clock.advance(by: .seconds(2))
            #expect(try await client.get(path, headers: [.authorization: hour]).status == .unauthorized)
        }
    }

    @Test("The issuer stays the same", arguments: Engine.servers)
    func issuer(engine: Engine) async throws {
        try await engine.withStore { store in
            let first = try await ManagingKeys(store.context).issuer()
            #expect(UUID(uuidString: first) != nil)
            #expect(try await ManagingKeys(store.context).issuer() == first)
        }
    }
}
