// SPDX-License-Identifier: Apache-2.0

package import Foundation
import StoreCore

/// Encodes messages as JSON with sorted keys, so that equal messages have
/// equal bytes.
package enum StoreCoding {
    /// Encodes a value as JSON in one line.
    ///
    /// - Throws: `EncodingError`.
    package static func encode(_ value: some Encodable) throws -> Data {
        try SortedJSON.encode(value)
    }

    /// Decodes a value from JSON.
    ///
    /// - Throws: `DecodingError`, or ``LimitExceeded`` when a field is
    ///   outside of its limit.
    package static func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        try JSONDecoder().decode(type, from: data)
    }
}
