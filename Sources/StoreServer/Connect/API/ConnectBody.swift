// SPDX-License-Identifier: Apache-2.0

import AppReceipts
import NIOCore
import StoreAPI
import StoreDomain

/// The JSON object in the body of a request to Connect's API.
///
/// Each value is taken once. ``finish()`` refuses the fields that were left
/// over, so that a misspelt field isn't ignored.
struct ConnectBody {
    private var members: [String: JSONValue]
    private var problems: [FieldProblem] = []

    /// The largest body, in bytes.
    static let limit = 64 << 10

    /// - Throws: `StoreFailure` `malformed` for a body that isn't a JSON
    ///   object.
    init(_ body: ByteBuffer) throws {
        guard let text = String(validating: body.readableBytesView, as: UTF8.self),
            case .object(let members)? = try? JSONValue(parsing: text)
        else { throw StoreFailure(.malformed, "The body isn't a JSON object.") }
        self.members = members
    }

    mutating func add(_ field: String, _ kind: FieldProblem.Kind) {
        problems.append(FieldProblem(field: field, kind: kind))
    }

    /// A text; empty for null, and `nil` for a field that isn't there.
    mutating func text(_ name: String) -> String? { value(name, orNull: "") }

    mutating func bool(_ name: String) -> Bool? { value(name, orNull: nil) }

    /// A whole number as a text; empty for null.
    mutating func number(_ name: String) -> String? {
        switch members.removeValue(forKey: name) {
        case nil: return nil
        case .null?: return ""
        case let json?:
            guard let number = Int64(json: json) else {
                add(name, .malformed)
                return nil
            }
            return String(number)
        }
    }

    /// A list of texts; empty for null.
    mutating func texts(_ name: String) -> [String]? { value(name, orNull: []) }

    /// An object whose values are texts, or null.
    mutating func textsByName(_ name: String) -> [String: String?]? {
        guard let found = object(name) else { return nil }
        var texts: [String: String?] = [:]
        for (key, json) in found {
            let text = String(json: json)
            if text == nil, json != .null { add("\(name).\(key)", .malformed) }
            texts[key] = .some(text)
        }
        return texts
    }

    /// An object whose values are true or false.
    mutating func boolsByName(_ name: String) -> [String: Bool]? {
        guard let found = object(name) else { return nil }
        for (key, json) in found where Bool(json: json) == nil { add("\(name).\(key.prefix(40))", .malformed) }
        return found.compactMapValues { Bool(json: $0) }
    }

    /// An object whose values are objects of texts, or null.
    mutating func objectsByName(_ name: String) -> [String: [String: String]?]? {
        guard let found = object(name) else { return nil }
        var objects: [String: [String: String]?] = [:]
        for (key, json) in found {
            guard case .object(let members) = json else {
                if json != .null { add("\(name).\(key)", .malformed) }
                objects[key] = .some(nil)
                continue
            }
            objects[key] = members.compactMapValues { String(json: $0) }
            for (inner, value) in members where String(json: value) == nil {
                add("\(name).\(key).\(inner)", .malformed)
            }
        }
        return objects
    }

    /// Ends the reading.
    ///
    /// - Throws: `InvalidFields`.
    func finish() throws {
        let unknown = members.keys.sorted().map { FieldProblem(field: String($0.prefix(100)), kind: .unknown) }
        if !(problems + unknown).isEmpty { throw InvalidFields(problems: problems + unknown) }
    }

    private mutating func object(_ name: String) -> [String: JSONValue]? {
        switch members.removeValue(forKey: name) {
        case nil: return nil
        case .object(let members)?: return members
        default:
            add(name, .malformed)
            return nil
        }
    }

    private mutating func value<Value: PayloadValue>(_ name: String, orNull null: Value?) -> Value? {
        guard let json = members.removeValue(forKey: name) else { return nil }
        if json == .null, let null { return null }
        guard let value = Value(json: json) else {
            add(name, .malformed)
            return nil
        }
        return value
    }
}
