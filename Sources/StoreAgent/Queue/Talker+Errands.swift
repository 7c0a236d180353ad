// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Logging
internal import StoreAPI

extension Talker {
    /// Runs an app request until it ends or waits for the customer.
    func run(_ identifier: String) async throws {
        var backoff = Backoff(random)
        guard var (errand, next) = try await journal.handle(identifier, .send) else { return }
        while true {
            switch next {
            case .ask(let isFirst):
                guard let step = try await ask(errand, isFirst: isFirst) else { return }
                (errand, next) = step
            case .retry:
                try await clock.sleep(for: backoff.next())
                next = .ask(isFirst: false)
            case .wait:
                return
            case .end:
                changed()
                return
            }
        }
    }

    private func ask(_ errand: Errand, isFirst: Bool) async throws -> (Errand, Errand.Next)? {
        do {
            switch errand.kind {
            case .restore: return try await askForPage(errand)
            case .refresh: return try await askForReceipt(errand)
            }
        } catch let failure as StoreFailure {
            return try await journal.handle(errand.identifier, .refused(failure))
        } catch let failure as ConnectionFailure {
            try Task.checkCancellation()
            let input = Errand.Input.unreachable(
                failure.reach, AgentFailure(unreachable: failure), wasFirst: isFirst)
            return try await journal.handle(errand.identifier, input)
        } catch let error as AgentError {
            return try await journal.handle(errand.identifier, .failed(AgentFailure(error)))
        }
    }

    /// The number of pages of the longest restore. A store's page has two
    /// hundred transactions.
    private static let pageLimit = 500

    private func askForPage(_ errand: Errand) async throws -> (Errand, Errand.Next)? {
        faults.before(.restore)
        let answer = try await store.call(
            RestoreCall(
                requestIdentifier: errand.identifier, bundleIdentifier: folder.bundleIdentifier,
                applicationUsername: errand.applicationUsername, page: errand.page))
        faults.after(.restore)
        if let failure = answer.failure {
            return try await journal.handle(errand.identifier, .failed(AgentFailure(failure)))
        }
        if let sheet = answer.sheet { return try await signIn(errand, sheet) }
        try answer.transactions.forEach { try $0.check(at: answer.position) }
        if let next = answer.nextPage, next <= errand.page || next >= Self.pageLimit {
            let failure = AgentFailure(
                code: PaymentFailure.unknown,
                message: "The store's restore doesn't end: after page \(errand.page) comes page \(next).")
            return try await journal.handle(errand.identifier, .failed(failure))
        }
        faults.before(.restored)
        let step = try await journal.restored(errand.identifier, answer, now: clock.now)
        faults.after(.restored)
        changed()
        return step
    }

    private func askForReceipt(_ errand: Errand) async throws -> (Errand, Errand.Next)? {
        let account = try await journal.state().receiptAccount
        let answer = try await store.call(
            ReceiptCall(
                requestIdentifier: errand.identifier, bundleIdentifier: folder.bundleIdentifier,
                applicationVersion: configuration.applicationVersion, mayAskToSignIn: true,
                properties: errand.properties))
        if let failure = answer.failure {
            return try await journal.handle(errand.identifier, .failed(AgentFailure(failure)))
        }
        if let sheet = answer.sheet { return try await signIn(errand, sheet) }
        guard try await keep(answer, askedFor: account) else { return (errand, .retry) }
        return try await journal.handle(errand.identifier, .completed)
    }

    private func signIn(_ errand: Errand, _ sheet: String) async throws -> (Errand, Errand.Next)? {
        let step = try await journal.handle(errand.identifier, .signIn)
        inbox.post { $0.sheets.append(Sheet(address: sheet, owner: .errand(errand.identifier))) }
        return step
    }
}
