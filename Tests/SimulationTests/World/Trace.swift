// SPDX-License-Identifier: Apache-2.0

/// The log of a run: its lines if it keeps them, and a hash of them that is
/// equal in all runs of one seed.
final class Trace {
    private(set) var lines: [String] = []
    private(set) var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    private let keeps: Bool

    init(keeps: Bool) {
        self.keeps = keeps
    }

    func note(_ now: Int64, _ line: @autoclosure () -> String) {
        let text = "\(now) \(line())"
        for byte in text.utf8 {
            hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
        }
        if keeps { lines.append(text) }
    }
}
