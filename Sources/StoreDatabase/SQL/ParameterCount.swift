// SPDX-License-Identifier: Apache-2.0

/// Counts the arguments that a statement takes.
package enum ParameterCount {
    /// The highest number among `$1, $2 …` outside quoted text.
    ///
    /// SQLite treats `$3` as a name and accepts an argument that the statement
    /// doesn't use; PostgreSQL rejects it. Counting lets both engines reject
    /// it.
    package static func highest(in sql: String) -> Int {
        var highest = 0
        var quote: UInt8?
        var number: Int?
        for byte in sql.utf8 {
            if let digits = number, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte), digits < 100_000 {
                number = digits * 10 + Int(byte - UInt8(ascii: "0"))
                continue
            }
            highest = max(highest, number ?? 0)
            number = nil
            if let open = quote {
                quote = byte == open ? nil : open
            } else if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
                quote = byte
            } else if byte == UInt8(ascii: "$") {
                number = 0
            }
        }
        return max(highest, number ?? 0)
    }
}
