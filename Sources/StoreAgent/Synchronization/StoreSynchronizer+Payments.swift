// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import StoreAPI
import StoreCore
import StoreDatabase

extension StoreSynchronizer {
    /// Sends a payment until it gets an answer, and performs the effects.
    func pay(_ identifier: String) async throws {
        var backoff = Backoff(random)
        while let entry = try await journal.entry(identifier), entry.isOpen {
            // Without trusted roots no receipt is accepted, so a purchase
            // could never be delivered.
            if entry.phase == .added, let failure = restrictions.refusal ?? receipts.untrusted {
                _ = try await journal.handle(identifier, .impossible(failure), now: clock.now)
                changed()
                return
            }
            guard let mayFailAtOnce = try await begin(entry) else { return }
            let effects = try await ask(entry, mayFailAtOnce: mayFailAtOnce)
            changed()
            for case .present(let sheet) in effects {
                signals.post { $0.sheets.append(Sheet(address: sheet, owner: .entry(identifier))) }
            }
            guard effects.contains(.retry) else { return }
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
        let effects = try await journal.handle(entry.identifier, input, now: clock.now)
        if isFirst { faults.after(.sending) }
        for case .ask(let mayFailAtOnce) in effects { return mayFailAtOnce }
        return nil
    }

    private func ask(_ entry: JournalEntry, mayFailAtOnce: Bool) async throws -> [JournalEntry.Effect] {
        let answer: PaymentCall.Answer
        do {
            answer = try await store.call(
                PaymentCall(
                    requestIdentifier: entry.identifier, bundleIdentifier: folder.bundleIdentifier,
                    productIdentifier: entry.payment.productIdentifier, quantity: entry.payment.quantity,
                    applicationUsername: entry.payment.applicationUsername,
                    simulatesAskToBuy: entry.payment.simulatesAskToBuy, discount: entry.payment.discount,
                    isWithdrawn: entry.isWithdrawn))
            try answer.transaction?.check(at: answer.position)
        } catch let failure as StoreFailure {
            logger.warning("The store refused a payment: \(failure)")
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
        let effects = try await journal.answer(entry.identifier, answer, now: clock.now)
        if arrives { faults.after(.arrived) }
        return effects
    }

    /// Shows a sheet. Its outcome comes from the store.
    ///
    /// If the sheet can't be shown, the payment fails here only when the
    /// customer can't have seen the sheet. A sheet that the customer may have
    /// seen can still be confirmed, and the purchase must not have failed
    /// here then.
    ///
    /// The journal records the sheet before it is shown, because an earlier
    /// process may have shown the same one.
    func present(_ sheet: Sheet) async {
        let failure: PurchaseFailure
        var isUnseen = true
        do {
            let address = try SheetAddress(sheet.address, from: configuration.storeURL)
            if case .entry(let identifier) = sheet.owner {
                isUnseen = try await begin(presenting: sheet.address, of: identifier)
            }
            faults.before(.present)
            try await address.present(with: presenter)
            faults.after(.present)
            return
        } catch is CancellationError {
            return
        } catch let error as AgentError where error.code == .sheetProgram || !isUnseen {
            logger.error("The store's sheet may not have been shown; it is open until it expires. \(error)")
            return
        } catch {
            logger.error("The store's sheet can't be shown: \(error)")
            failure = PurchaseFailure(
                .unknown, "The store's sheet can't be shown, nothing was charged. \(error)"
            )
        }
        await end(sheet, failure)
    }

    private func begin(presenting sheet: String, of entry: String) async throws -> Bool {
        while true {
            do {
                return try await journal.present(sheet, of: entry)
            } catch let error as DatabaseError {
                logger.error("The journal can't be written: \(error). The store's sheet waits for it.")
                try await clock.sleep(for: .seconds(1))
            }
        }
    }

    /// Fails the payment or app request of a sheet that wasn't shown.
    private func end(_ sheet: Sheet, _ failure: PurchaseFailure) async {
        do {
            switch sheet.owner {
            case .entry(let identifier):
                let input = JournalEntry.Input.notPresented(sheet: sheet.address, failure)
                _ = try await journal.handle(identifier, input, now: clock.now)
            case .appRequest(let identifier):
                _ = try await journal.handle(identifier, .failed(failure))
            }
            changed()
        } catch {
            logger.error("The journal can't be written: \(error)")
        }
    }
}
