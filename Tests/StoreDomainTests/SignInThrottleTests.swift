// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import StoreAPI
import StoreAssembly
import StoreCore
import StoreDatabase
import StoreService
import StoreTestSupport
import Synchronization
import Testing

@testable import StoreDomain

/// Tests the pauses after wrong passwords, and that a stranger's wrong
/// passwords don't keep the account owner out on the owner's device.
struct SignInThrottleTests {
    @Test("The fifth wrong password begins the pauses, which double up to a quarter of an hour")
    func pauses() {
        var throttle = SignInThrottle(subject: .account("anna@example.com"))
        let now = WallTime(milliseconds: 1_000_000_000)
        for _ in 0..<4 {
            throttle.count(now: now)
            #expect(throttle.wait(now: now) == nil)
        }
        let pauses = (0..<12).map { _ in
            throttle.count(now: now)
            return throttle.wait(now: now)
        }
        #expect(pauses.prefix(4) == [.seconds(1), .seconds(2), .seconds(4), .seconds(8)])
        #expect(pauses.suffix(2) == [.seconds(900), .seconds(900)])
        throttle.count(now: now + .seconds(3601))
        #expect(throttle.failures == 1)
    }

    @Test("A pause that a wrong clock has written locks no account", arguments: [3600, 2_522_880_000])
    func clockAhead(seconds: Int) {
        var throttle = SignInThrottle(subject: .account("anna@example.com"))
        let now = WallTime(milliseconds: 1_767_323_045_000)
        for _ in 0..<9 { throttle.count(now: now + .seconds(seconds)) }
        #expect(throttle.wait(now: now + .seconds(seconds)) != nil)
        #expect(throttle.wait(now: now) == nil)
        throttle.count(now: now)
        #expect(throttle.failures == 1)
    }

    @Test("Clocks that differ by a little pause no first try, and shorten neither a pause nor the count")
    func clockSkew() {
        var throttle = SignInThrottle(subject: .account("anna@example.com"))
        let now = WallTime(milliseconds: 1_767_323_045_000)
        let earlier = now - .milliseconds(1)
        throttle.count(now: now)
        #expect(throttle.wait(now: earlier) == nil)
        for _ in 0..<20 { throttle.count(now: now) }
        #expect(throttle.wait(now: now) == SignInThrottle.longestPause)
        #expect(throttle.wait(now: earlier) == SignInThrottle.longestPause)
        throttle.count(now: earlier)
        #expect(throttle.failures == 22 && throttle.failed == now)
    }

    @Test("A try that is taken back leaves the pause that was there before it")
    func takenBack() {
        var throttle = SignInThrottle(subject: .account("anna@example.com"))
        let now = WallTime(milliseconds: 1_767_323_045_000)
        for _ in 0..<6 { throttle.count(now: now) }
        let before = throttle
        let later = now + .seconds(2)
        let unchecked = throttle.count(now: later)
        throttle.takeBack(unchecked)
        #expect(throttle.failures == before.failures && throttle.blockedUntil == before.blockedUntil)
        #expect(throttle.wait(now: later) == nil)

        // Another try was counted in between: its pause stays.
        let first = throttle.count(now: later)
        throttle.count(now: later + .seconds(4))
        throttle.takeBack(first)
        #expect(throttle.failures == 7)
        #expect(throttle.wait(now: later + .seconds(4)) == Duration.seconds(8))
    }

