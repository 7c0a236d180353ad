// SPDX-License-Identifier: Apache-2.0

import StoreTestSupport

/// The folder of caches of one process: a file system of its own, which may be
/// full, and the planted mistakes of the content in it.
struct SimulatedCaches: Sendable {
    var mistake: Mistake?
    var isFull: @Sendable () -> Bool

    private static let folder = "home/caches/"

    /// - Throws: `DiskFailure.full` for a file in a full folder of caches.
    func requireRoom(for file: String) throws {
        if file.hasPrefix(Self.folder), isFull() { throw DiskFailure.full }
    }

    /// Whether a folder stays that should be removed.
    func keeps(_ folder: String) -> Bool {
        mistake == .partialFilesStay && folder.hasSuffix(".partial")
    }

    /// Called when a file or a folder was moved: alters a byte of a content.
    func moved(_ folder: String, _ life: ProcessLife) throws {
        guard mistake == .damagedContentIsInstalled, folder.contains("/Content/"),
            let name = life.disk.files(in: folder).last
        else { return }
        let file = try life.disk.file(name, for: life)
        try [UInt8(0)].withUnsafeBytes { try life.disk.write($0, to: file, at: 0, for: life) }
    }
}
