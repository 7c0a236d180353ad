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

    static let bodyLimit = StoreService.verifyReceiptLimit

    func add(to router: StoreRouter) {
        router.post("/verifyReceipt") { request, context in
            try request.refuseOtherOrigins(of: service.publicURL)
            do {
                let address = context.clientAddress
                return try await limits.bodies.withBody(of: request, from: address, upTo: Self.bodyLimit) { body in
                    try await answer(Data(body.readableBytesView), from: address)
                }
            } catch let failure as StoreFailure where failure.code == .malformed {
                report(VerifyReceiptRefusal(status: .malformed, reasons: [failure.message]))
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
        var app: BundleIdentifier?
        do {
            // The decoder's error isn't written into the log: it may contain
            // the shared secret.
            guard let asked = try? JSONDecoder().decode(VerifyReceiptRequest.self, from: body) else {
                throw VerifyReceiptRefusal(
                    status: .malformed, reasons: ["The request isn't JSON with a text receipt-data."])
            }
            let receipt = try ReceiptData.receipt(in: asked.receiptData)
            let verified = try await service.verify(receipt: receipt)
            app = BundleIdentifier(verified.bundleIdentifier)
            let isSeller = try await checkSecret(asked.password, for: verified, from: address)
            let extent: ReceiptHistory.Extent = asked.excludeOldTransactions == true ? .newestPeriods : .all
            let current = try await service.currentState(
                of: verified, extent: extent, hasPassword: isSeller)
            return response(current, about: receipt)
        } catch let refusal as VerifyReceiptRefusal {
            report(refusal)
            if let app {
                await service.report(
                    .verifyReceipt(status: refusal.status.rawValue, reason: refusal.reason), of: app)
            }
            return refused(refusal.status)
        } catch let failure as StoreFailure {
            throw failure
        } catch {
            report(failure: error)
            return refused(await status(of: error))
        }
    }

    /// Apple's answers have the environment beside these statuses, and `status` alone beside the others.
    private func refused(_ status: VerifyReceiptStatus) -> Response {
        let names: Set<VerifyReceiptStatus> = [.wrongSecret, .accountGone, .dataAccess, .dataAccessForGood]
        return .json(
            VerifyReceiptResponse(
                status: status, environment: names.contains(status) ? service.environment.rawValue : nil))
    }

    /// The status for an error of the store. A newer version may have changed
    /// the tables so that this process can't read them any more: repeating the
    /// request helps then, because another process answers it.
    private func status(of error: any Error) async -> VerifyReceiptStatus {
        let status = VerifyReceiptStatus(failure: error)
        guard status == .dataAccessForGood else { return status }
        // The round that reads the schema's version may not have run since.
        await service.checkSchema()
        return service.isSuperseded ? .unavailable : status
    }

    /// Writes into the log why a receipt was refused. The number of lines is
    /// limited, because anyone may send receipts.
    private func report(_ refusal: VerifyReceiptRefusal) {
        guard limits.reportedRefusals.take("", now: service.clock.now()) == nil else { return }
        service.logger.notice(
            "verifyReceipt refused a receipt",
            metadata: ["status": "\(refusal.status.rawValue)", "reason": "\(refusal.reason)"])
    }

    /// Writes into the log why a receipt couldn't be judged. A database that
    /// has too much to do isn't out of order, and refuses many requests: that
    /// is a notice, in a limited number of lines.
    private func report(failure error: any Error) {
        guard StoreContext.isOverload(error) else {
            service.logger.error("verifyReceipt failed", metadata: ["error": "\(error)"])
            return
        }
        guard limits.reportedRefusals.take("overload", now: service.clock.now()) == nil else { return }
        service.logger.notice("verifyReceipt has too much to do", metadata: ["error": "\(error)"])
    }

    private func response(_ current: CurrentReceipt, about sent: Data) -> Response {
        switch current {
        case .app(let current):
            var response = VerifyReceiptResponse(
                status: .valid, environment: service.environment.rawValue,
                receipt: ReceiptBody(current.contents, listing: current.listed, requestDate: current.now))
            if let latest = current.latest {
                if latest.isCut { reportCut(latest.transactions.count) }
                response.latestReceiptInfo = latest.transactions
                if current.hasSubscription {
                    response.latestReceipt = (latest.receipt ?? sent).base64EncodedString()
                    response.pendingRenewalInfo = latest.renewals
                }
            }
            return .json(response)
        case .transaction(let current):
            return .json(TransactionReceiptResponse(current, sent: sent))
        }
    }

    /// Writes into the log that `latest_receipt_info` has only the newest
    /// transactions.
    private func reportCut(_ count: Int) {
        guard limits.reportedRefusals.take("cut", now: service.clock.now()) == nil else { return }
        service.logger.warning("verifyReceipt left out older transactions", metadata: ["listed": "\(count)"])
    }

    /// Checks the shared secret of an app. Wrong secrets are counted for the
    /// network address and the app, so that a secret can't be guessed.
    ///
    /// - Returns: Whether `password` is a secret of the app; any text is one of an app without a secret.
    /// - Throws: ``VerifyReceiptRefusal`` if the app has a secret and
    ///   `password` is another one, or is missing although the receipt has a
    ///   subscription; `StoreFailure` `throttled` after too many wrong
    ///   secrets.
    private func checkSecret(
        _ password: String?, for receipt: VerifiedReceipt, from address: String?
    ) async throws -> Bool {
        guard password != nil || receipt.hasSubscription else { return false }
        let given = SharedSecrets(app: configuration.sharedSecret(receipt.bundleIdentifier))
        let made = try await service.acceptedSecrets(for: BundleIdentifier(receipt.bundleIdentifier))
        guard !given.isEmpty || !made.isEmpty else { return password?.isEmpty == false }
        let key = address.map { "\($0) \(receipt.bundleIdentifier)" }
        let now = service.clock.now()
        try limits.wrongSecrets.check(key, now: now, "wrong shared secrets")
        guard given.contains(password ?? "") || made.contains(password ?? "") else {
            if let key { _ = limits.wrongSecrets.take(key, now: now) }
            throw VerifyReceiptRefusal(
                status: .wrongSecret, reasons: ["The password of \(receipt.bundleIdentifier) is wrong or missing."])
        }
        return true
    }
}
