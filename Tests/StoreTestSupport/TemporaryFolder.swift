// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A folder that is removed with its last reference.
package final class TemporaryFolder: Sendable {
    private let folder: String

    package init() throws {
        folder = FileManager.default.temporaryDirectory.path + "/StoreTests.\(UUID())"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    package func path(_ name: String) -> String { folder + "/" + name }
}
