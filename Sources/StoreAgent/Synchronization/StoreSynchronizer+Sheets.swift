// SPDX-License-Identifier: Apache-2.0

import Logging
import StoreAPI
import StoreCore
import StoreDatabase

extension StoreSynchronizer {
    /// A sheet to show, and the request that it is for.
    struct Sheet: Hashable, Sendable {
        enum Owner: Hashable, Sendable {
            case entry(String)
            case appRequest(String)
            /// A child's request, which a parent answers on the page of the family.
            case childRequest(String)
        }

        var address: String
        var owner: Owner
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
                try await journal.handle(identifier, input, now: clock.now)
            case .appRequest(let identifier):
                _ = try await journal.handle(identifier, .failed(failure))
            case .childRequest: return
            }
            changed()
        } catch {
            logger.error("The journal can't be written: \(error)")
        }
    }
}
