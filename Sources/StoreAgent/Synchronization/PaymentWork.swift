// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import StoreAPI
import StoreCore
import StoreDatabase

/// Sends each payment until the store has decided it, or waits for the
/// customer or another person.
struct PaymentWork: BackgroundWork {
    static let name = "payment"
    let synchronizer: StoreSynchronizer

    func pieces(_ connection: any Connection) throws -> [WorkPiece] {
        try JournalEntry.load(connection, in: [.added, .sending, .waiting, .deferred]).filter(\.isOpen).map { entry in
            WorkPiece(
                work: self, name: entry.identifier, isWaiting: entry.phase == .waiting || entry.phase == .deferred)
        }
    }

    func perform(_ entry: String) async throws {
        try await synchronizer.pay(entry)
    }
}

extension StoreSynchronizer {
    /// Sends a payment until it gets an answer, and shows the answer's sheet.
    fileprivate func pay(_ identifier: String) async throws {
        var backoff = Backoff(random)
        while let entry = try await journal.entry(identifier), entry.isOpen {
            // Without trusted roots no receipt is accepted, so a purchase
            // could never be delivered.
            if entry.phase == .added, let failure = restrictions.refusal ?? receipts.untrusted {
                try await journal.handle(identifier, .impossible(failure), now: clock.now)
                changed()
                return
            }
            guard let mayFailAtOnce = try await begin(entry) else { return }
            let next = try await ask(entry, mayFailAtOnce: mayFailAtOnce, &backoff)
            changed()
            if case .present(let sheet) = next {
                signals.post { $0.sheets.append(Sheet(address: sheet, owner: .entry(identifier))) }
            }
            guard next == .retry else { return }
            try await clock.sleep(for: backoff.next())
        }
    }

    /// Records that the payment is about to be sent.
    ///
    /// - Returns: whether this attempt may fail without a repeat; `nil` when
    ///   there is nothing to send any more.
    private func begin(_ entry: JournalEntry) async throws -> Bool? {
        let isFirst = entry.phase == .added
        if isFirst { faults.before(.sending) }
        let input = JournalEntry.Input.send(mayFailAtOnce: entry.sequence > since)
        let next = try await journal.handle(entry.identifier, input, now: clock.now)
        if isFirst { faults.after(.sending) }
        guard case .ask(let mayFailAtOnce) = next else { return nil }
        return mayFailAtOnce
    }

    private func ask(
        _ entry: JournalEntry, mayFailAtOnce: Bool, _ backoff: inout Backoff
    ) async throws -> JournalEntry.Next {
        let answer: PaymentCall.Answer
        do {
            answer = try await store.call(
                PaymentCall(
                    requestIdentifier: entry.identifier, bundleIdentifier: folder.bundleIdentifier,
                    productIdentifier: entry.payment.productIdentifier, quantity: entry.payment.quantity,
                    applicationUsername: entry.payment.applicationUsername,
                    simulatesAskToBuy: entry.payment.simulatesAskToBuy, discount: entry.payment.discount,
                    winBackOffer: entry.payment.winBackOffer,
                    introductoryOfferEligibility: entry.payment.introductoryOfferEligibility,
                    acceptsRunning: entry.payment.isAwaited, isWithdrawn: entry.isWithdrawn))
            try answer.transaction?.check(at: answer.position)
        } catch let failure as StoreFailure {
            logger.warning("The store refused a payment: \(failure)")
            backoff.heed(failure)
            return try await journal.handle(entry.identifier, .refused(failure), now: clock.now)
        } catch {
            try Task.checkCancellation()
            let reach = (error as? ConnectionFailure)?.reach ?? .unanswered
            let failure = PurchaseFailure(error)
            logger.info("A payment has no answer yet: \(failure.message)")
            let input = JournalEntry.Input.unreachable(reach, failure, mayFailAtOnce: mayFailAtOnce)
            return try await journal.handle(entry.identifier, input, now: clock.now)
        }
        let arrives = answer.transaction != nil
        if arrives { faults.before(.arrived) }
        let next = try await journal.answer(
            entry.identifier, answer, now: clock.now, starting: offers(of: answer.transaction.map { [$0] } ?? []))
        if arrives { faults.after(.arrived) }
        return next
    }
}
