// SPDX-License-Identifier: Apache-2.0

import StoreDatabase
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain

/// The searches of lists in Connect.
struct SearchTextTests {
    @Test("Each word of a search is in one of the texts, without regard to case")
    func words() throws {
        let search = try SearchText("  Red apple ")
        #expect(search.matches(["A RED fruit", "apples"]) && !search.matches(["apple"]))
        #expect(try SearchText(" ").matches([]) && SearchText("").isEmpty)
    }

    @Test("A search has at most eight words and two hundred bytes, in each list", arguments: Engine.stores)
    func limits(engine: Engine) async throws {
        try await engine.withStore { store in
            let holder = try await store.setUpTeam()
            let (team, apps) = (store.service.teamReader, store.service.appReader)
            for text in [String(repeating: "a ", count: 9), String(repeating: "ä", count: 101)] {
                let refused = DomainError(.invalid, "")
                await #expect(throws: refused) { try await team.changes(containing: text, as: holder) }
                await #expect(throws: refused) { try await team.users(containing: text, as: holder) }
                await #expect(throws: refused) { try await apps.apps(containing: text, as: holder) }
                await #expect(throws: refused) {
                    try await apps.products(
                        of: BundleIdentifier(TestStore.bundleIdentifier), containing: text, as: holder)
                }
                await #expect(throws: refused) { try await store.service.testerReader(containing: text, as: holder) }
                await #expect(throws: refused) {
                    try await RegisteringItem(store.context).page(containing: text, as: holder)
                }
                await #expect(throws: refused) {
                    try await ReviewingProducts(store.context)
                        .page(containing: text, state: "", after: nil, as: holder)
                }
            }
            _ = try await team.changes(containing: String(repeating: "a ", count: 8), as: holder)
        }
    }

    @Test(
        "A search of the log ends a page after a number of bytes, and the next one goes on there",
        arguments: Engine.stores)
    func budget(engine: Engine) async throws {
        try await engine.withStore { store in
            let holder = try await store.setUpTeam()
            let text = String(repeating: "x", count: TeamChange.longest)
            // 600 entries have 2.4 MB in each of two texts.
            try await store.context.write(.key("log")) { db in
                try TeamChange.append(.appName, of: "first", to: "needle", by: holder.email, in: holder.team, db)
                for _ in 0..<600 {
                    try TeamChange.append(
                        .appName, of: "other", from: text, to: text, by: holder.email, in: holder.team, db)
                }
            }
            var (place, pages, found) = (Int64.max, 0, 0)
            while true {
                let page = try await store.service.teamReader.changes(containing: "needle", before: place, as: holder)
                (pages, found) = (pages + 1, found + page.entries.count)
                guard let next = page.next else { break }
                #expect(next < place)
                place = next
            }
            #expect(found == 1 && (2...4).contains(pages), "\(pages) pages")
        }
    }
}
