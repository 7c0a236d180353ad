// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDatabase

/// A pipe by which other threads wake a thread that waits in `poll`.
final class PollPipe: Sendable {
    let reading: Int32
    private let writing: Int32

    /// - Throws: ``DatabaseError`` with code `other` when the process has no
    ///   file descriptors left.
    init() throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else {
            throw DatabaseError(.other, "A pipe can't be made: \(String(cString: strerror(errno))).")
        }
        (reading, writing) = (ends[0], ends[1])
        for end in ends {
            _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
    }

    deinit {
        close(reading)
        close(writing)
    }

    /// Wakes the thread. A full pipe wakes it already.
    func wake() {
        var byte: UInt8 = 1
        _ = write(writing, &byte, 1)
    }

    /// Removes the wake-ups.
    func drain() {
        var bytes = [UInt8](repeating: 0, count: 256)
        while read(reading, &bytes, bytes.count) == bytes.count {}
    }
}
