// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import Foundation
import StoreAssembly
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// Signing certificates that a store renews automatically.
struct RotationTests {
    @Test("Production's certificates are renewed after ninety days, and their signatures stay valid")
    func due() async throws {
        try await withService(seed: 91) { service, clock in
            let authority = service.authority
            var random = SeededGenerator(seed: 90)
            try authority.rotateLeaves(of: .production, now: clock.now.date, publicAddress: nil, using: &random)
            let first = try authority.leafSerialNumbers(of: .production)
            let receipt = try authority.sign(production(at: clock.now.date))

            clock.advance(by: .seconds(89 * 86_400))
            try await service.rotateIfDue()
            #expect(try authority.leafSerialNumbers(of: .production) == first)
            clock.advance(by: .seconds(86_400))
            try await service.rotateIfDue()

            let second = try authority.leafSerialNumbers(of: .production)
            #expect(second.receipts != first.receipts)
            #expect(second.jws != first.jws)
            let newer = try authority.sign(production(at: clock.now.date))
            for signed in [receipt, newer] {
                guard case .verified = try authority.verifier.verify(signed, expecting: .any) else {
                    Issue.record("a receipt of production isn't good any more")
                    return
                }
            }
        }
    }

    @Test("A store that runs renews them when they are due", .timeLimit(.hang))
    func running() async throws {
        try await withService(seed: 92) { service, clock in
            let authority = service.authority
            var random = SeededGenerator(seed: 90)
            try authority.rotateLeaves(of: .production, now: clock.now.date, publicAddress: nil, using: &random)
            let first = try authority.leafSerialNumbers(of: .production)
            clock.advance(by: .seconds(90 * 86_400))

            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await StoreHousekeeping(service).run() }
                while try authority.leafSerialNumbers(of: .production) == first { try await letOthersRun() }
                let second = try authority.leafSerialNumbers(of: .production)
                // This renewal is made by the hourly round, not at the start.
                while try authority.leafSerialNumbers(of: .production) == second {
                    clock.advance(by: .seconds(86_400))
                    try await letOthersRun()
                }
                group.cancelAll()
            }
        }
    }

    @Test("A sandbox's certificates aren't renewed, and get no production beside them")
    func sandbox() async throws {
        try await withService(seed: 93) { service, clock in
            let before = try service.authority.leafSerialNumbers(of: .sandbox)
            clock.advance(by: .seconds(10_000 * 86_400))

            try await service.rotateIfDue()

            #expect(try service.authority.leafSerialNumbers(of: .sandbox) == before)
            #expect(try !service.authority.signsForProduction)
        }
    }

    @Test("A production store that has no certificates of its own makes them")
    func missing() async throws {
        try await withService(seed: 94, environment: .production) { service, _ in
            #expect(try !service.authority.signsForProduction)

            try await service.rotateIfDue()

            #expect(try service.authority.signsForProduction)
        }
    }

    private func production(at date: Date) -> AppReceipt {
        AppReceipt(
            environment: .production, bundleIdentifier: "com.example.fruit", applicationVersion: "1",
            opaqueValue: Data([1]), deviceHash: Data(count: 20), creationDate: date)
    }

    private func withService(
        seed: UInt64, environment: StoreEnvironment = .sandbox,
        _ body: (StoreService, TestClock) async throws -> Void
    ) async throws {
        try await Engine.sqliteMemory.withStore { store in
            var random = SeededGenerator(seed: seed)
            var configuration = StoreConfiguration(
                database: store.context.database, clock: store.clock.wallClock, random: store.context.random)
            configuration.environment = environment
            let serving = ServingConfiguration(
                authority: try SigningAuthority.create(using: &random), publicURL: "https://store.example",
                logger: store.service.logger)
            try await body(try await Store.open(configuration, serving: serving).service, store.clock)
        }
    }
}
