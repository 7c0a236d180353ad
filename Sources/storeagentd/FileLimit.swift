// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging

/// The operating system's limit of this process's open files.
enum FileLimit {
    /// Raises the limit, as far as the system allows. A lower one is logged.
    static func raise(to wanted: Int, _ logger: Logger) {
        var limit = rlimit()
        guard getrlimit(number, &limit) == 0, limit.rlim_cur < rlim_t(wanted) else { return }
        limit.rlim_cur = min(limit.rlim_max, rlim_t(wanted))
        _ = setrlimit(number, &limit)
        guard getrlimit(number, &limit) == 0, limit.rlim_cur < rlim_t(wanted) else { return }
        logger.notice(
            "fewer files than many apps need: raise the limit (LimitNOFILE of storeagentd.service, ulimit -Hn)",
            metadata: ["files": "\(limit.rlim_cur)", "wanted": "\(wanted)"])
    }

    #if canImport(Glibc)
    private static let number = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
    private static let number = RLIMIT_NOFILE
    #endif
}
