// SPDX-License-Identifier: Apache-2.0

package import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Where tests of whole apps keep what apps write into the customer's home.
package enum TestPreferences {
    /// A folder of this process that goes with it, in which UserDefaults write
    /// from the first use on.
    package static let folder: URL = {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("StoreTests-preferences-\(getpid())", isDirectory: true)
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        setenv("XDG_CONFIG_HOME", folder.path, 1)
        atexit { try? FileManager.default.removeItem(at: TestPreferences.folder) }
        return folder
    }()

    /// A configuration file of this process.
    package static func file(_ name: String, _ text: String) throws -> URL {
        let file = folder.appendingPathComponent(name)
        if !FileManager.default.fileExists(atPath: file.path) {
            try Data(text.utf8).write(to: file, options: .atomic)
        }
        return file
    }
}
