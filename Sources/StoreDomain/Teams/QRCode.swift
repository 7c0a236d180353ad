// SPDX-License-Identifier: Apache-2.0

/// A QR code (ISO/IEC 18004) with its quiet zone, as a square of modules.
package struct QRCode: Hashable, Sendable {
    /// The rows from the top, each from the left; `true` is a dark module.
    package let rows: [[Bool]]

    /// The most modules of a side: those of version 40, and four on each side
    /// of them.
    package static let longest = 185

    /// A code of square rows; `nil` for rows that aren't a square, and for
    /// more than ``longest``.
    package init?(rows: [[Bool]]) {
        guard !rows.isEmpty, rows.count <= Self.longest, rows.allSatisfy({ $0.count == rows.count }) else { return nil }
        self.rows = rows
    }
}

/// Makes QR codes.
package protocol QRCodeMaker: Sendable {
    /// The QR code of a text.
    ///
    /// - Throws: An error with a sentence for the log, without the text.
    func code(of text: String) async throws -> QRCode
}
