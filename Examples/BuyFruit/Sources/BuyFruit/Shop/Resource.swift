// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Files of the app's bundle.
enum Resource {
    static func data(_ path: String) throws -> Data {
        try Data(contentsOf: Bundle.module.bundleURL.appendingPathComponent("Resources/\(path)"))
    }
}
