// SPDX-License-Identifier: Apache-2.0

import StoreCore
import StoreDatabase
import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain

/// The lists of Connect in each of their orders: 120 entries, many of them with
/// equal values, in pages of 50, with an entry that is added after the first
/// page was read.
struct ListSortTests {
    private static let count = 120

    /// An entry with the values by which lists are sorted.
    private struct Known: Hashable, Sendable {
        var identifier: String
        var name: String
        var moment: Int64
    }

    /// A number of three digits, in another order than that of the entries.
    private static func digits(_ number: Int) -> String {
        String(String(1000 + (number < count ? number * 37 % count : number)).dropFirst())
    }

    /// One of seven names, in upper and in lower case.
    private static func name(_ number: Int) -> String { "\(number % 2 == 0 ? "Basket" : "basket") \(number % 7)" }

    private static func ordered(_ entries: [Known], by sort: some ListSort) -> [Known] {
        entries.sorted { left, right in
            switch sort.rawValue {
            case "newest": (left.moment, left.identifier) > (right.moment, right.identifier)
            case "name", "reference":
                (left.name.lowercased(), left.identifier) < (right.name.lowercased(), right.identifier)
            default: left.identifier < right.identifier
            }
        }
    }

    /// Reads all pages of a list; `between` runs after the first one.
    private static func all<Entry, Place>(
        _ page: (Place?) async throws -> ReadingTeam.Page<Entry, Place>, between: () async throws -> Void
    ) async throws -> [Entry] {
        var (found, place, pages): ([Entry], Place?, Int) = ([], nil, 0)
        repeat {
            let next = try await page(place)
            #expect(next.entries.count <= ReadingTeam.pageSize)
            found += next.entries
            place = next.next
            pages += 1
            if pages == 1 { try await between() }
        } while place != nil && pages < 10
        #expect(pages == 3)
        return found
    }

    /// Adds entries, and reads the list in each order.
    private static func check<Sort: PlacedSort>(
        _ store: TestStore, _ type: Sort.Type, besides first: [Known] = [],
        add: (_ number: Int) async throws -> Known,
        read: (Sort, ListPlace?) async throws -> ReadingTeam.Page<String, ListPlace>
    ) async throws {
        var known = first
        for number in 0..<count {
            store.clock.advance(by: .seconds(number % 3))
            known.append(try await add(number))
        }
        for (turn, sort) in Sort.allCases.enumerated() {
            var added: Known?
            let found = try await all { place in
                // As an address has it.
                try await read(sort, place.flatMap { sort.place($0.text) })
            } between: {
                store.clock.advance(by: .seconds(1))
                added = try await add(count + turn)
            }
            let new = try #require(added)
            #expect(found.filter { $0 != new.identifier } == ordered(known, by: sort).map(\.identifier), "\(sort)")
            known.append(new)
            // It is seen if its place follows the first page.
            let place = try #require(ordered(known, by: sort).firstIndex(of: new))
            let times = found.filter { $0 == new.identifier }.count
            #expect(times == (place < ReadingTeam.pageSize ? 0 : 1), "\(sort)")
        }
    }

    private static func page<Entry>(
        _ page: ReadingTeam.Page<Entry, ListPlace>, _ identifier: (Entry) -> String
    ) -> ReadingTeam.Page<String, ListPlace> {
        ReadingTeam.Page(entries: page.entries.map(identifier), next: page.next)
    }

    /// A team that has nothing of the test's catalogue.
    private static func team(_ store: TestStore) async throws -> TeamUser {
        try await store.setUpTeam("other", holder: "holder@other.example")
    }

    private static func addApp(_ number: Int, _ holder: TeamUser, _ store: TestStore) async throws -> Known {
        let made = try await store.service.registeringApp()(
            AppRegistration.Values(
                bundleIdentifier: "com.example.a\(digits(number))", name: name(number), sku: digits(number),
                primaryLocale: "en_US"), by: holder)
        return Known(
            identifier: made.bundleIdentifier.rawValue, name: made.name, moment: store.clock.now.milliseconds)
    }

    @Test("Apps are listed by identifier, by name and newest first", arguments: Engine.stores)
    func apps(engine: Engine) async throws {
        try await engine.withStore { store in
            let holder = try await Self.team(store)
            let reader = store.service.appReader
            try await Self.check(store, AppSort.self) { number in
                try await Self.addApp(number, holder, store)
            } read: { sort, place in
                Self.page(try await reader.apps(by: sort, after: place, as: holder)) { $0.bundleIdentifier.rawValue }
            }
        }
    }

    @Test("Products are listed by identifier, by reference name and newest first", arguments: Engine.stores)
    func products(engine: Engine) async throws {
        try await engine.withStore { store in
            let holder = try await Self.team(store)
            let app = try await Self.addApp(0, holder, store).identifier
            let reader = store.service.appReader
            try await Self.check(store, ProductSort.self) { number in
                let (identifier, name) = ("p\(Self.digits(number))", Self.name(number))
                try await store.registerProduct(
                    identifier, in: app, values: TestStore.productValues(name), by: holder)
                return Known(identifier: identifier, name: name, moment: store.clock.now.milliseconds)
            } read: { sort, place in
                let page = try await reader.products(of: BundleIdentifier(app), by: sort, after: place, as: holder)
                return Self.page(page) { $0.identifier.rawValue }
            }
        }
    }

