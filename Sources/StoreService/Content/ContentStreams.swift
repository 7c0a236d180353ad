// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Counts the downloads that are under way.
final class ContentStreams: Sendable {
    private let count = Atomic<Int>(0)

    var open: Int { count.load(ordering: .relaxed) }

    func begin() { count.add(1, ordering: .relaxed) }
    func end() { count.subtract(1, ordering: .relaxed) }
}
