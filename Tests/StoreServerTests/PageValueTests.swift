// SPDX-License-Identifier: Apache-2.0

import StoreDomain
import Testing

@testable import StoreServer

/// The values of a page's model as templates read them.
struct PageValueTests {
    private struct Model {
        struct Choice {
            var label: String
            var hint: String?
        }

        var title = "Fruit"
        var product: ProductIdentifier? = "com.example.apple"
        var missing: Choice?
        var first: Choice? = Choice(label: "One", hint: nil)
        var choices = [Choice(label: "One", hint: "1"), Choice(label: "Two", hint: nil)]
        var names: [String] = []
        var isOpen = true
    }

    private let value: PageValue

    init() throws {
        value = try #require(PageValue.of(Model()) as? PageValue)
    }

    @Test("Texts, switches and identifiers are read as they are, and an optional as its value")
    func values() throws {
        #expect(value.child(named: "title") as? String == "Fruit")
        #expect(value.child(named: "isOpen") as? Bool == true)
        #expect(value.child(named: "product").map { "\($0)" } == "com.example.apple")
    }

    @Test("An empty optional, and a name that the model doesn't have, are nothing")
    func nothing() throws {
        #expect(value.child(named: "missing") == nil)
        #expect(value.child(named: "nonsense") == nil)
        // Mustache then looks for the name in the structure around.
        let first = try #require(value.child(named: "first") as? PageValue)
        #expect(first.child(named: "label") as? String == "One")
        #expect(first.child(named: "hint") == nil)
    }

    @Test("The elements of a list are read one by one, and an empty list is one")
    func lists() throws {
        let choices = try #require(value.child(named: "choices") as? [Any])
        #expect(choices.compactMap { ($0 as? PageValue)?.child(named: "label") as? String } == ["One", "Two"])
        #expect((value.child(named: "names") as? [Any])?.isEmpty == true)
    }

    @Test("A structure is reflected once")
    func reflectedOnce() throws {
        let first = try #require(value.child(named: "first") as? PageValue)
        #expect(value.child(named: "first") as? PageValue === first)
    }
}
