// SPDX-License-Identifier: Apache-2.0

package import AppReceipts
package import Foundation

/// Verifies notifications of the App Store Server as a seller's server does,
/// and decodes them with the transaction and the renewal inside.
package struct NotificationDecoder: Sendable {
    private let verifier: JWSVerifier
    private let bundleIdentifier: String

    /// A decoder that trusts root certificates, each as DER.
    package init(roots: [Data], bundleIdentifier: String) {
        verifier = JWSVerifier(roots: roots)
        self.bundleIdentifier = bundleIdentifier
    }

    /// Decodes the body of a request, which has the notification in
    /// `signedPayload`.
    ///
    /// - Returns: The notification, with the decoded transaction in
    ///   `data.transaction` and the decoded renewal in `data.renewal`.
    /// - Throws: ``ScenarioFailure`` for a body or a signature that a seller's
    ///   server refuses.
    package func notification(_ body: Data) throws -> JSONValue {
        let jws = try Self.payload(body)
        var members = try verified(jws, as: NotificationPayload.self, "a notification").members
        guard case .object(var data)? = members["data"] else { return .object(members) }
        if case .string(let jws)? = data.removeValue(forKey: "signedTransactionInfo") {
            data["transaction"] = .object(try verified(jws, as: TransactionPayload.self, "a transaction").members)
        }
        if case .string(let jws)? = data.removeValue(forKey: "signedRenewalInfo") {
            data["renewal"] = .object(try verified(jws, as: RenewalInfoPayload.self, "a renewal").members)
        }
        members["data"] = .object(data)
        return .object(members)
    }

    /// The certificate that has signed the body of a request, as base64 of its
    /// DER.
    ///
    /// - Throws: ``ScenarioFailure`` for a body without one.
    package func certificate(_ body: Data) throws -> String {
        let jws = try? UnverifiedJWS<NotificationPayload>(parsing: try Self.payload(body))
        guard let certificate = jws?.certificates.first else {
            throw ScenarioFailure("a notification has no certificate")
        }
        return certificate.base64EncodedString()
    }

    private static func payload(_ body: Data) throws -> String {
        guard let text = String(data: body, encoding: .utf8), let outer = try? JSONValue(parsing: text),
            case .string(let jws)? = outer.member("signedPayload")
        else { throw ScenarioFailure("a notification's body has no signedPayload") }
        return jws
    }

    private func verified<Payload: SignedPayload>(
        _ jws: String, as type: Payload.Type, _ name: String
    ) throws -> Payload {
        do {
            let expecting = JWSVerifier.Expectation(bundleIdentifier: bundleIdentifier)
            switch try verifier.verify(jws, as: type, expecting: expecting) {
            case .verified(let verified): return verified.payload
            case .refused(let refusals):
                throw ScenarioFailure("\(name) isn't accepted: \(refusals.map { "\($0)" }.joined(separator: "; "))")
            }
        } catch let error as AppReceiptError {
            throw ScenarioFailure("\(name) can't be read: \(error)")
        }
    }
}
