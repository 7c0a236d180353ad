// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Prints a value as JSON with sorted keys, for people and for programs.
func printJSON(_ value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    print(String(decoding: try encoder.encode(value), as: UTF8.self))
}
