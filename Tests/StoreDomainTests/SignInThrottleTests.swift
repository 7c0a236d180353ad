// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import StoreAPI
import StoreService
import StoreTestSupport
import Synchronization
import Testing

@testable import StoreDomain

/// Wrong passwords: whom they delay, and whom they don't (finding 7).
struct SignInThrottleTests {
    @Test("The fifth wrong password begins the pauses, which double up to a quarter of an hour")
    func pauses() {
        var throttle = SignInThrottle(subject: .account("anna@example.com"))
        let now = Instant(milliseconds: 1_000_000_000)
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
        let now = Instant(milliseconds: 1_767_323_045_000)
        for _ in 0..<9 { throttle.count(now: now + .seconds(seconds)) }
        #expect(throttle.wait(now: now + .seconds(seconds)) != nil)
        #expect(throttle.wait(now: now) == nil)
        throttle.count(now: now)
        #expect(throttle.failures == 1)
    }

    @Test("Before 1970 the right password signs in", arguments: Engine.stores)
    func longAgo(engine: Engine) async throws {
        try await engine.withDatabase { database in
            let store = try await TestStore(database, clock: TestClock(now: Instant(milliseconds: -441_763_200_000)))
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
            // The owner's own failures do count there.
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
            #expect(answer.status == .failed && answer.failure?.code == PaymentFailure.paymentCancelled)
            #expect(try await store.count("payment") == 0)
        }
    }

    @Test("A device that guesses for ever new addresses has to pause", arguments: Engine.stores)
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

/// The bounded queue in which passwords are hashed.
struct PasswordHashingTests {
    /// Runs hashes one at a time, the first of which waits at a gate.
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

        func waits(for count: Int) async {
            while hashing.waiting < count { await Task.yield() }
        }
    }

    @Test("Beyond the places there is an error, and preferred ones come before others")
    func bounds() async throws {
        let queue = Queue()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await queue.hash("gate") }
            await queue.waits(for: 1)
            for _ in 1..<PasswordHashing.places { group.addTask { try await queue.hash("stranger") } }
            await queue.waits(for: PasswordHashing.places)
            let refusal = await #expect(throws: DomainError.self) { try await queue.hash("stranger") }
            #expect(refusal?.code == .busy && refusal?.retryAfter == 2)
            group.addTask { try await queue.hash("owner", from: "phone", isPreferred: true) }
            await queue.waits(for: PasswordHashing.places + 1)
            queue.gate.signal()
            try await group.waitForAll()
        }
        #expect(queue.order.withLock { $0.first { $0 != "gate" } } == "owner")
        #expect(queue.hashing.waiting == 0)
    }

    @Test("A device takes four places")
    func origin() async throws {
        let queue = Queue()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<PasswordHashing.placesOfAnOrigin {
                group.addTask { try await queue.hash("gate", from: "phone") }
            }
            await queue.waits(for: PasswordHashing.placesOfAnOrigin)
            await #expect(throws: DomainError.self) { try await queue.hash("more", from: "phone", isPreferred: true) }
            for _ in 0..<PasswordHashing.placesOfAnOrigin { queue.gate.signal() }
            try await group.waitForAll()
        }
    }
}
