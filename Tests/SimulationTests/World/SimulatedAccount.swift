// SPDX-License-Identifier: Apache-2.0

import StoreDomain
import StoreService

/// A customer's account, and the changes that the store's operator makes to
/// it.
final class SimulatedAccount: @unchecked Sendable {  // because only the scheduler's thread touches it
    /// The account as it was opened.
    let account: Account
    unowned let world: World
    /// The periods in which the account was barred and the store must have
    /// sold nothing to it.
    private(set) var barred: [Range<Int64>] = []
    private var barredSince: Int64?
    /// How often it was barred or unbarred.
    private var barrings = 0
    /// Whether its subscriptions are renewed at a test's speed. A long time
    /// would be thousands of periods then.
    var isHurried = false
    /// Whether they were at any time.
    var wasHurried = false
    /// Whether the message that sets a test's speed had no answer: it may
    /// still arrive.
    var mayHurryLater = false
    /// Whether a message that moves the clock has no answer yet.
    var isMoving = false
    /// The number of calls of ``moveOn()``.
    private var moves = 0
    /// The session cookie of its browser.
    private var cookie: String?

    init(_ account: Account, _ world: World) {
        self.account = account
        self.world = world
    }

    /// The account as a page finds it by the browser's cookie. Opens a new
    /// session if the cookie has expired.
    func signIn(_ service: StoreService) async throws -> Account {
        if let cookie, let account = try await service.sheetSession(cookie) { return account }
        let new = try await service.openSheetSession(for: account)
        cookie = new
        guard let account = try await service.sheetSession(new) else {
            throw DomainError(.wrongPassword, "The browser's session is over already.")
        }
        return account
    }

    /// Moves the account to another country than the last call did.
    func moveOn() {
        moves += 1
        move(to: ["USA", "GBR", "DEU"][moves % 3])
    }

    /// Moves the account to another country.
    func move(to storefront: String) {
        change(ChangingAccount.Change(storefront: storefront))
    }

    /// Interrupts the account's purchases for some time.
    func interrupt(for milliseconds: Int64) {
        change(ChangingAccount.Change(switches: [.interruptsPurchases: true]))
        world.scheduler.after(milliseconds) { [self] in
            change(ChangingAccount.Change(switches: [.interruptsPurchases: false]))
        }
    }

    /// Bars the account for some time.
    func bar(for milliseconds: Int64) {
        world.hasBarred = true
        barrings += 1
        let barring = barrings
        change(ChangingAccount.Change(switches: [.barred: true])) { [self] in
            if barrings == barring { barredSince = world.scheduler.now }
        }
        world.scheduler.after(milliseconds) { [self] in
            guard barrings == barring else { return }
            barrings += 1
            if let since = barredSince { barred.append(since..<world.scheduler.now) }
            barredSince = nil
            change(ChangingAccount.Change(switches: [.barred: false]))
        }
    }

    /// Changes the account at the store, and tries again until that succeeds.
    private func change(_ change: ChangingAccount.Change, done: @escaping () -> Void = {}) {
        world.note("\(account.email): \(change)")
        nonisolated(unsafe) let done = done  // because the scheduler's thread alone calls it
        world.ask({ [account] in _ = try await $0.change(account: account.email, change) }) { [self] result in
            switch result {
            case .success: done()
            case .failure: world.scheduler.after(2000) { [self] in self.change(change, done: done) }
            }
        }
    }
}
