// SPDX-License-Identifier: Apache-2.0

import CStorePostgreSQL
import Foundation
import StoreDatabase

/// The types that results may have, by OID. A domain is reported as its base
/// type.
private enum ResultType {
    static let bool: Oid = 16
    static let bytea: Oid = 17
    static let integers: Set<Oid> = [20, 21, 23, 26]  // int8, int2, int4, oid
    static let texts: Set<Oid> = [18, 19, 25, 705, 1042, 1043]  // char, name, text, unknown, bpchar, varchar
    static let numeric: Oid = 1700
    static let void: Oid = 2278
    static let fractions: Set<Oid> = [700, 701]  // float4, float8
}

extension DatabaseValue {
    /// Reads a value in PostgreSQL's binary format.
    ///
    /// - Throws: ``DatabaseError`` with code `column` for a fraction and for a
    ///   type that isn't listed in ``ResultType``.
    init(_ bytes: UnsafeRawBufferPointer, type: Oid, column: String) throws {
        switch type {
        case _ where ResultType.integers.contains(type):
            self = .integer(Self.integer(bytes))
        case _ where ResultType.texts.contains(type):
            self = .text(String(decoding: bytes, as: UTF8.self))
        case ResultType.bytea: self = .blob(Data(bytes))
        case ResultType.bool: self = .integer(bytes.first == 0 ? 0 : 1)
        case ResultType.void: self = .null
        case ResultType.numeric:
            // The sum of BIGINTs, for example.
            guard let integer = Self.integer(numeric: bytes) else { throw Self.fraction(column) }
            self = .integer(integer)
        case _ where ResultType.fractions.contains(type): throw Self.fraction(column)
        default:
            throw DatabaseError(
                .column, "The column \"\(column)\" has a type (number \(type)) that isn't used here; cast it to TEXT.")
        }
    }

    private static func fraction(_ column: String) -> DatabaseError {
        DatabaseError(
            .column,
            "The column \"\(column)\" holds a fraction or too great a number; store a count of smaller units.")
    }

    /// Reads two, four or eight bytes in big-endian order. An `oid` is
    /// unsigned, but none exceeds the signed range in practice.
    private static func integer(_ bytes: UnsafeRawBufferPointer) -> Int64 {
        let isNegative = (bytes.first ?? 0) & 0x80 != 0
        return bytes.reduce(isNegative ? -1 : 0) { $0 << 8 | Int64($1) }
    }

    /// Reads a `numeric`: digits in base 10,000, the first of which is
    /// multiplied by 10,000 to the power of the weight. Returns `nil` for a
    /// value that isn't an `Int64`.
    private static func integer(numeric bytes: UnsafeRawBufferPointer) -> Int64? {
        func word(_ index: Int) -> Int {
            Int(Int16(truncatingIfNeeded: Int(bytes[2 * index]) << 8 | Int(bytes[2 * index + 1])))
        }
        guard bytes.count >= 8, bytes.count == 8 + 2 * word(0) else { return nil }
        let (count, weight, sign) = (word(0), word(1), word(2))
        guard sign == 0 || sign == 0x4000 else { return nil }
        // Counts down from zero, because `-Int64.min` overflows.
        var value: Int64 = 0
        for place in 0..<max(count, weight + 1, 0) {
            let digit = place < count ? Int64(word(4 + place)) : 0
            if place > weight {
                guard digit == 0 else { return nil }
                continue
            }
            let (shifted, overflows) = value.multipliedReportingOverflow(by: 10_000)
            let (sum, exceeds) = shifted.subtractingReportingOverflow(digit)
            guard !overflows, !exceeds else { return nil }
            value = sum
        }
        if sign != 0 { return value }
        return value == .min ? nil : -value
    }
}
