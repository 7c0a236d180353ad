// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The payload of a store's JWS: a JSON object whose fields have names and
/// types.
///
/// The fields of a payload are properties with Apple's names:
///
/// ```swift
/// var payload = TransactionPayload()
/// payload.transactionId = "2000000001"
/// payload.purchaseDate = now
/// ```
///
/// This value proves nothing about its signer. A JWS from outside becomes an
/// ``UnverifiedJWS``, and only a ``JWSVerifier`` creates a ``VerifiedJWS``
/// from it.
@dynamicMemberLookup
public protocol SignedPayload: Hashable, Sendable {
    /// The fields that have a name and a type.
    associatedtype Fields: Sendable

    /// The fields that have a name and a type.
    static var fields: Fields { get }
    /// The types that the values of the fields must have.
    static var types: PayloadTypes { get }

    /// All fields, including those that ``Fields`` doesn't have.
    var members: [String: JSONValue] { get set }

    /// A payload without fields.
    init()

    /// When the payload was signed. The certificates have to be valid at this
    /// date.
    var dateOfSigning: Date? { get }
    /// The bundle identifier in the payload, or nil if there is none.
    var statedBundleIdentifier: String? { get }
    /// The environment in the payload, or nil if there is none.
    var statedEnvironment: PayloadEnvironment? { get }
    /// Whether payloads of this type name an app.
    static var statesBundleIdentifier: Bool { get }
}

extension SignedPayload {
    /// True for all types but renewal info.
    public static var statesBundleIdentifier: Bool { true }

    /// The value of a field of ``Fields``, or nil if it is missing or has
    /// another type.
    public subscript<Value>(dynamicMember field: KeyPath<Fields, PayloadField<Value>>) -> Value? {
        get { members[Self.fields[keyPath: field].name].flatMap(Value.init(json:)) }
        set { members[Self.fields[keyPath: field].name] = newValue?.json }
    }

    /// Reads a payload.
    ///
    /// - Throws: ``AppReceiptError/Code/malformed`` if it isn't a JSON
    ///   object, or a field of ``Fields`` has another type.
    init(parsing json: some Collection<UInt8>) throws(AppReceiptError) {
        guard case .object(let members) = try JSONValue(parsing: json) else {
            throw AppReceiptError(.malformed, "The payload is not a JSON object")
        }
        self.init()
        self.members = members
        try Self.types.check(members)
    }

    /// Reads a payload from the text of a JSON object.
    ///
    /// - Throws: ``AppReceiptError/Code/malformed`` if it isn't a JSON
    ///   object, or a field of ``Fields`` has another type.
    public init(json: String) throws(AppReceiptError) {
        try self.init(parsing: Array(json.utf8))
    }

    /// The payload as JSON.
    public var json: String { JSONValue.object(members).encoded }
}

/// The types of the fields of one kind of payload.
public struct PayloadTypes: Sendable {
    private let checks: [String: @Sendable (JSONValue) -> Bool]

    /// No field has a required type.
    public static let none = PayloadTypes(of: ())

    /// Finds the fields by reflection, once for each kind of payload, so that
    /// each field is declared in one place only.
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
