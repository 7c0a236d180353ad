// SPDX-License-Identifier: Apache-2.0

/// Carries short texts between the processes that use one database, outside
/// of its transactions.
///
/// Texts may be lost, when a connection ends for example. The channel pulls
/// them, so that a sender can combine those that wait.
public protocol NotificationChannel: Sendable {
    /// Starts the channel. It is called once.
    ///
    /// `next` returns the next text to send, at most
    /// ``NotificationLimits/bytes`` long, or `nil` when there is none.
    /// `received` is called with the texts of other processes. Both are
    /// called on the channel's own thread and must not block.
    func open(
        next: @escaping @Sendable () -> String?, received: @escaping @Sendable (String) -> Void)

    /// Makes the channel pull texts soon. It returns without waiting.
    func wake()

    /// Ends the channel. Texts that were not sent are lost.
    func close()
}

/// The limits of a ``NotificationChannel``.
public enum NotificationLimits {
    /// The most bytes of a text. PostgreSQL accepts fewer than 8,000.
    public static let bytes = 7_500
}
