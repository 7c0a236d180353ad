// SPDX-License-Identifier: Apache-2.0

import CStorePostgreSQL
import Foundation
import StoreDatabase

/// The types of parameters, by OID.
enum ParameterType {
    static let unknown: Oid = 0
    static let bytea: Oid = 17
    static let bigint: Oid = 20
    static let text: Oid = 25
}

/// A statement's arguments in the layout that libpq requires.
///
/// Integers and text are sent in text format, which every type accepts, bytes
/// in binary format.
struct Parameters {
    /// The type of each argument; unknown for `NULL`, which fits any type.
    private(set) var types: [Oid] = []

    private var bytes: [UInt8] = []
    private var offsets: [Int?] = []
    private var lengths: [Int32] = []
    private var formats: [Int32] = []

    static let none = Parameters()

    private init() {}

    /// - Throws: ``DatabaseError`` with code `value` for text with a NUL.
    init(_ arguments: [any DatabaseValueConvertible]) throws {
        for argument in arguments {
            switch argument.databaseValue {
            case .null: add(ParameterType.unknown, nil as [UInt8]?)
            case .integer(let integer): add(ParameterType.bigint, String(integer).utf8)
            case .text(let text):
                guard !text.utf8.contains(0) else {
                    throw DatabaseError(.value, "Text with a NUL character can't be stored.")
                }
                add(ParameterType.text, text.utf8)
            case .blob(let data): add(ParameterType.bytea, data, format: 1)
            }
        }
    }

    private mutating func add(_ type: Oid, _ value: (some Collection<UInt8>)?, format: Int32 = 0) {
        types.append(type)
        formats.append(format)
        lengths.append(Int32(clamping: value?.count ?? 0))
        offsets.append(value == nil ? nil : bytes.count)
        guard let value else { return }
        bytes.append(contentsOf: value)
        bytes.append(0)
    }

    typealias Pointers = (
        count: Int32, values: UnsafePointer<UnsafePointer<CChar>?>?, lengths: UnsafePointer<Int32>?,
        formats: UnsafePointer<Int32>?
    )

    /// The arrays that libpq's functions take, valid inside the closure.
    func withPointers<T>(_ body: (Pointers) -> T) -> T {
        bytes.withUnsafeBytes { raw in
            let bytes = raw.assumingMemoryBound(to: CChar.self)
            let values = offsets.map { offset in offset.flatMap { bytes.baseAddress?.advanced(by: $0) } }
            return values.withUnsafeBufferPointer { values in
                lengths.withUnsafeBufferPointer { lengths in
                    formats.withUnsafeBufferPointer { formats in
                        body((Int32(values.count), values.baseAddress, lengths.baseAddress, formats.baseAddress))
                    }
                }
            }
        }
    }
}
