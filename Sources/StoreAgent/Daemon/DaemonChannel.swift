// SPDX-License-Identifier: Apache-2.0

@preconcurrency import Dispatch
import Foundation
import StoreAPI

/// A connection between an app and the daemon, which carries lines of JSON.
final class DaemonChannel: @unchecked Sendable {  // because mutable state is accessed on `queue` only
    /// The length of the longest line, in bytes.
    static let limit = 1 << 18
    /// The largest number of lines that wait to be read.
    static let waitingLimit = 64

    private let descriptor: Int32
    private let queue = DispatchQueue(label: "StoreAgent.daemon")
    private let source: any DispatchSourceRead
    private var unread = Data()
    private var lines: [DaemonLine] = []
    private var waiting: (waiter: Waiter, continuation: CheckedContinuation<DaemonLine?, Never>)?
    private var isOpen = true
    private var isGarbled = false

    /// Whether the process at the other end is of this process's user.
    let isOfThisUser: Bool

    /// Makes a channel of a connected socket, which it closes.
    init(_ descriptor: Int32) {
        self.descriptor = descriptor
        isOfThisUser = UnixSocket.user(ofPeer: descriptor) == geteuid()
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler { [weak self] in self?.receive() }
        source.setCancelHandler { Posix.shut(descriptor) }
        source.activate()
    }

    deinit {
        source.cancel()
    }

    /// How a connection is.
    enum State {
        case open
        /// Either end has closed it, or the process at the other end has died.
        case ended
        /// It has ended after bytes that aren't messages.
        case garbled
    }

    var state: State { queue.sync { isOpen ? .open : isGarbled || !unread.isEmpty ? .garbled : .ended } }

    /// Waits for the next line of the other end. Only one task may wait.
    ///
    /// - Returns: `nil` after either end has closed the connection, after a
    ///   line that is too long or isn't a message, after too many lines that
    ///   wait, after the death of the process at the other end, and when the
    ///   task is cancelled.
    func next() async -> DaemonLine? {
        let waiter = Waiter()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                queue.async { [self] in
                    waiting = (waiter, continuation)
                    answer()
                }
                if Task.isCancelled { queue.async { [self] in answer(cancelled: waiter) } }
            }
        } onCancel: {
            queue.async { [self] in answer(cancelled: waiter) }
        }
    }

    /// The identity of a call of `next()`.
    private final class Waiter: Sendable {}

    private func answer(cancelled waiter: Waiter? = nil) {
        guard let (known, continuation) = waiting else { return }
        if let waiter {
            guard known === waiter else { return }
            waiting = nil
            continuation.resume(returning: nil)
        } else if !lines.isEmpty {
            waiting = nil
            continuation.resume(returning: lines.removeFirst())
        } else if !isOpen {
            waiting = nil
            continuation.resume(returning: nil)
        }
    }

    /// Sends a line.
    ///
    /// - Returns: whether the connection has taken it.
    @discardableResult
    func send(_ line: DaemonLine) -> Bool {
        guard var bytes = try? StoreCoding.encode(line) else { return false }
        bytes.append(UInt8(ascii: "\n"))
        return queue.sync {
            guard isOpen else { return false }
            guard UnixSocket.send(bytes, to: descriptor) == 0 else {
                // The other end may have sent its reason before it has closed.
                receive()
                end()
                return false
            }
            return true
        }
    }

    /// Closes the connection. Closing twice is allowed.
    func close() {
        queue.sync { end() }
    }

    private func end() {
        guard isOpen else { return }
        isOpen = false
        source.cancel()
        answer()
    }

    /// Reads all bytes that have arrived. When the other end has closed the
    /// connection, the source calls its handler once and not again, so that
    /// the handler has to read up to the end.
    private func receive() {
        while isOpen {
            let bytes = UnixSocket.receive(from: descriptor)
            guard let bytes else { return }
            guard !bytes.isEmpty else { return end() }
            take(bytes)
        }
    }

    private func take(_ bytes: Data) {
        unread += bytes
        while let newline = unread.firstIndex(of: UInt8(ascii: "\n")) {
            let bytes = Data(unread[..<newline])
            unread = Data(unread[unread.index(after: newline)...])
            guard lines.count < Self.waitingLimit, let line = try? StoreCoding.decode(DaemonLine.self, from: bytes)
            else {
                isGarbled = true
                return end()
            }
            lines.append(line)
        }
        answer()
        if unread.count > Self.limit { end() }
    }
}