    @Test(
        "A try that finds no place to be checked isn't counted, and the right password signs in later",
        arguments: Engine.stores)
    func busy(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            let sheet = try phone.token(try await phone.ask("apple", request: "r").sheet)
            for _ in 0..<4 {
                await #expect(throws: SigningIn.wrong) {
                    try await store.service.signIn(email: anna.email, password: "typo", onSheet: sheet)
                }
            }
            let gate = DispatchSemaphore(value: 0)
            let hashing = store.context.hashing
            try await withThrowingTaskGroup(of: Void.self) { group in
                // Also when a statement throws: all stores of the process share
                // the hashing threads, so waiting hashes would block other
                // tests.
                defer { for _ in 0..<PasswordHashing.placesOfAnOrigin { gate.signal() } }
                for _ in 0..<PasswordHashing.placesOfAnOrigin {
                    group.addTask {
                        _ = try? await hashing.run(from: phone.credentials.identifier, isPreferred: false) {
                            gate.wait()
                            return Data()
                        }
                    }
                }
                while hashing.waiting < PasswordHashing.placesOfAnOrigin { try await letOthersRun() }
                for _ in 0..<11 {
                    let refusal = await #expect(throws: DomainError.self) {
                        try await store.service.signIn(
                            email: anna.email, password: TestStore.password, onSheet: sheet)
                    }
                    #expect(refusal?.code == .busy && refusal?.retryAfter == 2)
                }
            }
            #expect(try await store.count("sheet", where: "wrong_passwords = 4") == 1)
            #expect(try await store.count("sign_in_throttle", where: "failures = 4") == 2)
            let signedIn = try await store.service.signIn(
                email: anna.email, password: TestStore.password, onSheet: sheet)
            #expect(signedIn == anna)
        }
    }

    @Test("Before 1970 the right password signs in", arguments: Engine.stores)
    func longAgo(engine: Engine) async throws {
        try await engine.withStore(clock: TestClock(now: WallTime(milliseconds: -441_763_200_000))) { store in
            let anna = try await store.addAccount()
            #expect(try await store.service.signIn(email: anna.email, password: TestStore.password) == anna)
        }
    }

    @Test("Four right passwords at a time all sign in", arguments: Engine.stores)
    func parallel(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let signedIn = try await withThrowingTaskGroup(of: Account.self) { group in
                for _ in 0..<4 {
                    group.addTask { try await store.service.signIn(email: anna.email, password: TestStore.password) }
                }
                return try await group.reduce(into: 0) { count, _ in count += 1 }
            }
            #expect(signedIn == 4)
        }
    }

    @Test("Four right passwords at a time on one sheet all sign in, and none stays counted", arguments: Engine.stores)
    func parallelOnASheet(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            let sheet = try phone.token(try await phone.ask("apple", request: "r").sheet)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        _ = try await store.service.signIn(
                            email: anna.email, password: TestStore.password, onSheet: sheet)
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await store.count("sheet", where: "wrong_passwords = 0") == 1)
            #expect(try await store.count("sign_in_throttle", where: "failures > 0") == 0)
        }
    }

    @Test("A stranger's guesses don't keep the owner out on the owner's device", arguments: Engine.stores)
    func owner(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            try await phone.buy("pear", request: "first", as: anna)
            let stranger = try await store.addDevice(2)
            let attacked = try stranger.token(try await stranger.ask("apple", request: "s").sheet)
            var refusals: [DomainError.Code] = []
            for _ in 0..<8 {
                do {
                    _ = try await store.service.signIn(email: anna.email, password: "guess", onSheet: attacked)
                } catch let error as DomainError { refusals.append(error.code) }
            }
            #expect(refusals.contains(.throttled))

            let sheet = try phone.token(try await phone.ask("apple", request: "own").sheet)
            let signedIn = try await store.service.signIn(
                email: anna.email, password: TestStore.password, onSheet: sheet)
            #expect(signedIn.identifier == anna.identifier)
            // The owner's own wrong passwords are counted on that device.
            for _ in 0..<5 {
                await #expect(throws: SigningIn.wrong) {
                    try await store.service.signIn(email: anna.email, password: "typo", onSheet: sheet)
                }
            }
            let sixth = await #expect(throws: DomainError.self) {
                try await store.service.signIn(email: anna.email, password: TestStore.password, onSheet: sheet)
            }
            #expect(sixth?.code == .throttled && (sixth?.retryAfter ?? 0) >= 1)
        }
    }

    @Test("Ten wrong passwords end a sheet, and its payment fails", arguments: Engine.stores)
    func sheetEnds(engine: Engine) async throws {
        try await engine.withStore { store in
            let device = try await store.addDevice()
            let sheet = try device.token(try await device.ask("apple", request: "r").sheet)
            for number in 0..<9 {
                await #expect(throws: SigningIn.wrong) {
                    try await store.service.signIn(email: "a\(number)@b.c", password: "guess", onSheet: sheet)
                }
            }
            let last = await #expect(throws: DomainError.self) {
                try await store.service.signIn(email: "z@b.c", password: "guess", onSheet: sheet)
            }
            #expect(last?.code == .sheetUsed)
            let answer = try await device.ask("apple", request: "r")
            #expect(answer.status == .failed && answer.failure?.code == .paymentCancelled)
            #expect(try await store.count("payment") == 0)
        }
    }

    @Test(
        "A sheet that had its ten wrong passwords when the store died is ended by the next try",
        arguments: Engine.stores)
    func sheetLeftOpen(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let phone = try await store.addDevice()
            let sheet = try phone.token(try await phone.ask("apple", request: "r").sheet)
            try await store.context.database.write { _ = try $0.run("UPDATE sheet SET wrong_passwords = 10") }

            let refusal = await #expect(throws: DomainError.self) {
                try await store.service.signIn(email: anna.email, password: TestStore.password, onSheet: sheet)
            }

            #expect(refusal?.code == .sheetUsed)
            let answer = try await phone.ask("apple", request: "r")
            #expect(answer.status == .failed && answer.failure?.code == .paymentCancelled)
            #expect(try await store.count("sign_in_throttle") == 0)
        }
    }

    @Test("Closing an account deletes the counts of its address on its devices", arguments: Engine.stores)
    func closing(engine: Engine) async throws {
        try await engine.withStore { store in
            let anna = try await store.addAccount()
            let bob = try await store.addAccount("bob@example.com")
            for (number, account) in [(UInt8(1), anna), (UInt8(2), bob)] {
                let device = try await store.addDevice(number)
                try await device.signIn(account)
                let sheet = try device.token(try await device.ask("apple", request: "r").sheet)
                await #expect(throws: SigningIn.wrong) {
                    try await store.service.signIn(email: account.email, password: "typo", onSheet: sheet)
                }
            }
            #expect(try await store.count("sign_in_throttle", where: "kind = 'account-on-device'") == 2)

            try await ClosingAccount(store.context)(email: anna.email)

            #expect(try await store.count("sign_in_throttle", where: "subject LIKE '%anna%'") == 0)
            #expect(try await store.count("sign_in_throttle", where: "kind = 'account-on-device'") == 1)
        }
    }

    @Test("A device that guesses more and more addresses has to pause", arguments: Engine.stores)
    func device(engine: Engine) async throws {
        try await engine.withStore { store in
            let device = try await store.addDevice()
            var codes: [DomainError.Code] = []
            for number in 0..<14 {
                let sheet = try device.token(try await device.ask("apple", request: "r\(number)").sheet)
                do {
                    _ = try await store.service.signIn(email: "a\(number)@b.c", password: "guess", onSheet: sheet)
                } catch let error as DomainError { codes.append(error.code) }
            }
            #expect(codes.prefix(10).allSatisfy { $0 == .wrongPassword })
            #expect(codes.suffix(4).allSatisfy { $0 == .throttled })
        }
    }
}

