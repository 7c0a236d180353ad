// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// A folder that is removed with its last reference.
package final class TemporaryFolder: Sendable {
    private let folder: String

    package init() throws {
        folder = FileManager.default.temporaryDirectory.path + "/StoreTests.\(UUID())"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    package var url: URL { URL(fileURLWithPath: folder, isDirectory: true) }

    package func path(_ name: String) -> String { folder + "/" + name }
}
