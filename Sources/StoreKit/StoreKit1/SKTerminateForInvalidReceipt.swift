// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// Ends the process, because the app has found its receipt to be invalid and
/// refuses to run.
///
/// Standard error says so, and the exit status is 173: the one by which an
/// app on the Mac asks for a new receipt. Here nobody reads it but the
/// program that has started the app.
public func SKTerminateForInvalidReceipt() {
    AgentHost.say("The app refuses to run with its receipt. Ask for a new one with SKReceiptRefreshRequest.")
    exit(173)
}
