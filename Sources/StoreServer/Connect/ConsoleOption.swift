// SPDX-License-Identifier: Apache-2.0

/// A choice of a field, with the HTML of its element.
///
/// A page may have hundreds of choices, and lists such as the storefronts are
/// the same in each page. Their texts are escaped once, and no template asks
/// for them one by one.
struct ConsoleOption: Sendable {
    let value: String
    let label: String
    private let begin: String
    private let end: String

    init(_ value: String, _ label: String) {
        self.value = value
        self.label = label
        begin = "<option value=\"\(HTMLText.escaped(value))\""
        end = ">\(HTMLText.escaped(label))</option>\n"
    }

    /// The HTML of the elements of choices, one of which may be chosen.
    static func html(_ options: [ConsoleOption], chosen: String?) -> String {
        var html = ""
        for option in options {
            html += option.begin
            if option.value == chosen { html += " selected" }
            html += option.end
        }
        return html
    }
}
