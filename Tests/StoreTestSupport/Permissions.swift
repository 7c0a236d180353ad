// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The POSIX permissions of a file or folder.
package func permissions(of path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
}
