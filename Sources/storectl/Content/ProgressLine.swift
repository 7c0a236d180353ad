// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A line on a terminal that shows how much of a long work is done. Without a
/// terminal it prints nothing.
final class ProgressLine {
    private let title: String
    private let isTerminal = isatty(STDERR_FILENO) == 1
    private var shown = -1

    init(_ title: String) {
        self.title = title
    }

    /// Shows the bytes that are done, when the percentage has changed.
    func show(_ done: Int64, of all: Int64) {
        guard isTerminal, all > 0 else { return }
        let percent = Int(done * 100 / all)
        guard percent != shown else { return }
        shown = percent
        write("\r\u{1B}[K\(title) \(percent) % of \(ByteCount(bytes: all).text)")
    }

    /// Removes the line.
    func end() {
        if isTerminal, shown >= 0 { write("\r\u{1B}[K") }
        shown = -1
    }

    private func write(_ text: String) {
        FileHandle.standardError.write(Data(text.utf8))
    }
}
