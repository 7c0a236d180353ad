// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Crypto
import Foundation
import StoreDomain
import StoreScenarios

/// A seller's server that sends the requests of a scenario to the App Store
/// Server API, with a key that the store has for the time of a command.
struct SellerServer: Sendable {
    private let store: String
    private let key: P256.Signing.PrivateKey
    private let keyIdentifier: String
    private let issuer: String

    /// How long a token is valid, in seconds.
    private static let lifetime = 300

    /// Registers a key, runs `work`, and revokes the key.
    ///
    /// - Throws: ``ScenarioFailure``, the errors of `work`.
    static func using<Result: Sendable>(
        _ control: ScenarioControl, _ work: (SellerServer) async throws -> Result
    ) async throws -> Result {
        let pair = try InAppPurchaseKey.Pair(SystemDependencies.random)
        let identifier = JSONValue.string(pair.identifier)
        let answer = try await control.make(
            "register-key",
            .object([
                "key": identifier, "name": .string("storectl scenario"),
                "publicKey": .string(pair.publicKey.base64EncodedString()),
            ]))
        guard case .string(let issuer)? = answer.member("issuer") else {
            throw ScenarioFailure("the answer to register-key has no issuer")
        }
        let server = SellerServer(
            store: control.store, key: try P256.Signing.PrivateKey(pemRepresentation: pair.privateKey),
            keyIdentifier: pair.identifier, issuer: issuer)
        do {
            let result = try await work(server)
            try await control.make("revoke-key", .object(["key": identifier]))
            return result
        } catch {
            _ = try? await control.make("revoke-key", .object(["key": identifier]))
            throw error
        }
    }

    /// Sends a request for an app, and returns the answer or Apple's number of
    /// the refusal.
    ///
    /// - Throws: ``ScenarioFailure`` when no store answers.
    func send(_ asked: ServerRequest, of bundleIdentifier: String) async throws -> ScenarioAnswer {
        guard let url = URL(string: store + asked.path), url.host != nil else {
            throw ScenarioFailure("\(asked.path) is no path of an address")
        }
        let token = try token(bundleIdentifier)
        guard
            let answer = try? await ControlClient.send(
                asked.method, asked.body.map { Data($0.encoded.utf8) }, to: url, token: token, timeout: 60)
        else { throw ScenarioFailure("no store answers \(asked.method) \(asked.path)") }
        let value = try? JSONValue(parsing: String(decoding: answer.body, as: UTF8.self))
        if (200..<300).contains(answer.status) { return .value(value ?? .object([:])) }
        let members: [JSONValue?] = [value?.member("errorCode"), value?.member("errorMessage")]
        guard case .number(let code)? = members[0], case .string(let message)? = members[1] else {
            return .refusal(code: String(answer.status), message: "The answer has no errorCode.")
        }
        return .refusal(code: code, message: message)
    }

    /// A JWT as Apple's libraries make it.
    private func token(_ bundleIdentifier: String) throws -> String {
        let now = Int(Date().timeIntervalSince1970)
        let header = JSONValue.object([
            "alg": .string("ES256"), "kid": .string(keyIdentifier), "typ": .string("JWT"),
        ])
        let claims = JSONValue.object([
            "iss": .string(issuer), "iat": .number(String(now)), "exp": .number(String(now + Self.lifetime)),
            "aud": .string("appstoreconnect-v1"), "bid": .string(bundleIdentifier),
        ])
        let text = [header, claims].map { Self.base64URL(Data($0.encoded.utf8)) }.joined(separator: ".")
        return "\(text).\(Self.base64URL(try key.signature(for: Data(text.utf8)).rawRepresentation))"
    }

    private static func base64URL(_ data: Data) -> String {
        data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
