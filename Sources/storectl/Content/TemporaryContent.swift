// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreDomain

/// The folder with the content of a store in memory, which is removed with the
/// last reference: no later store has the rows of its versions.
final class TemporaryContent: Sendable {
    let folder: URL

    init(random: RandomSource) {
        folder = FileManager.default.temporaryDirectory.appending(
            path: "openstorekit-content-\(random.hexadecimal(bytes: 8))", directoryHint: .isDirectory)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }
}
