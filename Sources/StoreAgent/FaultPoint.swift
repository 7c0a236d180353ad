// SPDX-License-Identifier: Apache-2.0

import StoreCore

/// A step of a purchase at which a test may kill the process.
///
/// Each step has a point before it and one after it, for example
/// `arrived:before`.
enum FaultPoint: String, Sendable {
    /// Saving a payment.
    case journal
    /// Recording that a payment is about to be sent.
    case sending
    /// Showing the sheet.
    case present
    /// Saving a transaction from the store.
    case arrived
    /// Replacing the receipt file.
    case receipt
    /// Delivering a decided transaction to observers.
    case deliver
    /// Saving a page of signed transactions.
    case signed
    /// Saving a finish of the app.
    case finish
    /// Sending a finish to the store.
    case confirm
    /// Requesting a page of a restore.
    case restore
    /// Saving a page of a restore.
    case restored
    /// Moving the verified content of a download to its folder.
    case content
    /// Moving the complete file of a background download to its place.
    case background
    /// Releasing the synchronizer's lock to the daemon.
    case yield
    /// Saving, in the daemon, which app it serves.
    case register
    /// Answering, in the daemon, that it serves an app.
    case accept
}

/// Calls the handler of the agent's fault points.
struct FaultPoints: Sendable {
    let handler: FaultHandler

    func before(_ point: FaultPoint) { handler("\(point.rawValue):before") }
    func after(_ point: FaultPoint) { handler("\(point.rawValue):after") }
}
