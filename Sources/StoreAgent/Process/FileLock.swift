// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// A lock that one process holds at a time. The kernel releases it when the
/// process ends for any reason.
final class FileLock: HeldLock {
    private let descriptor: Mutex<Int32?>

    private init(_ descriptor: Int32) {
        self.descriptor = Mutex(descriptor)
    }

    deinit {
        release()
    }

    /// Releases the lock.
    func release() {
        descriptor.withLock { descriptor in
            if let open = descriptor { Posix.shut(open) }
            descriptor = nil
        }
    }

    /// Acquires the lock if it is free; `nil` when another process has it.
    ///
    /// - Throws: ``AgentError`` with the code `home`.
    static func acquireIfFree(_ file: URL) throws -> FileLock? {
        let descriptor = try Posix.descriptor(of: file.path, O_RDWR | O_CREAT)
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            Posix.shut(descriptor)
            return nil
        }
        return FileLock(descriptor)
    }

    /// Waits until the lock is free, on a thread of its own, because `flock`
    /// blocks its thread.
    ///
    /// - Throws: `CancellationError`, and ``AgentError`` with the code
    ///   `home`.
    static func acquire(_ file: URL) async throws -> FileLock {
        let descriptor = try Posix.descriptor(of: file.path, O_RDWR | O_CREAT)
        let waiting = Waiting()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                waiting.begin(continuation)
                Thread.detachNewThread {
                    // After a cancellation nothing refers to the lock, and
                    // its deallocation releases it immediately.
                    if Posix.lock(descriptor) {
                        waiting.end(with: .success(FileLock(descriptor)))
                    } else {
                        let failure = Posix.failure("locked", file.path)
                        Posix.shut(descriptor)
                        waiting.end(with: .failure(failure))
                    }
                }
            }
        } onCancel: {
            waiting.end(with: .failure(CancellationError()))
        }
    }

    /// A continuation that is resumed once, by the thread or by cancellation.
    private final class Waiting: Sendable {
        private enum State {
            case early
            case waiting(CheckedContinuation<FileLock, any Error>)
            case ended
        }

        private let state = Mutex(State.early)

        func begin(_ continuation: CheckedContinuation<FileLock, any Error>) {
            let isEnded = state.withLock { state in
                if case .ended = state { return true }
                state = .waiting(continuation)
                return false
            }
            if isEnded { continuation.resume(throwing: CancellationError()) }
        }

        func end(with result: Result<FileLock, any Error>) {
            let continuation: CheckedContinuation<FileLock, any Error>? = state.withLock { state in
                defer { state = .ended }
                if case .waiting(let continuation) = state { return continuation }
                return nil
            }
            continuation?.resume(with: result)
        }
    }
}
