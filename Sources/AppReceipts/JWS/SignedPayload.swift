// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// What a JWS of a store says: a JSON object whose fields have names and
/// types.
///
/// The fields of a payload are properties, after Apple's names:
///
/// ```swift
/// var payload = TransactionPayload()
/// payload.transactionId = "2000000001"
/// payload.purchaseDate = now
/// ```
///
/// This is a plain value. It says nothing about who signed it: a JWS from
/// outside is an ``UnverifiedJWS``, and only a ``JWSVerifier`` makes a
/// ``VerifiedJWS`` of it.
@dynamicMemberLookup
public protocol SignedPayload: Hashable, Sendable {
    /// The fields that have a name and a type.
    associatedtype Fields: Sendable

    /// The fields that have a name and a type.
    static var fields: Fields { get }
    /// The types that a payload's fields are held to.
    static var types: PayloadTypes { get }

    /// All fields, also those that this version has no name for.
    var members: [String: JSONValue] { get set }

    /// A payload without fields.
    init()

    /// When it was signed, at which the certificates have to be valid.
    var dateOfSigning: Date? { get }
    /// The app that it is for. Nil in a payload that has to say and doesn't.
    var statedBundleIdentifier: String? { get }
    /// The environment that it comes from.
    var statedEnvironment: PayloadEnvironment? { get }
    /// Whether payloads of this kind say which app they are for.
    static var statesBundleIdentifier: Bool { get }
}

extension SignedPayload {
    /// Every kind but renewal info does.
    public static var statesBundleIdentifier: Bool { true }

    /// A field, by its property of ``Fields``; nil if it isn't there.
    public subscript<Value>(dynamicMember field: KeyPath<Fields, PayloadField<Value>>) -> Value? {
        get { members[Self.fields[keyPath: field].name].flatMap(Value.init(json:)) }
        set { members[Self.fields[keyPath: field].name] = newValue?.json }
    }

    /// Reads a payload.
    ///
    /// - Throws: ``AppReceiptError/Code/malformed`` if it isn't a JSON object,
    ///   or a field that has a name is of another type.
    init(parsing json: some Collection<UInt8>) throws(AppReceiptError) {
        guard case .object(let members) = try JSONValue(parsing: json) else {
            throw AppReceiptError(.malformed, "The payload is not a JSON object")
        }
        self.init()
        self.members = members
        try Self.types.check(members)
    }

    /// A payload of a JSON object's text.
    ///
    /// - Throws: ``AppReceiptError/Code/malformed`` if it isn't one, or a
    ///   field that has a name is of another type.
    public init(json: String) throws(AppReceiptError) {
        try self.init(parsing: Array(json.utf8))
    }

    /// The payload as JSON.
    public var json: String { JSONValue.object(members).encoded }
}

/// The types that the fields of one kind of payload have.
public struct PayloadTypes: Sendable {
    private let checks: [String: @Sendable (JSONValue) -> Bool]

    /// No field is held to a type.
    public static let none = PayloadTypes(of: ())

    /// Finds the fields by reflection, once for a kind of payload, so that
    /// each is written down in one place only.
    init(of fields: Any) {
        let fields = Mirror(reflecting: fields).children.compactMap { $0.value as? any CheckedField }
        checks = Dictionary(uniqueKeysWithValues: fields.map { ($0.name, $0.isRight) })
    }

    func check(_ members: [String: JSONValue]) throws(AppReceiptError) {
        for (name, value) in members {
            guard let isRight = checks[name], value != .null, !isRight(value) else { continue }
            throw AppReceiptError(.malformed, "\(name) is of another type")
        }
    }
}

private protocol CheckedField {
    var name: String { get }
    var isRight: @Sendable (JSONValue) -> Bool { get }
}

extension PayloadField: CheckedField {
    fileprivate var isRight: @Sendable (JSONValue) -> Bool { { Value(json: $0) != nil } }
}
