// SPDX-License-Identifier: Apache-2.0

/// A step of a purchase at which a test may kill the process.
///
/// Each has a moment before it and one after it: `arrived:before`.
enum FaultPoint: String, Sendable {
    /// Writing a payment down.
    case journal
    /// Writing down that a payment is about to be sent.
    case sending
    /// Showing the sheet.
    case present
    /// Writing down a transaction that came from the store.
    case arrived
    /// Replacing the receipt file.
    case receipt
    /// Telling observers of a decided transaction.
    case tell
    /// Writing down that the app has finished.
    case finish
    /// Telling the store that the app has finished.
    case confirm
    /// Asking for a page of a restore.
    case restore
    /// Writing down a page of a restore.
    case restored
}

/// The fault points as the agent was given them.
struct FaultPoints: Sendable {
    let reach: @Sendable (String) -> Void

    func before(_ point: FaultPoint) { reach("\(point.rawValue):before") }
    func after(_ point: FaultPoint) { reach("\(point.rawValue):after") }
}
