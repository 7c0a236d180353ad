// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreTestSupport

/// A file of a simulated disk: what processes see of it, and what a power cut
/// leaves of that.
final class DiskFile {
    private enum Change {
        case write(Data, at: Int)
        case resize(Int)
    }

    /// The file's own number.
    let number: UInt64
    /// What processes see.
    private(set) var bytes = ByteBuffer()
    /// What is there for sure after a power cut.
    private var lasting = ByteBuffer()
    /// What isn't there for sure, in order.
    private var changes: [Change] = []
    /// Who has it open, and the locks and the memory that they share.
    var sharing = FileSharing()

    init(number: UInt64) {
        self.number = number
    }

    func copy() -> DiskFile {
        let copy = DiskFile(number: number)
        copy.bytes = bytes.copy()
        copy.lasting = bytes.copy()
        return copy
    }

    func write(_ source: UnsafeRawBufferPointer, at offset: Int) {
        bytes.write(source, at: offset)
        changes.append(.write(Data(source), at: offset))
    }

    func resize(_ size: Int) {
        bytes.resize(size)
        changes.append(.resize(size))
    }

    /// Makes everything last.
    func synchronise() {
        for change in changes { Self.apply(change, to: lasting) }
        changes = []
    }

    /// Loses some of what wasn't synchronised: each write may be there, or
    /// not, or only some of its sectors, whatever the others did.
    func losePower(_ random: inout SeededGenerator) {
        let mood = random.next() % 4
        for change in changes {
            switch mood {
            case 0: break
            case 1: Self.apply(change, to: lasting)
            default: applySome(of: change, &random)
            }
        }
        changes = []
        bytes = lasting.copy()
        sharing = FileSharing()
    }

    private func applySome(of change: Change, _ random: inout SeededGenerator) {
        let fate = random.next() % 3
        guard fate > 0 else { return }
        guard fate == 1, case .write(let data, let offset) = change else { return Self.apply(change, to: lasting) }
        // The place is drawn as a fraction: how long a file is may depend on
        // what no seed decides, the signature in a receipt for one.
        let kept = Int(Double(random.next() % 1000) / 1000 * Double(data.count))
        let whole = data.count > Self.sector ? kept / Self.sector * Self.sector : kept
        Self.apply(.write(data.prefix(whole), at: offset), to: lasting)
    }

    private static let sector = 512

    private static func apply(_ change: Change, to buffer: ByteBuffer) {
        switch change {
        case .write(let data, let offset): data.withUnsafeBytes { buffer.write($0, at: offset) }
        case .resize(let size): buffer.resize(size)
        }
    }
}
