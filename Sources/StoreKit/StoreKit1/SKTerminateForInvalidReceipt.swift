// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Ends the process, because the app has found its receipt to be invalid and
/// refuses to run.
///
/// The function writes a line to standard error and exits with status 173,
/// with which an app on the Mac requests a new receipt. Here only the program
/// that has started the app reads the status.
public func SKTerminateForInvalidReceipt() {
    AgentHost.say("The app refuses to run with its receipt. Ask for a new one with SKReceiptRefreshRequest.")
    exit(173)
}
