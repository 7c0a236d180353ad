// SPDX-License-Identifier: Apache-2.0

import Mustache

/// A page's model, or a value of it that has values of its own, as templates
/// read it.
///
/// Mustache would reflect a structure each time that a template names one of
/// its values. Here a structure is reflected once.
final class PageValue: MustacheParent {
    private let values: [String: Any]
    private var found: [String: Any] = [:]

    convenience init(_ model: some PageModel) { self.init(Mirror(reflecting: model)) }

    private init(_ mirror: Mirror) {
        values = Dictionary(
            mirror.children.compactMap { child in child.label.map { ($0, child.value) } }, uniquingKeysWith: { $1 })
    }

    /// Returns the value of a name; `nil` when there is none, or it is `nil`.
    func child(named name: String) -> Any? {
        if let known = found[name] { return known }
        let value = values[name].flatMap(Self.of)
        found[name] = value
        return value
    }

    /// Returns a value as templates read it: structures as objects of this
    /// class, optionals without their case, lists with their elements, and
    /// everything that is shown as text unchanged. `nil` for an empty optional.
    static func of(_ value: Any) -> Any? {
        if value is String || value is Bool { return value }
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .optional: return mirror.children.first.flatMap { of($0.value) }
        case .collection: return mirror.children.compactMap { of($0.value) }
        case .struct where !(value is any CustomStringConvertible): return PageValue(mirror)
        default: return value
        }
    }
}
