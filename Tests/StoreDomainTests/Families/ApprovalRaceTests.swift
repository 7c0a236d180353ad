// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// Two parents answer at the same time, on two nodes.
struct ApprovalRaceTests {
    @Test("Two parents approve the same request at the same time: one of them pays, once", arguments: Engine.stores)
    func both(engine: Engine) async throws {
        try await engine.withNodes { nodes in
            let home = try await Household(in: nodes.first)
            for round in 0..<(engine.isPostgreSQL ? 40 : 20) {
                let number = try await home.ask("juice", request: "juice-\(round)")

                try await together(
                    { _ = try await nodes.first.service.approve(number, by: home.olga, shown: nil) },
                    {
                        try await nodes.second.readTimes(round % 4)
                        _ = try await nodes.second.service.approve(number, by: home.paul, shown: nil)
                    })

                #expect(try await home.phone.ask("juice", request: "juice-\(round)").status == .purchased)
                #expect(try await nodes.first.amounts().count == round + 1)
            }
            try await nodes.first.checkMoney()
        }
    }

    @Test("One parent approves and the other declines: one answer counts", arguments: Engine.stores)
    func against(engine: Engine) async throws {
        try await engine.withNodes { nodes in
            let home = try await Household(in: nodes.first)
            var purchases = 0
            for round in 0..<(engine.isPostgreSQL ? 40 : 20) {
                let number = try await home.ask("juice", request: "juice-\(round)")

                try await together(
                    { _ = try await nodes.first.service.approve(number, by: home.olga, shown: nil) },
                    {
                        try await nodes.second.readTimes(round % 4)
                        try await nodes.second.service.decline(number, by: home.paul)
                    })

                let answer = try await home.phone.ask("juice", request: "juice-\(round)").status
                #expect([.purchased, .failed].contains(answer))
                if answer == .purchased { purchases += 1 }
                #expect(try await nodes.first.amounts().count == purchases)
            }
            try await nodes.first.checkMoney()
        }
    }

    @Test("A child leaves while a parent approves: it is bought before, or not at all", arguments: Engine.stores)
    func leaving(engine: Engine) async throws {
        try await engine.withNodes { nodes in
            let home = try await Household(in: nodes.first)
            for round in 0..<(engine.isPostgreSQL ? 30 : 15) {
                let number = try await home.ask("juice", request: "juice-\(round)")

                try await together(
                    {
                        try await nodes.first.readTimes(round % 3)
                        _ = try await nodes.first.service.approve(number, by: home.olga, shown: nil)
                    },
                    { _ = try await nodes.second.families.remove(home.carl.email) })

                let answer = try await home.phone.ask("juice", request: "juice-\(round)").status
                #expect([.purchased, .failed].contains(answer))
                _ = try await nodes.first.families.add(home.carl.email, as: .child, organiser: home.olga.email)
            }
            try await nodes.first.checkMoney()
        }
    }

    private func together(
        _ one: @escaping @Sendable () async throws -> Void, _ other: @escaping @Sendable () async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await allowingRefusal(one) }
            group.addTask { try await allowingRefusal(other) }
            try await group.waitForAll()
        }
    }
}
