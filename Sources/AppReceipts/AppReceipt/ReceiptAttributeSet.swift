// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The attributes of a receipt or of a purchase, which are read by their
/// fields.
///
/// ```
/// Payload      ::= SET OF ReceiptAttribute
/// InAppReceipt ::= SET OF ReceiptAttribute
/// ```
///
/// - Note: The encoder writes them in DER's order of a SET OF (X.690, 11.6),
///   as in Apple's receipts. The reader accepts any order.
struct ReceiptAttributeSet<Field: RawRepresentable<Int>> {
    /// Whether all values that were read have the form that the encoder
    /// writes.
    private(set) var isCanonical = true
    /// The values of the one field that may occur more than once.
    private(set) var many: [ArraySlice<UInt8>] = []
    private var attributes: [ReceiptAttribute] = []

    /// Reads at most `most` attributes, because each one takes memory. Only
    /// `manyField` may occur more than once.
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

    /// The value of a field, or nil if the field is missing.
    ///
    /// - Throws: ``AppReceiptError/Code/duplicateAttribute``, or
    ///   ``AppReceiptError/Code/malformed`` if the value has another form.
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

    /// The value of a required field.
    ///
    /// - Throws: ``AppReceiptError/Code/missingAttribute``,
    ///   ``AppReceiptError/Code/duplicateAttribute``, or
    ///   ``AppReceiptError/Code/malformed`` if the value has another form.
    mutating func required<Value>(
        _ field: Field, as form: ReceiptValue<Value>
    ) throws(AppReceiptError) -> Value {
        guard let value = try take(field, as: form) else {
            throw AppReceiptError(.missingAttribute, "Attribute \(field.rawValue) (\(field)) is missing")
        }
        return value
    }

    /// Reads one value, and throws if octets follow it.
    mutating func read<Value>(
        _ value: ArraySlice<UInt8>, _ read: (inout DERReader) throws(AppReceiptError) -> Value
    ) throws(AppReceiptError) -> Value {
        var reader = DERReader(value)
        let result = try read(&reader)
        try reader.finish()
        if !reader.isCanonical { isCanonical = false }
        return result
    }

    /// The attributes that have no field.
    var unknown: [UnknownAttribute] {
        attributes.filter { Field(rawValue: $0.type) == nil }.map { attribute in
            UnknownAttribute(type: attribute.type, version: attribute.version, value: Data(attribute.value))
        }
    }
}
