// SPDX-License-Identifier: Apache-2.0

package import AppReceipts

extension JSONValue {
    /// The value with the references replaced: a text such as
    /// `$purchase.transaction` or `$list.events[0].product` stands for a part of
    /// an answer that an earlier step has named with `as`.
    ///
    /// - Throws: ``ScenarioFailure`` for a name or a part that doesn't exist.
    func resolved(_ answers: [String: JSONValue]) throws -> JSONValue {
        switch self {
        case .string(let text) where text.hasPrefix("$"): try Self.part(text.dropFirst(), of: answers)
        case .array(let values): .array(try values.map { try $0.resolved(answers) })
        case .object(let fields): .object(try fields.mapValues { try $0.resolved(answers) })
        default: self
        }
    }

    /// The path of a request with the references replaced: each of its parts
    /// between slashes may be one.
    ///
    /// - Throws: ``ScenarioFailure``, also for a part that isn't a text.
    static func resolvedPath(_ path: String, _ answers: [String: JSONValue]) throws -> String {
        try path.split(separator: "/", omittingEmptySubsequences: false).map { part in
            guard part.hasPrefix("$") else { return String(part) }
            guard case .string(let text) = try Self.part(part.dropFirst(), of: answers) else {
                throw ScenarioFailure("\(part) isn't a text")
            }
            return text
        }.joined(separator: "/")
    }

    private static func part(_ path: Substring, of answers: [String: JSONValue]) throws -> JSONValue {
        var value = JSONValue.object(answers)
        for step in path.split(whereSeparator: { ".[".contains($0) }) {
            let next = step.hasSuffix("]") ? value.element(step.dropLast()) : value.member(String(step))
            guard let next else {
                throw ScenarioFailure("there is no \(step) for $\(path): name an answer with 'as', and then its fields")
            }
            value = next
        }
        return value
    }

    /// The value of a name of an object; `nil` for other values.
    package func member(_ name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members[name]
    }

    private func element(_ index: Substring) -> JSONValue? {
        guard case .array(let values) = self, let index = Int(index), values.indices.contains(index) else { return nil }
        return values[index]
    }
}
