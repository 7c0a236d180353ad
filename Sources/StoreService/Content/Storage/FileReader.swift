// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDomain
import Synchronization

/// Reads a range of a file part by part, on the threads for files.
final class FileReader: ContentReader {
    /// The bytes of a part, of which a download has a few in memory.
    private static let part: Int64 = 128 << 10

    private let file: StorageFile
    private let rest: Mutex<Range<Int64>>

    /// - Throws: ``ContentStorageError`` `missing` when the file has fewer
    ///   bytes.
    init(_ file: StorageFile, _ range: Range<Int64>) throws {
        guard try file.size() >= range.upperBound else {
            throw ContentStorageError(.missing, "a file has fewer than \(range.upperBound) bytes")
        }
        self.file = file
        rest = Mutex(range)
    }

    func next() async throws -> Data? {
        let range = rest.withLock { rest -> Range<Int64> in
            let end = min(rest.lowerBound + Self.part, rest.upperBound)
            let part = rest.lowerBound..<end
            rest = end..<rest.upperBound
            return part
        }
        guard !range.isEmpty else { return nil }
        return try await StorageThreads.shared.run { [file] in
            let bytes = try file.read(range.count, at: range.lowerBound)
            guard bytes.count == range.count else {
                throw ContentStorageError(.missing, "a file ends before byte \(range.upperBound)")
            }
            return bytes
        }
    }
}
