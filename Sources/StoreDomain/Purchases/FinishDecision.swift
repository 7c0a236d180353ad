// SPDX-License-Identifier: Apache-2.0

/// The decision about the finish of a transaction, made from the kind of its
/// product. ``FinishingTransaction`` carries it out.
enum FinishDecision: Hashable, Sendable {
    /// It leaves the queue of the device that finishes it. The other devices
    /// keep it.
    case leaveOneQueue
    /// It leaves the queues of all devices, and also the receipt if
    /// `andReceipt` is set.
    case leaveAllQueues(andReceipt: Bool)

    /// Decides about a transaction of a product of a kind.
    static func finishing(_ kind: Product.Kind) -> FinishDecision {
        kind.isFinishedOnEachDevice ? .leaveOneQueue : .leaveAllQueues(andReceipt: kind.leavesTheReceipt)
    }
}
