// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// What the operating system lets this process do.
enum ProcessLimits {
    /// Files that the store needs beside its connections: databases, keys, logs.
    private static let otherFiles = 128

    /// How many connections may be open, each of which is a file: the wanted
    /// number, or what the system allows, after the process has taken as many
    /// files as it may have.
    static func connections(wanted: Int, _ logger: Logger) -> Int {
        var limit = rlimit()
        guard getrlimit(fileLimit, &limit) == 0 else { return wanted }
        let needed = rlim_t(wanted + otherFiles)
        if limit.rlim_cur < needed {
            limit.rlim_cur = min(limit.rlim_max, needed)
            _ = setrlimit(fileLimit, &limit)
            guard getrlimit(fileLimit, &limit) == 0 else { return wanted }
        }
        guard limit.rlim_cur < needed else { return wanted }
        let possible = max(16, Int(limit.rlim_cur) - otherFiles)
        logger.notice(
            "fewer connections than wanted: raise the limit of open files (ulimit -n)",
            metadata: ["connections": "\(possible)", "wanted": "\(wanted)"])
        return possible
    }

    /// Lets a crash end the process at once. The runtime's backtrace takes
    /// seconds, in which no restart can happen, and writes memory into the log;
    /// an operator who wants it sets SWIFT_BACKTRACE.
    static func endWithoutBacktrace(_ environment: [String: String]) {
        guard environment["SWIFT_BACKTRACE"] == nil else { return }
        for number in [SIGQUIT, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP] { _ = signal(number, SIG_DFL) }
    }

    #if canImport(Glibc)
    private static let fileLimit = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
    private static let fileLimit = RLIMIT_NOFILE
    #endif
}
