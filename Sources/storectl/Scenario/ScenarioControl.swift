// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import StoreAPI
import StoreScenarios
import StoreService

/// The remote control of the store that plays scenarios, with the values of a
/// script.
struct ScenarioControl: Sendable {
    let store: String
    let token: String

    /// Sends a call, and returns the answer or the refusal.
    ///
    /// - Throws: ``ScenarioFailure`` when there is no answer of the store.
    func call(_ name: String, _ body: JSONValue) async throws -> ScenarioAnswer {
        guard name.utf8.allSatisfy({ $0 == UInt8(ascii: "-") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) })
        else { throw ScenarioFailure("there is no call \(name)") }
        let request = ControlRequest(path: name, body: Data(body.encoded.utf8))
        switch try await RemoteControl.send(request, to: store, token: token) {
        case .answer(let data):
            guard let value = try? JSONValue(parsing: String(decoding: data, as: UTF8.self)) else {
                throw ScenarioFailure("the answer to \(name) isn't JSON")
            }
            return .value(value)
        case .refusal(_, let refusal): return .refusal(code: refusal.code.rawValue, message: refusal.message)
        case .silence(let message): throw ScenarioFailure(message)
        case .nothing: throw ScenarioFailure("no store answers \(name) at \(store)")
        }
    }

    /// Sends a call that a scenario needs, and returns its answer.
    ///
    /// - Throws: ``ScenarioFailure``, also for a refusal.
    @discardableResult
    func make(_ name: String, _ body: JSONValue) async throws -> JSONValue {
        switch try await call(name, body) {
        case .value(let value): return value
        case .refusal(_, let message): throw ScenarioFailure("\(name) was refused: \(message)")
        }
    }

    /// The roots of the store's signatures, as DER, which it publishes.
    ///
    /// - Throws: ``CommandFailure``.
    func rootCertificates() async throws -> [Data] {
        guard let url = URL(string: "\(store)/pki/roots.pem"), url.host != nil else {
            throw CommandFailure("--store takes the address of a store, such as http://127.0.0.1:8080.")
        }
        guard let answer = try? await ControlClient.get(url), answer.status == 200
        else { throw CommandFailure("No store answers at \(store): start it, or leave out --store.") }
        return Self.certificates(String(decoding: answer.body, as: UTF8.self))
    }

    /// The certificates of a PEM text, as DER.
    static func certificates(_ pem: String) -> [Data] {
        pem.components(separatedBy: "-----END CERTIFICATE-----").compactMap { part in
            let body = part.components(separatedBy: "-----BEGIN CERTIFICATE-----").last ?? ""
            return Data(base64Encoded: body.filter { !$0.isWhitespace }).flatMap { $0.isEmpty ? nil : $0 }
        }
    }
}
