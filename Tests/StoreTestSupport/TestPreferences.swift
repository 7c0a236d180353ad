// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// The folder for files that apps write into the customer's home.
package enum TestPreferences {
    /// A folder of this process, which is removed at its exit. From the first
    /// use on, UserDefaults write into it.
    package static let folder: URL = {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("StoreTests-preferences-\(getpid())", isDirectory: true)
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        setenv("XDG_CONFIG_HOME", folder.path, 1)
        atexit { try? FileManager.default.removeItem(at: TestPreferences.folder) }
        return folder
    }()

    /// Writes a configuration file into the folder, unless it exists.
    package static func file(_ name: String, _ text: String) throws -> URL {
        let file = folder.appendingPathComponent(name)
        if !FileManager.default.fileExists(atPath: file.path) {
            try Data(text.utf8).write(to: file, options: .atomic)
        }
        return file
    }
}