/// Tests the bounded queue of password hashes.
struct PasswordHashingTests {
    /// Runs hashes one at a time. A hash named `gate` waits until the gate is
    /// signalled.
    private final class Queue: Sendable {
        let hashing = PasswordHashing(threads: 1)
        let gate = DispatchSemaphore(value: 0)
        let order = Mutex<[String]>([])

        func hash(_ name: String, from origin: String? = nil, isPreferred: Bool = false) async throws {
            _ = try await hashing.run(from: origin, isPreferred: isPreferred) { [self] in
                if name == "gate" { gate.wait() }
                order.withLock { $0.append(name) }
                return Data()
            }
        }

        func waits(for count: Int) async throws {
            while hashing.waiting < count { try await letOthersRun() }
        }
    }

    @Test("Beyond the places there is an error, and preferred ones come before others")
    func bounds() async throws {
        let queue = Queue()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await queue.hash("gate") }
            try await queue.waits(for: 1)
            for _ in 1..<PasswordHashing.places { group.addTask { try await queue.hash("stranger") } }
            try await queue.waits(for: PasswordHashing.places)
            let refusal = await #expect(throws: DomainError.self) { try await queue.hash("stranger") }
            #expect(refusal?.code == .busy && refusal?.retryAfter == 2)
            group.addTask { try await queue.hash("owner", from: "phone", isPreferred: true) }
            try await queue.waits(for: PasswordHashing.places + 1)
            queue.gate.signal()
            try await group.waitForAll()
        }
        #expect(queue.order.withLock { $0.first { $0 != "gate" } } == "owner")
        #expect(queue.hashing.waiting == 0)
    }

    @Test("Every store hashes passwords at the cost that the scrypt paper names for people who wait")
    func cost() async throws {
        try await Engine.sqliteMemory.withStore { store in
            let context = try await Store.open(
                StoreConfiguration(
                    database: store.context.database, clock: store.clock.wallClock, random: store.context.random))
            let anna = try await AddingAccount(context)(
                email: "anna@example.com", password: TestStore.password, storefront: "USA")
            #expect(try await store.count("account", where: "password_hash LIKE 'scrypt$16384$8$1$%'") == 1)
            #expect(try await store.service.signIn(email: anna.email, password: TestStore.password) == anna)
            let bob = try await store.addAccount("bob@example.com")
            #expect(try await SigningIn(context)(email: bob.email, password: TestStore.password) == bob)
            #expect(PasswordHash.ofNobody(by: context.hashing).text.hasPrefix("scrypt$16384$8$1$"))
        }
    }

    @Test("A device takes four places")
    func origin() async throws {
        let queue = Queue()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<PasswordHashing.placesOfAnOrigin {
                group.addTask { try await queue.hash("gate", from: "phone") }
            }
            try await queue.waits(for: PasswordHashing.placesOfAnOrigin)
            await #expect(throws: DomainError.self) { try await queue.hash("more", from: "phone", isPreferred: true) }
            for _ in 0..<PasswordHashing.placesOfAnOrigin { queue.gate.signal() }
            try await group.waitForAll()
        }
    }
}
