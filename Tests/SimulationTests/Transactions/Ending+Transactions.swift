// SPDX-License-Identifier: Apache-2.0

import StoreAPI

@testable import StoreAgent
@testable import StoreKit

/// The end of a run with apps of StoreKit 2: compares the lists of every app
/// with the books, and with its lists without a network.
extension Ending {
    func compareTransactions(of apps: [SimulatedApp]) {
        for device in world.devices { device.clockError = 0 }
        for app in apps {
            guard let transactions = app.transactions, let books = try? Books(world), app.account(books) != nil else {
                continue
            }
            compare(transactions)
            guard let online = lists(of: transactions) else {
                world.witness.complain("the transactions of \(app.place) can't be read")
                continue
            }
            if !online.unfinished.isEmpty {
                world.witness.complain("\(app.place) ends with \(online.unfinished.map(\.number)) unfinished")
            }
            isThereOffline(online, app)
        }
    }

    /// Compares an app's lists with the books. Something may happen between
    /// the reading of both, so that the comparison is made again.
    private func compare(_ transactions: SimulatedTransactions) {
        for _ in 0..<5 {
            var isCompared: Bool?
            transactions.compare { isCompared = $0 }
            _ = world.pass(atMost: 120_000) { isCompared != nil }
            if isCompared == true { return }
        }
        world.witness.complain("the transactions of \(transactions.place) don't become complete")
    }

    private func lists(of transactions: SimulatedTransactions) -> SimulatedTransactions.Lists? {
        let answer = Waiter<SimulatedTransactions.Lists>()
        transactions.start {
            do {
                answer.settle(.success(try await transactions.lists()))
            } catch {
                answer.settle(.failure(error))
            }
        }
        _ = world.pass(atMost: 60_000) { answer.isSettled }
        return try? answer.value
    }

    /// Checks that a process that is launched without a network has the lists
    /// of the one before.
    private func isThereOffline(_ online: SimulatedTransactions.Lists, _ app: SimulatedApp) {
        let (device, bundle) = (app.device, app.bundle)
        device.isOnline = false
        for process in device.processes where process.bundle == bundle { device.kill(process) }
        defer { device.isOnline = true }
        guard let transactions = device.launch(bundle)?.transactions, let offline = lists(of: transactions) else {
            return world.witness.complain("\(app.place) has no transactions offline")
        }
        if offline.all.map(\.jsonRepresentation) != online.all.map(\.jsonRepresentation) {
            let (before, now) = (online.all.map(\.number), offline.all.map(\.number))
            world.witness.complain("\(app.place) has \(now) offline, and had \(before)")
        }
        // A renewal that wasn't known is no reason: no time has passed that ends a period.
        if offline.entitlements.map(\.number) != online.entitlements.map(\.number) {
            let (before, now) = (online.entitlements.map(\.number), offline.entitlements.map(\.number))
            world.witness.complain("\(app.place) has the entitlements \(now) offline, and had \(before)")
        }
    }
}
