// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreTestSupport

/// A file of a simulated disk, with the contents that processes read and the
/// contents that a power cut leaves.
final class DiskFile {
    private enum Change {
        case write(Data, at: Int)
        case resize(Int)
    }

    /// The file's inode number.
    let number: UInt64
    /// The contents that processes read.
    private(set) var bytes = ByteBuffer()
    /// The contents that survive a power cut.
    private var lasting = ByteBuffer()
    /// The changes since the last flush, in order.
    private var changes: [Change] = []
    /// The locks and the shared memory of the connections that have the file
    /// open.
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

    /// Makes all changes durable.
    func synchronise() {
        for change in changes { Self.apply(change, to: lasting) }
        changes = []
    }

    /// Loses some of the changes since the last flush: each one may be kept,
    /// lost, or kept for some of its sectors only, independently of the
    /// others.
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
        // The kept length is drawn as a fraction, because the length of a file
        // can depend on values that the seed doesn't determine, such as the
        // signature of a receipt.
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
