// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDomain
import Testing

@testable import StoreService

/// The histories of `storectl trigger`. `Tests/Processes/test_notifications.py`
/// carries out each of them.
struct TriggerRecipeTests {
    /// The types and subtypes that the documentation lists as caused.
    private static func documented() throws -> Set<String> {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let text = try String(contentsOf: root.appendingPathComponent("docs/notifications.md"), encoding: .utf8)
        let rows = text.components(separatedBy: "## Causes").last?.split(separator: "\n").filter { $0.hasPrefix("|") }
        let words = (rows ?? []).flatMap { $0.split(whereSeparator: { !$0.isLetter && $0 != "_" }) }
        return Set(words.map(String.init).filter { $0.count > 3 && $0.uppercased() == $0 })
    }

    @Test("Each type and subtype of the documentation has a history, and no other one")
    func types() throws {
        let kinds = TriggerRecipe.all.keys.flatMap { [$0.type, $0.subtype] }.filter { !$0.isEmpty }
        #expect(Set(kinds) == (try Self.documented()))
        #expect(TriggerRecipe.names.count == TriggerRecipe.all.count)
    }

    @Test("A server asks the history for types that Apple knows")
    func known() {
        for kind in TriggerRecipe.all.keys {
            #expect(kind.subtype.isEmpty || NotificationFilter.types[kind.type]?.contains(kind.subtype) == true)
            #expect(NotificationFilter.types[kind.type] != nil)
        }
    }
}
