// SPDX-License-Identifier: Apache-2.0

import StoreDomain
import Testing

@testable import StoreServer

/// The choices of a field as HTML, which templates include as it is.
struct ConsoleOptionTests {
    @Test("Each choice is an element, and the chosen one is selected")
    func chosen() {
        let options = [ConsoleOption("", "None"), ConsoleOption("a", "One"), ConsoleOption("b", "Two")]
        #expect(
            ConsoleOption.html(options, chosen: "a") == """
                <option value="">None</option>
                <option value="a" selected>One</option>
                <option value="b">Two</option>

                """)
        #expect(!ConsoleOption.html(options, chosen: nil).contains("selected"))
        #expect(!ConsoleOption.html(options, chosen: "A").contains("selected"))
        #expect(ConsoleOption.html([], chosen: "a").isEmpty)
    }

    @Test("Values and labels are escaped, also before a combining mark")
    func escaped() {
        let text = "\"\u{301}><b a='1'>&\u{202E}"
        let safe = "&quot;\u{301}&gt;&lt;b a=&#39;1&#39;&gt;&amp;\u{202E}"
        #expect(
            ConsoleOption.html([ConsoleOption(text, text)], chosen: text)
                == "<option value=\"\(safe)\" selected>\(safe)</option>\n")
    }

    @Test("A page shows a field and a filter with their choices")
    func page() throws {
        let field = ConsoleField(
            "role", "Role", options: [ConsoleOption("a", "<One>"), ConsoleOption("b", "Two")], chosen: "b")
        let filter = ConsoleSearch.Filter("state", "State", options: [ConsoleOption("c", "<Three>")], chosen: "c")
        let section = ConsoleSection(
            search: ConsoleSearch(label: "Search", text: "", button: "Find", filters: [filter]),
            forms: [ConsoleForm(fields: [field], buttons: [])])
        let template = try PageTemplates().page(
            Array("{{#sections}}{{>console-section}}{{/sections}}".utf8), including: ConsolePages.parts)
        let html = template.render(
            ConsoleModel(.english, title: "Page", environment: .sandbox, sections: [section]))
        #expect(
            html.contains(
                """
                <select id="role" name="role">
                <option value="a">&lt;One&gt;</option>
                <option value="b" selected>Two</option>
                </select>
                """))
        #expect(
            html.contains(
                """
                <select id="filter-state" name="state">
                <option value="c" selected>&lt;Three&gt;</option>
                </select>
                """))
    }
}
