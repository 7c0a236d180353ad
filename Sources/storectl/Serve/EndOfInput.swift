// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The end of standard input: a pipe of the process that has started the
/// store.
///
/// The system closes the pipe however that process ends, so that a run of tests
/// that is killed leaves no store behind.
enum EndOfInput {
    /// Sends SIGTERM to this process when standard input has ended. Input is
    /// ignored.
    static func endsProcess() {
        // A thread, because the call blocks, also for files that can't be polled.
        let thread = Thread {
            var ignored = [UInt8](repeating: 0, count: 4096)
            var count: Int
            repeat {
                count = read(STDIN_FILENO, &ignored, ignored.count)
            } while count > 0 || (count < 0 && errno == EINTR)
            kill(getpid(), SIGTERM)
        }
        thread.name = "end of input"
        thread.start()
    }
}