    @Test("Items are listed by number, by name and newest first", arguments: Engine.stores)
    func items(engine: Engine) async throws {
        try await engine.withStore { store in
            let holder = try await Self.team(store)
            let items = try store.service.registeringItem()
            try await Self.check(store, ItemSort.self) { number in
                var values = Item.Values()
                (values.kind, values.version, values.price) = ("song", "1", "1")
                values.link = "https://seller.example/song"
                values.texts = [Product.Localization(locale: "en_US", title: Self.name(number), description: "")]
                let item = try await items.add(values, by: holder)
                return Known(
                    identifier: String(item.identifier), name: Self.name(number),
                    moment: store.clock.now.milliseconds)
            } read: { sort, place in
                Self.page(try await items.page(by: sort, after: place, as: holder)) { String($0.identifier) }
            }
        }
    }

    @Test("Testers are listed by address and newest first", arguments: Engine.stores)
    func testers(engine: Engine) async throws {
        try await engine.withStore { store in
            let holder = try await Self.team(store)
            try await Self.check(store, TesterSort.self) { number in
                var account = Account(
                    identifier: AccountIdentifier("t\(number)"), email: "t\(Self.digits(number))@example.com",
                    storefront: .unitedStates, eventNumber: 0)
                account.team = holder.team
                try await store.context.write(for: account.identifier) { [account] db in
                    try account.insert(passwordHash: PasswordHash(text: ""), db)
                }
                return Known(identifier: account.email, name: "", moment: store.clock.now.milliseconds)
            } read: { sort, place in
                Self.page(try await store.service.testerReader(by: sort, after: place, as: holder)) { $0.email }
            }
        }
    }

    @Test("Users are listed by address, by name and newest first", arguments: Engine.stores)
    func users(engine: Engine) async throws {
        try await engine.withStore { store in
            let holder = try await Self.team(store)
            let first = Known(identifier: holder.email, name: holder.name, moment: holder.joined.milliseconds)
            try await Self.check(store, UserSort.self, besides: [first]) { number in
                let user = TeamUser(
                    identifier: TeamUserIdentifier("u\(number)"), team: holder.team,
                    email: "t\(Self.digits(number))@example.com", name: Self.name(number), role: .support,
                    joined: store.clock.now)
                try await store.context.write(.team(holder.team)) { db in
                    try user.insert(passwordHash: PasswordHash(text: ""), db)
                }
                return Known(identifier: user.email, name: user.name, moment: user.joined.milliseconds)
            } read: { sort, place in
                Self.page(try await store.service.teamReader.users(by: sort, after: place, as: holder)) { $0.email }
            }
        }
    }

    @Test("The queue of the review is listed oldest first and newest first", arguments: Engine.stores)
    func reviews(engine: Engine) async throws {
        try await engine.withStore { store in
            let holder = try await store.setUpTeam()
            let reader = store.service.reviewReader
            func submit(_ product: String, at milliseconds: Int64) async throws {
                try await store.registerProduct(product, by: holder)
                try await store.context.database.write { connection in
                    _ = try connection.run(
                        "UPDATE product SET submitted_at = $2, review_state = 'waiting' WHERE product_id = $1",
                        [product, milliseconds])
                }
            }
            var known: [(moment: Int64, product: String)] = []
            for number in 0..<Self.count {
                known.append((Int64(number % 5), "p\(Self.digits(number))"))
                try await submit(known[number].product, at: known[number].moment)
            }
            known.sort { ($0.moment, $0.product) < ($1.moment, $1.product) }
            for sort in ReviewSort.allCases {
                let name = "late-\(sort)"
                let found = try await Self.all { place in
                    try await reader.page(containing: "", state: "", by: sort, after: place, as: holder)
                } between: {
                    try await submit(name, at: 10)
                }
                let expected = known.map(\.product)
                #expect(
                    found.map(\.entry.product.rawValue)
                        == (sort == .oldest ? expected + [name] : expected.reversed()))
                try await store.context.database.write { connection in
                    _ = try connection.run("UPDATE product SET submitted_at = NULL WHERE product_id = $1", [name])
                }
            }
        }
    }

    @Test("A place is read from its text, and any other text is none")
    func places() {
        for name in ["", "Apple", "1.2", "3.", "Äpfel 🍎", "a.b", "\u{301}e", "\u{200D}x"] {
            let place = ListPlace(.text(name), identifier: "com.example.a")
            #expect(AppSort.name.place(place.text) == place, "\(name)")
        }
        let place = ListPlace(.moment(-1), identifier: "com.example.a")
        #expect(AppSort.newest.place(place.text) == place)
        #expect(AppSort.bundle.place("com.example.a") == ListPlace(identifier: "com.example.a"))
        for text in ["", "x", "9.Apple", "-1.Apple", "99999999999999999999.x", "\0"] {
            #expect(AppSort.name.place(text) == nil, "\(text)")
        }
        for text in ["", "x", "x.y", "99999999999999999999.x", "1.\0"] {
            #expect(AppSort.newest.place(text) == nil, "\(text)")
        }
        #expect(AppSort.bundle.place("\0") == nil && ItemSort.number.place("x") == nil)
        #expect(ItemSort.newest.place("1.x") == nil && ItemSort.name.place("1.x7")?.identifier == "7")
    }
}
