// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import Hummingbird
import Logging
import NIOCore
import StoreAPI
import StoreCore
import StoreDomain
import StoreService

/// `/verifyReceipt`: Apple's service for sellers' servers, with Apple's
/// requests and responses.
///
/// The HTTP status is 200 and `status` has the result, except for a request
/// from another site (403) and beyond a limit (408, 413, 429, 503).
struct VerifyReceiptRoutes {
    let service: StoreService
    let limits: RequestLimits
    var configuration = VerifyReceiptConfiguration()
    let verifier = RememberedVerifier()

    /// Apple's limit: a body with one byte more is answered with 413.
    static let bodyLimit = 3_145_728

    func add(to router: StoreRouter) {
        router.post("/verifyReceipt") { request, context in
            try request.refuseOtherOrigins(of: service.publicURL)
            do {
                let address = context.clientAddress
                return try await limits.bodies.withBody(of: request, from: address, upTo: Self.bodyLimit) { body in
                    try await answer(Data(body.readableBytesView), from: address)
                }
            } catch let failure as StoreFailure where failure.code == .malformed {
                return .json(VerifyReceiptResponse(status: .malformed))
            }
        }
        for method in [HTTPRequest.Method.get, .head, .put, .delete, .patch] {
            router.on("/verifyReceipt", method: method) { _, _ -> Response in
                .json(VerifyReceiptResponse(status: .notPost))
            }
        }
    }

    private func answer(_ body: Data, from address: String?) async throws -> Response {
        guard let asked = try? JSONDecoder().decode(VerifyReceiptRequest.self, from: body),
            let receipt = Data(base64Encoded: asked.receiptData, options: .ignoreUnknownCharacters), !receipt.isEmpty
        else { return .json(VerifyReceiptResponse(status: .malformed)) }
        do {
            return try await isTransactionReceipt(receipt)
                ? .json(VerifyingTransactionReceipt(self, asked, address).answer(receipt))
                : .json(VerifyingAppReceipt(self, asked, address).answer(receipt))
        } catch let refusal as VerifyReceiptRefusal {
            report(refusal)
            return .json(VerifyReceiptResponse(status: refusal.status))
        } catch let failure as StoreFailure {
            throw failure
        } catch {
            service.logger.error("verifyReceipt failed", metadata: ["error": "\(error)"])
            return .json(VerifyReceiptResponse(status: VerifyReceiptStatus(failure: error)))
        }
    }

    /// Writes into the log why a receipt was refused. The number of lines is
    /// limited, because anyone may send receipts.
    private func report(_ refusal: VerifyReceiptRefusal) {
        guard limits.reportedRefusals.take("", now: service.clock.now()) == nil else { return }
        service.logger.notice(
            "verifyReceipt refused a receipt",
            metadata: ["status": "\(refusal.status.rawValue)", "reason": "\(refusal.reason)"])
    }

    /// Whether a receipt is a transaction receipt: a property list, which
    /// begins with `{`.
    private func isTransactionReceipt(_ receipt: Data) -> Bool {
        receipt.first { ![0x20, 0x09, 0x0D, 0x0A].contains($0) } == UInt8(ascii: "{")
    }

    var now: Date { service.clock.now().date }
    var isProduction: Bool { service.environment == .production }

    /// - Throws: ``VerifyReceiptRefusal`` if the receipt is from the other
    ///   environment.
    func checkEnvironment(isProduction: Bool) throws {
        guard isProduction != self.isProduction else { return }
        throw VerifyReceiptRefusal(status: self.isProduction ? .sandboxReceipt : .productionReceipt)
    }

    /// Checks the shared secret of an app. Wrong secrets are counted for the
    /// network address and the app, so that a secret can't be guessed.
    ///
    /// - Throws: ``VerifyReceiptRefusal`` if the app has a secret and
    ///   `password` is another one, or is missing although the receipt has a
    ///   subscription; `StoreFailure` `throttled` after too many wrong
    ///   secrets.
    func checkSecret(
        _ password: String?, of bundleIdentifier: String, hasSubscription: Bool, from address: String?
    ) throws {
        guard let secret = configuration.sharedSecrets[bundleIdentifier] else { return }
        guard password != nil || hasSubscription else { return }
        let key = address.map { "\($0) \(bundleIdentifier)" }
        let now = service.clock.now()
        try limits.wrongSecrets.check(key, now: now, "wrong shared secrets")
        guard Data(secret.utf8).equalsInConstantTime(Data((password ?? "").utf8)) else {
            if let key { _ = limits.wrongSecrets.take(key, now: now) }
            throw VerifyReceiptRefusal(status: .wrongSecret)
        }
    }

    /// The current states of a receipt's transactions. Transactions that
    /// aren't in the store are left out, because receipts are also made by
    /// hand.
    ///
    /// - Throws: ``VerifyReceiptRefusal`` if their account was closed.
    func states(
        of transactions: [String], of bundleIdentifier: String
    ) async throws -> [String: LookingUpPurchases.State] {
        let lookUp = LookingUpPurchases(service.context)
        let states = try await lookUp(transactions, of: bundleIdentifier)
        guard !states.values.contains(where: \.isOfClosedAccount) else {
            throw VerifyReceiptRefusal(status: .accountGone)
        }
        return states
    }
}
