// SPDX-License-Identifier: Apache-2.0

import CStorePostgreSQL
import Foundation
import StoreDatabase
import Synchronization

/// The notifications of a PostgreSQL database (`LISTEN` and `NOTIFY`), on a
/// connection and a thread of their own.
///
/// A `NOTIFY` takes a lock of the whole server until its commit is over, so
/// it is never part of a transaction that changes rows. It runs after the
/// commit, asynchronously (`synchronous_commit = off`), and at most once every
/// ``pause``: texts that arrive meanwhile are combined by their sender.
///
/// A lost connection is opened again after a pause. One that fails without a
/// word is found by a statement every ``probe``.
package final class PostgreSQLNotifications: NotificationChannel {
    /// The name that all nodes listen to.
    static let channel = "openstorekit_news"
    /// The shortest time between two notifications.
    static let pause: Duration = .milliseconds(10)
    /// The time without a notification after which the connection is tested.
    static let probe: Duration = .seconds(10)
    /// The time between two attempts to connect, which grows up to the last.
    private static let reconnecting: [Duration] = [.milliseconds(100), .seconds(1), .seconds(3)]

    private let opening: SessionOpening
    private let pipe: PollPipe
    private let isClosed = Atomic(false)

    /// Makes a channel, which connects when it is opened.
    ///
    /// - Throws: ``DatabaseError`` with code `other` for an invalid URL, or
    ///   when the process has no file descriptors left.
    package init(url: String) throws {
        let address = try ServerAddress(url)
        opening = SessionOpening(address: address, options: PostgreSQLDatabase.Options(accountLock: ""))
        pipe = try PollPipe()
    }

    package func open(
        next: @escaping @Sendable () -> String?, received: @escaping @Sendable (String) -> Void
    ) {
        let thread = Thread { [self] in run(next, received) }
        thread.name = "StorePostgreSQL news"
        thread.start()
    }

    package func wake() { pipe.wake() }

    package func close() {
        isClosed.store(true, ordering: .relaxed)
        pipe.wake()
    }

    private var hasEnded: Bool { isClosed.load(ordering: .relaxed) }

    private func run(_ next: () -> String?, _ received: (String) -> Void) {
        var failures = 0
        while !hasEnded {
            if let connection = try? opening.connect() {
                let listening = ListeningConnection(connection)
                if listening.begin(Self.channel) {
                    failures = 0
                    exchange(on: listening, next, received)
                }
            }
            let pause = Self.reconnecting[min(failures, Self.reconnecting.count - 1)]
            failures += 1
            // A wake-up doesn't shorten the pause.
            if !hasEnded { Thread.sleep(forTimeInterval: pause / .seconds(1)) }
        }
    }

    /// Sends and receives until the connection is lost or the channel ends.
    private func exchange(
        on connection: ListeningConnection, _ next: () -> String?, _ received: (String) -> Void
    ) {
        while !hasEnded {
            guard connection.receive(received) else { return }
            if let text = next() {
                guard connection.notify(Self.channel, text) else { return }
                Thread.sleep(forTimeInterval: Self.pause / .seconds(1))
                continue
            }
            let isSilent = !connection.wait(or: pipe, for: Self.probe)
            pipe.drain()
            if isSilent, !connection.isAnswered() { return }
        }
    }
}
