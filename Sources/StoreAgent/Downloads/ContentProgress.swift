// SPDX-License-Identifier: Apache-2.0

import StoreAPI

/// The bytes of a packed content that are on disk: of each file none, some or
/// all.
struct ContentProgress: Sendable {
    let head: ContentHead
    private let ranges: [Range<Int64>]
    private var present: [Int64]
    private var isComplete: [Bool]
    /// The index of the first file that isn't complete.
    private(set) var index = 0
    /// The bytes of all files that are on disk.
    private(set) var received: Int64

    /// Begins with the bytes of each file that are on disk. A file with all of
    /// its bytes is complete.
    init(_ head: ContentHead, present: [Int64]) {
        self.head = head
        self.present = present
        ranges = head.ranges
        isComplete = zip(head.manifest.files, present).map { $0.size == $1 }
        received = present.reduce(0, +)
        advance()
    }

    /// The first file that isn't complete.
    var file: ContentManifest.File? { index < ranges.count ? head.manifest.files[index] : nil }

    /// The bytes of ``file`` that are on disk.
    var bytesOfFile: Int64 { index < ranges.count ? present[index] : 0 }

    /// The place of the first missing byte in the object; `nil` when all files
    /// are complete.
    var next: Int64? { index < ranges.count ? ranges[index].lowerBound + present[index] : nil }

    /// The first missing bytes, up to the next byte that is on disk.
    var missing: Range<Int64>? {
        guard let next else { return nil }
        var last = index
        while last + 1 < ranges.count, isWhollyMissing(last + 1) { last += 1 }
        return next..<ranges[last].upperBound
    }

    /// Whether no byte of a file is on disk, as those of an empty one.
    private func isWhollyMissing(_ index: Int) -> Bool {
        ranges[index].isEmpty || !isComplete[index] && present[index] == 0
    }

    /// Adds bytes of ``file``.
    ///
    /// - Returns: whether these are its last ones.
    mutating func add(_ count: Int) -> Bool {
        present[index] += Int64(count)
        received += Int64(count)
        return present[index] == head.manifest.files[index].size
    }

    /// Records that the bytes of ``file`` are verified, or were removed.
    mutating func end(isVerified: Bool) {
        if isVerified {
            isComplete[index] = true
            advance()
        } else {
            received -= present[index]
            present[index] = 0
        }
    }

    private mutating func advance() {
        while index < isComplete.count, isComplete[index] { index += 1 }
    }
}
