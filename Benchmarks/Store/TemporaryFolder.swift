// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Runs a closure with a folder in `TMPDIR`, and removes the folder
/// afterwards. Durability depends on the disk: `scripts/bench` chooses one
/// that isn't memory.
func withTemporaryFolder<T: Sendable>(_ body: (URL) async throws -> T) async throws -> T {
    let folder = FileManager.default.temporaryDirectory.appending(
        path: "StoreBenchmarks.\(UUID())", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder)
}
