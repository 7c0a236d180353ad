// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The limit of open files of this process.
enum OpenFiles {
    /// Each app has about ten files and a connection for each of its
    /// processes, so that the usual limit of 1024 is that of some dozens of
    /// apps.
    private static let wanted: rlim_t = 16_384

    /// Raises the limit as far as the system allows it.
    static func raiseLimit() {
        #if canImport(Glibc)
        let name = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
        let name = RLIMIT_NOFILE
        #endif
        var limit = rlimit()
        guard getrlimit(name, &limit) == 0, limit.rlim_cur < wanted else { return }
        limit.rlim_cur = min(limit.rlim_max, wanted)
        _ = setrlimit(name, &limit)
    }
}
