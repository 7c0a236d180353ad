// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import Hummingbird
import Logging
import NIOCore
import StoreDomain
import StoreService

/// `/verifyReceipt`: Apple's service for a seller's server, request and
/// response as Apple's. It always answers 200; `status` says what holds.
struct VerifyReceiptRoutes {
    let service: StoreService
    var configuration = VerifyReceiptConfiguration()
    let verifier = RememberedVerifier()

    private static let bodyLimit = 10 << 20

    func add(to router: Router<BasicRequestContext>) {
        router.post("/verifyReceipt") { request, _ in await answer(request) }
        for method in [HTTPRequest.Method.get, .head, .put, .delete, .patch] {
            router.on("/verifyReceipt", method: method) { _, _ -> Response in
                .json(VerifyReceiptResponse(status: .notPost))
            }
        }
    }

    private func answer(_ request: Hummingbird.Request) async -> Response {
        guard let body = try? await request.body.collect(upTo: Self.bodyLimit),
            let asked = try? JSONDecoder().decode(VerifyReceiptRequest.self, from: Data(body.readableBytesView)),
            let receipt = Data(base64Encoded: asked.receiptData, options: .ignoreUnknownCharacters), !receipt.isEmpty
        else { return .json(VerifyReceiptResponse(status: .malformed)) }
        do {
            return try await isTransactionReceipt(receipt)
                ? .json(VerifyingTransactionReceipt(self, asked).answer(receipt))
                : .json(VerifyingAppReceipt(self, asked).answer(receipt))
        } catch let status as VerifyReceiptRefusal {
            return .json(VerifyReceiptResponse(status: status.status))
        } catch {
            service.logger.error("verifyReceipt failed", metadata: ["error": "\(error)"])
            return .json(VerifyReceiptResponse(status: VerifyReceiptStatus(failure: error)))
        }
    }

    /// The old format is a property list.
    private func isTransactionReceipt(_ receipt: Data) -> Bool {
        receipt.first { !Set(" \t\r\n".utf8).contains($0) } == UInt8(ascii: "{")
    }

    var now: Date { service.clock.now().date }
    var isProduction: Bool { service.environment == .production }

    /// - Throws: ``VerifyReceiptRefusal`` if the receipt comes from the other
    ///   one of the two environments.
    func checkEnvironment(isProduction: Bool) throws {
        guard isProduction != self.isProduction else { return }
        throw VerifyReceiptRefusal(status: self.isProduction ? .sandboxReceipt : .productionReceipt)
    }

    /// - Throws: ``VerifyReceiptRefusal`` if the app has a shared secret, and
    ///   another one was sent, or none, and the receipt has a subscription.
    func checkSecret(_ password: String?, of bundleIdentifier: String, hasSubscription: Bool) throws {
        guard let secret = configuration.sharedSecrets[bundleIdentifier] else { return }
        guard password != nil || hasSubscription else { return }
        guard Self.isEqual(secret, password ?? "") else { throw VerifyReceiptRefusal(status: .wrongSecret) }
    }

    /// Compares all bytes, wherever the first difference is, so that the time
    /// it takes says nothing of a secret but its length.
    private static func isEqual(_ left: String, _ right: String) -> Bool {
        guard left.utf8.count == right.utf8.count else { return false }
        return zip(left.utf8, right.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// What became of a receipt's transactions. Those that the store has never
    /// heard of are left out: receipts are also made by hand.
    ///
    /// - Throws: ``VerifyReceiptRefusal`` if their account is gone.
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

/// A status other than zero that nothing failed for.
struct VerifyReceiptRefusal: Error {
    var status: VerifyReceiptStatus
}
