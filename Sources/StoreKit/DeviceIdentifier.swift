// SPDX-License-Identifier: Apache-2.0

public import Foundation
import StoreAgent

/// The 16 bytes that this device's receipts are bound to, or `nil` when
/// StoreKit can't start.
///
/// An addition to Apple's API, where an app reads the identifier for vendor or
/// the computer's network address. The receipt's hash field is computed from
/// it.
public var deviceIdentifier: Data? {
    try? AgentHost.shared.agent().deviceIdentifier
}
