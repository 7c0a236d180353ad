// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// A number of bytes on the command line, such as `20GB` or `500MB`.
struct ByteCount: ExpressibleByArgument {
    var bytes: Int64

    private static let units: [(name: String, bytes: Int64)] = [
        ("TB", 1_000_000_000_000), ("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1000), ("", 1),
    ]

    init(bytes: Int64) {
        self.bytes = bytes
    }

    init?(argument: String) {
        guard let unit = Self.units.first(where: { argument.lowercased().hasSuffix($0.name.lowercased()) }),
            let number = Int64(argument.dropLast(unit.name.count)), number >= 0
        else { return nil }
        let (bytes, overflows) = number.multipliedReportingOverflow(by: unit.bytes)
        guard !overflows else { return nil }
        self.bytes = bytes
    }

    var defaultValueDescription: String { text }

    /// A short text with a unit, such as `1.5 MB`.
    var text: String {
        guard let unit = Self.units.first(where: { bytes >= $0.bytes && !$0.name.isEmpty }) else {
            return "\(bytes) bytes"
        }
        let tenths = bytes / (unit.bytes / 10)
        return tenths % 10 == 0 ? "\(tenths / 10) \(unit.name)" : "\(tenths / 10).\(tenths % 10) \(unit.name)"
    }
}
