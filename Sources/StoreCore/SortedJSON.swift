// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// Encodes values as JSON with sorted keys, so that equal values have equal
/// bytes.
package enum SortedJSON {
    /// Encodes a value as JSON in one line.
    ///
    /// - Throws: `EncodingError`.
    package static func encode(_ value: some Encodable) throws -> Data {
        try encode(value, [.sortedKeys, .withoutEscapingSlashes])
    }

    /// The text of a value for a row of a database. It escapes slashes, as the
    /// rows of earlier versions do, so that equal values have equal texts.
    ///
    /// - Throws: `EncodingError`.
    package static func text(_ value: some Encodable) throws -> String {
        String(decoding: try encode(value, .sortedKeys), as: UTF8.self)
    }

    private static func encode(_ value: some Encodable, _ formatting: JSONEncoder.OutputFormatting) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = formatting
        return try encoder.encode(value)
    }
}
