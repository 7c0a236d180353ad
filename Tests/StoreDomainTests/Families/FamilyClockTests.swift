// SPDX-License-Identifier: Apache-2.0

import StoreDomain
import StoreService
import StoreTestSupport
import Testing

/// A family has the clock of its organiser.
struct FamilyClockTests {
    @Test("A clock that is moved moves those of all members, whichever member is named", arguments: Engine.stores)
    func together(engine: Engine) async throws {
        try await engine.withStore { store in
            let home = try await Household(in: store)

            _ = try await store.service.move(clockOf: home.carl.email, .by(.seconds(86_400)))
            _ = try await store.service.move(clockOf: home.olga.email, .by(.seconds(3600)))

            let expected = store.clock.now.milliseconds + 90_000_000
            for member in [home.olga, home.paul, home.carl] {
                #expect(try await store.time(of: member).milliseconds == expected, "\(member.email)")
                #expect(
                    try await store.count("event", where: "kind = 'clock' AND account_id = '\(member.identifier)'") == 2
                )
            }
            _ = try await store.service.move(
                clockOf: home.paul.email, .speed(try #require(RenewalSpeed(rawValue: "month=5m"))))
            #expect(try await store.service.account(home.carl.email).clock.speed.rawValue == "month=5m")
        }
    }

    @Test("An account that joins gets the organiser's time, and keeps it when it leaves", arguments: Engine.stores)
    func joining(engine: Engine) async throws {
        try await engine.withStore { store in
            let home = try await Household(in: store)
            let dora = try await store.person("dora", device: 21)
            _ = try await store.service.move(clockOf: home.olga.email, .by(.seconds(86_400)))

            _ = try await store.families.add(dora.email, as: .child, organiser: home.olga.email)
            #expect(try await store.time(of: dora) == store.time(of: home.olga))

            _ = try await store.families.remove(dora.email)
            _ = try await store.service.move(clockOf: home.olga.email, .by(.seconds(3600)))
            #expect(try await store.time(of: dora).milliseconds == store.clock.now.milliseconds + 86_400_000)
        }
    }

    @Test("No clock goes back past the last event of a member", arguments: Engine.stores)
    func back(engine: Engine) async throws {
        try await engine.withStore { store in
            let home = try await Household(in: store)
            _ = try await store.service.move(clockOf: home.olga.email, .by(.seconds(86_400)))
            let bought = try await store.time(of: home.carl)
            try await home.approve(try await home.ask("juice", request: "r1"), by: home.paul)
            _ = try await store.service.move(clockOf: home.olga.email, .by(.seconds(86_400)))

            // The organiser has no events, but the child has one.
            await home.refused(.invalid) {
                _ = try await store.service.move(
                    clockOf: home.olga.email, .to(StoreTime(milliseconds: bought.milliseconds - 1)))
            }
            _ = try await store.service.move(clockOf: home.olga.email, .to(bought))
            #expect(try await store.time(of: home.carl) == bought)

            let other = try await store.person("other", device: 22)
            _ = try await store.families.begin(organiser: other.email)
            _ = try await store.families.remove(home.carl.email)
            await home.refused(.invalid) {
                _ = try await store.families.add(home.carl.email, as: .child, organiser: other.email)
            }
            #expect(try await FindingFamily(store.context)(email: other.email).members.count == 1)
        }
    }

    @Test("Moves by several members on two nodes add up, and all clocks stay one", arguments: Engine.stores)
    func race(engine: Engine) async throws {
        try await engine.withNodes { nodes in
            let home = try await Household(in: nodes.first)
            let members = [home.olga, home.paul, home.carl]

            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<9 {
                    group.addTask {
                        _ = try await nodes[number].service.move(
                            clockOf: members[number % 3].email, .by(.seconds(60)))
                    }
                }
                try await group.waitForAll()
            }

            for member in members {
                let expected = nodes.first.clock.now.milliseconds + 540_000
                #expect(try await nodes.first.time(of: member).milliseconds == expected)
            }
        }
    }
}
