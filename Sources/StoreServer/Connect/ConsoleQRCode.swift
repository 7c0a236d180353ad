// SPDX-License-Identifier: Apache-2.0

import StoreDomain

/// A QR code as the values of an SVG image in a page.
struct ConsoleQRCode {
    /// The description of the image.
    let codeText: String
    /// The number of modules of a side.
    let codeSize: Int
    /// The dark modules as a path of rectangles, one for each run of them in a
    /// row.
    let codePath: String

    init(_ code: QRCode, text: String) {
        codeText = text
        codeSize = code.rows.count
        codePath = code.rows.enumerated().map { line, row in Self.path(of: row, at: line) }.joined()
    }

    private static func path(of row: [Bool], at line: Int) -> String {
        var (path, start) = ("", 0)
        while let first = row[start...].firstIndex(of: true) {
            let end = row[first...].firstIndex(of: false) ?? row.endIndex
            path += "M\(first) \(line)h\(end - first)v1h-\(end - first)z"
            start = end
        }
        return path
    }
}
