// SPDX-License-Identifier: Apache-2.0

/// An element of an answer in XML: its name without a namespace's prefix, its
/// own text, and the elements in it. Attributes aren't kept.
struct AnswerElement: Hashable, Sendable {
    var name: String
    var text = ""
    var children: [AnswerElement] = []

    init(_ name: String) {
        self.name = name
    }

    /// The elements with a name, in order.
    func all(_ name: String) -> [AnswerElement] { children.filter { $0.name == name } }

    /// The text of the first element with a name.
    subscript(_ name: String) -> String? { children.first { $0.name == name }?.text }
}
