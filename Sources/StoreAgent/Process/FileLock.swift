// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Android)
internal import Android
#elseif canImport(Darwin)
internal import Darwin
#endif

/// A lock that one process has at a time; the kernel ends it with its process,
/// whatever kills that.
final class FileLock: HeldLock {
    private let descriptor: Mutex<Int32?>

    private init(_ descriptor: Int32) {
        self.descriptor = Mutex(descriptor)
    }

    deinit {
        release()
    }

    /// Lets the next process have it.
    func release() {
        descriptor.withLock { descriptor in
            if let open = descriptor { Posix.shut(open) }
            descriptor = nil
        }
    }

    /// Waits until the lock is free, on a thread of its own, since the
    /// kernel's wait blocks one.
    ///
    /// - Throws: `CancellationError`, and ``AgentError`` with the code `home`.
    static func acquire(_ file: URL) async throws -> FileLock {
        let descriptor = try Posix.descriptor(of: file.path, O_RDWR | O_CREAT)
        let waiting = Waiting()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                waiting.begin(continuation)
                Thread.detachNewThread {
                    // One that nobody waits for any more is let go at once:
                    // the lock closes its file when it is forgotten.
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
