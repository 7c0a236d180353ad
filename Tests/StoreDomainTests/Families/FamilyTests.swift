// SPDX-License-Identifier: Apache-2.0

import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain

/// Who is in a family, on every engine.
struct FamilyTests {
    @Test("A family has its organiser first, and a child asks to buy", arguments: Engine.stores)
    func members(engine: Engine) async throws {
        try await engine.withStore { store in
            let home = try await Household(in: store)

            let family = try await FindingFamily(store.context)(email: home.carl.email)

            #expect(family.members.map(\.email) == [home.olga, home.paul, home.carl].map(\.email))
            #expect(family.members.map(\.role) == [.organiser, .parent, .child])
            #expect(family.members.map(\.asksToBuy) == [false, false, true])
            #expect(try await store.service.account(home.carl.email).has(.asksToBuy))
        }
    }

    @Test("Repeated calls change nothing", arguments: Engine.stores)
    func repeated(engine: Engine) async throws {
        try await engine.withStore { store in
            let home = try await Household(in: store)
            let family = try await FindingFamily(store.context)(email: home.olga.email)

            #expect(try await store.families.begin(organiser: home.olga.email) == family)
            #expect(try await store.families.add(home.paul.email, as: .parent, organiser: home.olga.email) == family)
            #expect(try await store.families.setRole(.child, of: home.carl.email) == family)
        }
    }

    @Test("A seventh member is refused, and so is one of another country", arguments: Engine.stores)
    func room(engine: Engine) async throws {
        try await engine.withStore { store in
            let home = try await Household(in: store)
            let berta = try await store.person("berta", device: 20, storefront: "DEU")
            await home.refused(.invalid) {
                _ = try await store.families.add(berta.email, as: .adult, organiser: home.olga.email)
            }
            for number: UInt8 in 1...3 {
                let child = try await store.person("child-\(number)", device: 20 + number)
                _ = try await store.families.add(child.email, as: .child, organiser: home.olga.email)
            }
            let seventh = try await store.person("seventh", device: 30)
            await home.refused(.invalid) {
                _ = try await store.families.add(seventh.email, as: .child, organiser: home.olga.email)
            }
            #expect(try await FindingFamily(store.context)(email: home.olga.email).members.count == 6)
            #expect(try await !store.service.account(seventh.email).has(.asksToBuy))
        }
    }

    @Test("An account is in one family, and a family has one organiser", arguments: Engine.stores)
    func one(engine: Engine) async throws {
        try await engine.withStore { store in
            let home = try await Household(in: store)
            let nora = try await store.person("nora", device: 21)
            _ = try await store.families.begin(organiser: nora.email)

            for email in [home.paul.email, home.olga.email] {
                await home.refused(.exists) {
                    _ = try await store.families.add(email, as: .parent, organiser: nora.email)
                }
            }
            await home.refused(.exists) { _ = try await store.families.begin(organiser: home.paul.email) }
            await home.refused(.invalid) { _ = try await store.families.setRole(.parent, of: home.olga.email) }
            await home.refused(.invalid) { _ = try await store.families.remove(home.olga.email) }
            let guest = try await store.person("guest", device: 22)
            await home.refused(.invalid) {
                _ = try await store.families.add(guest.email, as: .organiser, organiser: home.olga.email)
            }
            await home.refused(.notFound) {
                _ = try await store.families.add(guest.email, as: .adult, organiser: home.paul.email)
            }
        }
    }

    @Test("A family's member keeps its country, and its organiser's account stays open", arguments: Engine.stores)
    func accounts(engine: Engine) async throws {
        try await engine.withStore { store in
            let home = try await Household(in: store)

            await home.refused(.invalid) {
                _ = try await store.service.change(account: home.carl.email, .init(storefront: "DEU"))
            }
            await home.refused(.invalid) { try await ClosingAccount(store.context)(email: home.olga.email) }
            try await ClosingAccount(store.context)(email: home.paul.email)

            #expect(try await FindingFamily(store.context)(email: home.olga.email).members.count == 2)
            try await store.families.end(organiser: home.olga.email)
            try await ClosingAccount(store.context)(email: home.olga.email)
            _ = try await store.service.change(account: home.carl.email, .init(storefront: "DEU"))
        }
    }

    @Test("Six accounts that join at the same time on two nodes leave no family of seven", arguments: Engine.stores)
    func race(engine: Engine) async throws {
        try await engine.withNodes { nodes in
            let home = try await Household(in: nodes.first)
            var guests: [Account] = []
            for number: UInt8 in 0..<6 {
                guests.append(try await nodes.first.person("guest-\(number)", device: 40 + number))
            }

            try await withThrowingTaskGroup(of: Void.self) { group in
                for (number, guest) in guests.enumerated() {
                    group.addTask {
                        try await allowingRefusal {
                            _ = try await nodes[number].families.add(
                                guest.email, as: .child, organiser: home.olga.email)
                        }
                    }
                }
                try await group.waitForAll()
            }

            let family = try await FindingFamily(nodes.first.context)(email: home.olga.email)
            #expect(family.members.count == 6)
            #expect(try await nodes.first.count("account", where: "asks_to_buy = 1") == 4)
        }
    }
}

/// The rules of a family, without a store.
struct FamilyRuleTests {
    private func family(_ roles: FamilyMember.Role...) -> Family {
        let members = roles.enumerated().map { number, role in
            FamilyMember(
                account: AccountIdentifier("a\(number)"), email: "", role: role, asksToBuy: false,
                joined: WallTime(milliseconds: 0))
        }
        return Family(identifier: "f", members: members)
    }

    @Test("The organiser and the parents decide about all others, and no account about itself")
    func deciding() {
        let family = family(.organiser, .parent, .adult, .child)
        let pairs = ["a0", "a1", "a2", "a3", "x"].map { AccountIdentifier($0) }
        for one in pairs {
            for other in pairs {
                let isAllowed = ["a0", "a1"].contains(one) && one != other && other != "x"
                #expect(family.mayDecide(one, about: other) == isAllowed, "\(one) about \(other)")
            }
        }
        #expect(family.wards(of: "a1").map(\.account) == ["a0", "a2", "a3"])
        #expect(family.wards(of: "a3").isEmpty && family.wards(of: "x").isEmpty)
    }
}
