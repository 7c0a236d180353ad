// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The attributes of a receipt or of a purchase, to be taken by their fields.
///
/// ```
/// Payload      ::= SET OF ReceiptAttribute
/// InAppReceipt ::= SET OF ReceiptAttribute
/// ```
///
/// - Note: Written in DER's order of a SET OF, as Apple's are (X.690, 11.6);
///   read in any order.
struct ReceiptAttributeSet<Field: RawRepresentable<Int>> {
    /// Whether what was taken is as we write it.
    private(set) var isCanonical = true
    /// The values of the field of which there may be thousands.
    private(set) var many: [ArraySlice<UInt8>] = []
    private var attributes: [ReceiptAttribute] = []

    /// Reads at most so many attributes, because each takes memory. One field
    /// may be there more than once.
    init(
        reading reader: inout DERReader, atMost most: Int, many manyField: Field? = nil
    ) throws(AppReceiptError) {
        var isCanonical = true
        var attributes: [ReceiptAttribute] = []
        var many: [ArraySlice<UInt8>] = []
        attributes.reserveCapacity(16)
        try reader.setOf { reader throws(AppReceiptError) in
            guard attributes.count + many.count < most else {
                throw AppReceiptError(.tooLarge, "There are more than \(most) attributes")
            }
            let attribute = try ReceiptAttribute(reading: &reader)
            if attribute.version != 1, Field(rawValue: attribute.type) != nil { isCanonical = false }
            if attribute.type == manyField?.rawValue {
                many.append(attribute.value)
            } else {
                attributes.append(attribute)
            }
        }
        self.isCanonical = isCanonical
        self.attributes = attributes
        self.many = many
    }

    /// The value of a field, or nil if it isn't there.
    ///
    /// - Throws: ``AppReceiptError/Code/duplicateAttribute``.
    mutating func take<Value>(
        _ field: Field, as form: ReceiptValue<Value>
    ) throws(AppReceiptError) -> Value? {
        var found: Int?
        for index in attributes.indices where attributes[index].type == field.rawValue {
            guard found == nil else {
                throw AppReceiptError(.duplicateAttribute, "Attribute \(field.rawValue) is there more than once")
            }
            found = index
        }
        guard let found else { return nil }
        return try read(attributes[found].value, form.read)
    }

    /// The value of a field that has to be there.
    ///
    /// - Throws: ``AppReceiptError/Code/missingAttribute`` or
    ///   ``AppReceiptError/Code/duplicateAttribute``.
    mutating func required<Value>(
        _ field: Field, as form: ReceiptValue<Value>
    ) throws(AppReceiptError) -> Value {
        guard let value = try take(field, as: form) else {
            throw AppReceiptError(.missingAttribute, "Attribute \(field.rawValue) (\(field)) is missing")
        }
        return value
    }

    /// One value, to its last octet.
    mutating func read<Value>(
        _ value: ArraySlice<UInt8>, _ read: (inout DERReader) throws(AppReceiptError) -> Value
    ) throws(AppReceiptError) -> Value {
        var reader = DERReader(value)
        let result = try read(&reader)
        try reader.finish()
        if !reader.isCanonical { isCanonical = false }
        return result
    }

    /// What we have no field for.
    var unknown: [UnknownAttribute] {
        attributes.filter { Field(rawValue: $0.type) == nil }.map { attribute in
            UnknownAttribute(type: attribute.type, version: attribute.version, value: Data(attribute.value))
        }
    }
}
