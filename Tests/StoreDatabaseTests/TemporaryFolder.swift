// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A folder that disappears with its last reference.
final class TemporaryFolder: Sendable {
    private let folder: String

    init() throws {
        folder = FileManager.default.temporaryDirectory.path + "/StoreDatabaseTests.\(UUID())"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    func path(_ name: String) -> String { folder + "/" + name }
}
