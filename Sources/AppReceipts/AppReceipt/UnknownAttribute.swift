// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// An attribute of a receipt or of a purchase for which this library has no
/// property.
public struct UnknownAttribute: Sendable, Hashable {
    /// The attribute's number.
    public var type: Int
    /// The attribute's version; 1 in nearly all receipts.
    public var version: Int
    /// The attribute's value, usually DER.
    public var value: Data

    /// An attribute with these contents.
    public init(type: Int, version: Int = 1, value: Data) {
        self.type = type
        self.version = version
        self.value = value
    }
}

extension UnknownAttribute: Comparable {
    /// Compares the types, then the versions, then the values.
    public static func < (left: UnknownAttribute, right: UnknownAttribute) -> Bool {
        if left.type != right.type { return left.type < right.type }
        if left.version != right.version { return left.version < right.version }
        return left.value.lexicographicallyPrecedes(right.value)
    }
}
