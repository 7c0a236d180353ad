// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import StoreAPI
import StoreCore
import StoreDatabase

/// Runs the restores and receipt refreshes of living processes, and the
/// requests for sheets.
struct AppRequestWork: BackgroundWork {
    static let name = "app request"
    let synchronizer: StoreSynchronizer

    func pieces(_ connection: any Connection) throws -> [WorkPiece] {
        try AppRequest.load(connection).filter(\.isOpen).map { appRequest in
            WorkPiece(
                work: self, name: appRequest.identifier, isWaiting: appRequest.phase == .waiting,
                process: appRequest.kind.outlivesItsProcess ? nil : appRequest.process)
        }
    }

    func perform(_ appRequest: String) async throws {
        try await synchronizer.run(appRequest)
    }
}

extension StoreSynchronizer {
    /// Runs an app request until it ends or waits for the customer.
    fileprivate func run(_ identifier: String) async throws {
        var backoff = Backoff(random)
        guard var (appRequest, next) = try await journal.handle(identifier, .send) else { return }
        while true {
            switch next {
            case .ask(let isFirst):
                // Its process may have ended since the page or the pause
                // before.
                guard appRequest.kind.outlivesItsProcess || isAlive(appRequest.process),
                    let step = try await ask(appRequest, isFirst: isFirst, &backoff)
                else { return }
                (appRequest, next) = step
            case .retry:
                try await clock.sleep(for: backoff.next())
                // The app may have cancelled it during the pause.
                guard let step = try await journal.handle(identifier, .send) else { return }
                (appRequest, next) = step
            case .wait:
                return
            case .end:
                report(appRequest)
                changed()
                return
            }
        }
    }

    /// Logs why a sheet that no process waits for can't be shown. The app
    /// isn't notified, because its call returns nothing.
    private func report(_ appRequest: AppRequest) {
        guard !appRequest.kind.isAwaited, let failure = appRequest.failure, failure.code != .paymentCancelled else {
            return
        }
        logger.warning("The store's sheet isn't shown (\(appRequest.kind)): \(failure.message)")
    }

    private func ask(
        _ appRequest: AppRequest, isFirst: Bool, _ backoff: inout Backoff
    ) async throws -> (AppRequest, AppRequest.Next)? {
        do {
            switch appRequest.kind {
            case .restore: return try await askForPage(appRequest)
            case .refresh: return try await askForReceipt(appRequest)
            case .redemption:
                // A purchase could neither be paid nor delivered.
                if let failure = restrictions.refusal ?? receipts.untrusted {
                    return try await journal.handle(appRequest.identifier, .failed(failure))
                }
                return try await askForSheet(
                    appRequest,
                    RedemptionCall(
                        requestIdentifier: appRequest.identifier, bundleIdentifier: folder.bundleIdentifier))
            case .priceConsent:
                return try await askForSheet(
                    appRequest,
                    PriceConsentCall(
                        requestIdentifier: appRequest.identifier, bundleIdentifier: folder.bundleIdentifier))
            }
        } catch let failure as StoreFailure {
            backoff.heed(failure)
            return try await journal.handle(appRequest.identifier, .refused(failure))
        } catch let failure as ConnectionFailure {
            try Task.checkCancellation()
            let input = AppRequest.Input.unreachable(
                failure.reach, PurchaseFailure(unreachable: failure), wasFirst: isFirst)
            return try await journal.handle(appRequest.identifier, input)
        } catch let error as AgentError {
            return try await journal.handle(appRequest.identifier, .failed(PurchaseFailure(error)))
        }
    }

    /// The number of pages of the longest restore. A store's page has two
    /// hundred transactions.
    private static let pageLimit = 500

    private func askForPage(_ appRequest: AppRequest) async throws -> (AppRequest, AppRequest.Next)? {
        // The store restores no purchase that is in the device's queue. Those
        // that the app has finished before must have left it.
        if appRequest.page == 0 { try await sendFinishes() }
        faults.before(.restore)
        let answer = try await store.call(
            RestoreCall(
                requestIdentifier: appRequest.identifier, bundleIdentifier: folder.bundleIdentifier,
                page: appRequest.page))
        faults.after(.restore)
        if let failure = answer.failure {
            return try await journal.handle(appRequest.identifier, .failed(failure.printable))
        }
        if let sheet = answer.sheet { return try await signIn(appRequest, sheet) }
        try answer.transactions.forEach { try $0.check(at: answer.position) }
        if let next = answer.nextPage, next <= appRequest.page || next >= Self.pageLimit {
            let failure = PurchaseFailure(
                .unknown, "The store's restore doesn't end: after page \(appRequest.page) comes page \(next).")
            return try await journal.handle(appRequest.identifier, .failed(failure))
        }
        faults.before(.restored)
        let step = try await journal.restored(appRequest.identifier, answer, now: clock.now)
        faults.after(.restored)
        changed()
        return step
    }

    private func askForReceipt(_ appRequest: AppRequest) async throws -> (AppRequest, AppRequest.Next)? {
        let account = try await journal.state().receiptAccount
        let answer = try await store.call(
            ReceiptCall(
                requestIdentifier: appRequest.identifier, bundleIdentifier: folder.bundleIdentifier,
                applicationVersion: configuration.applicationVersion, mayAskToSignIn: true,
                properties: appRequest.properties))
        if let failure = answer.failure {
            return try await journal.handle(appRequest.identifier, .failed(failure.printable))
        }
        if let sheet = answer.sheet { return try await signIn(appRequest, sheet) }
        guard try await keep(answer, askedFor: account) else { return (appRequest, .retry) }
        return try await journal.handle(appRequest.identifier, .completed)
    }

    /// Asks for a sheet whose outcome the store sends as events.
    private func askForSheet<Call: StoreCall>(
        _ appRequest: AppRequest, _ call: Call
    ) async throws -> (AppRequest, AppRequest.Next)? where Call.Answer == SheetAnswer {
        let answer = try await store.call(call)
        if let failure = answer.failure {
            return try await journal.handle(appRequest.identifier, .failed(failure.printable))
        }
        if let sheet = answer.sheet { return try await signIn(appRequest, sheet) }
        return try await journal.handle(appRequest.identifier, .completed)
    }

    /// Shows the sheet, unless the app has cancelled the request meanwhile.
    private func signIn(_ appRequest: AppRequest, _ sheet: String) async throws -> (AppRequest, AppRequest.Next)? {
        guard let step = try await journal.handle(appRequest.identifier, .signIn) else { return nil }
        if step.1 == .wait {
            signals.post { $0.sheets.append(Sheet(address: sheet, owner: .appRequest(appRequest.identifier))) }
        }
        return step
    }
}
