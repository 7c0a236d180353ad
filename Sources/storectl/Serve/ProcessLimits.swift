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

/// The limits of the operating system for this process.
enum ProcessLimits {
    /// The files that the store needs besides its connections: databases,
    /// keys, logs.
    private static let otherFiles = 128

    /// Raises the limit of open files as far as `wanted` connections need it,
    /// and returns the number of connections that may be open: `wanted`, or
    /// fewer if the system allows fewer files.
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

    /// Makes a crash end the process immediately. The runtime's backtrace
    /// takes seconds, in which the store can't be restarted, and writes
    /// memory into the log. An operator who needs it sets SWIFT_BACKTRACE.
    static func endWithoutBacktrace(_ environment: [String: String]) {
        guard environment["SWIFT_BACKTRACE"] == nil else { return }
        for number in [SIGQUIT, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP] { _ = signal(number, SIG_DFL) }
    }

    /// Makes glibc return the memory of large blocks to the system.
    ///
    /// A password check takes 16 MiB, a body up to 3 MiB. By default glibc
    /// keeps freed blocks of up to 32 MiB in the arena of the thread that
    /// allocated them, and has eight arenas for each core: the memory of a
    /// store that was attacked for ten minutes grew from 196 to 354 MB.
    static func returnLargeBlocks() {
        #if canImport(Glibc)
        // The Glibc module doesn't have <malloc.h>.
        guard let symbol = dlsym(nil, "mallopt") else { return }
        let mallopt = unsafeBitCast(symbol, to: (@convention(c) (CInt, CInt) -> CInt).self)
        let (trimThreshold, mapThreshold, heaps): (CInt, CInt, CInt) = (-1, -3, -8)
        _ = mallopt(mapThreshold, 1 << 20)
        _ = mallopt(trimThreshold, 1 << 20)
        _ = mallopt(heaps, 4)
        #endif
    }

    #if canImport(Glibc)
    private static let fileLimit = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
    private static let fileLimit = RLIMIT_NOFILE
    #endif
}
