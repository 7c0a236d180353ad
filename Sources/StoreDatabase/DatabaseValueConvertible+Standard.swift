// SPDX-License-Identifier: Apache-2.0

public import Foundation

extension DatabaseValue: DatabaseValueConvertible {
    /// The value itself.
    public var databaseValue: DatabaseValue { self }

    /// Takes any value unchanged; never throws.
    public init(databaseValue: DatabaseValue) { self = databaseValue }
}

extension String: DatabaseValueConvertible {
    /// The string as `TEXT`.
    public var databaseValue: DatabaseValue { .text(self) }

    /// Takes `TEXT`.
    ///
    /// - Throws: ``DatabaseError`` with code `column` for anything else.
    public init(databaseValue: DatabaseValue) throws {
        guard case .text(let text) = databaseValue else {
            throw DatabaseError(holding: databaseValue, wanted: "text")
        }
        self = text
    }
}

extension Int64: DatabaseValueConvertible {
    /// The number as `BIGINT`.
    public var databaseValue: DatabaseValue { .integer(self) }

    /// Takes a `BIGINT`.
    ///
    /// - Throws: ``DatabaseError`` with code `column` for anything else.
    public init(databaseValue: DatabaseValue) throws {
        guard case .integer(let integer) = databaseValue else {
            throw DatabaseError(holding: databaseValue, wanted: "an integer")
        }
        self = integer
    }
}

extension Int: DatabaseValueConvertible {
    /// The number as `BIGINT`.
    public var databaseValue: DatabaseValue { .integer(Int64(self)) }

    /// Takes a `BIGINT` that fits.
    ///
    /// - Throws: ``DatabaseError`` with code `column` for anything else.
    public init(databaseValue: DatabaseValue) throws {
        let wide = try Int64(databaseValue: databaseValue)
        guard let integer = Int(exactly: wide) else {
            throw DatabaseError(holding: databaseValue, wanted: "an integer of \(Int.bitWidth) bits")
        }
        self = integer
    }
}

extension Bool: DatabaseValueConvertible {
    /// `BIGINT` 1 for true, 0 for false.
    public var databaseValue: DatabaseValue { .integer(self ? 1 : 0) }

    /// Takes the `BIGINT`s 0 and 1.
    ///
    /// - Throws: ``DatabaseError`` with code `column` for anything else, other
    ///   numbers included: they show that the column isn't a boolean.
    public init(databaseValue: DatabaseValue) throws {
        switch databaseValue {
        case .integer(0): self = false
        case .integer(1): self = true
        default: throw DatabaseError(holding: databaseValue, wanted: "0 or 1")
        }
    }
}

extension Data: DatabaseValueConvertible {
    /// The bytes as `blob`.
    public var databaseValue: DatabaseValue { .blob(self) }

    /// Takes a `blob`.
    ///
    /// - Throws: ``DatabaseError`` with code `column` for anything else.
    public init(databaseValue: DatabaseValue) throws {
        guard case .blob(let data) = databaseValue else {
            throw DatabaseError(holding: databaseValue, wanted: "a blob")
        }
        self = data
    }
}

extension Optional: DatabaseValueConvertible where Wrapped: DatabaseValueConvertible {
    /// The wrapped value, or `NULL`.
    public var databaseValue: DatabaseValue { self?.databaseValue ?? .null }

    /// Takes `NULL` and every value that the wrapped type takes.
    ///
    /// - Throws: The error of the wrapped type's initializer.
    public init(databaseValue: DatabaseValue) throws {
        self = databaseValue == .null ? nil : try Wrapped(databaseValue: databaseValue)
    }
}
