// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDatabase

@testable import StoreAgent

extension SimulatedDevice {
    /// The device's identifier at the store.
    var identifier: String? { processes.first?.agent.identity.credentials.identifier }

    /// Whether the device has nothing more to do as long as nobody else signs in.
    func isSettled(_ books: Books) -> Bool { unsettled(books).isEmpty }

    /// What the device has to do still.
    func unsettled(_ books: Books) -> [String] {
        guard let agent = processes.first?.agent, let identifier else { return ["no process"] }
        let account = books.accounts[identifier]
        var rest = books.debts.filter { $0.device == identifier && $0.account == account }.map {
            "\($0.transaction) at the store"
        }
        do {
            rest += try agent.journal.database.read { connection in
                let entries = try QueueEntry.load(connection, in: QueueEntry.Phase.allCases).filter { entry in
                    switch entry.phase {
                    case .confirmed, .away: return false
                    case .arrived:
                        // Its receipt comes when its account is signed in.
                        return entry.position?.account == account
                    case .waiting:
                        // Bought by an account that isn't signed in now.
                        let buyer = books.requests[entry.identifier]
                        return buyer == nil || buyer == account
                    default: return true
                    }
                }
                let errands = try Errand.load(connection).filter(\.isOpen)
                return entries.map { "\($0.identifier) \($0.phase)" } + errands.map { "errand \($0.identifier)" }
            }
        } catch {
            rest.append("a journal that can't be read: \(error)")
        }
        return rest
    }
}
