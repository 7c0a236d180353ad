// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreKit

/// The downloads of content that run, and those that were interrupted: the customer resumes or discards them.
struct Downloads {
    enum State: Equatable {
        /// The share that is on the disk; `nil` before anything has arrived.
        case running(Double?)
        /// The reason, for the customer.
        case interrupted(String)
    }

    private(set) var states: [String: State] = [:]
    /// Products whose purchases are delivered without their content: the customer downloads it later.
    private(set) var postponed: Set<String> = []

    func isRunning(_ product: String) -> Bool {
        if case .running = states[product] { true } else { false }
    }

    mutating func begin(_ product: String) {
        states[product] = .running(nil)
        postponed.remove(product)
    }

    mutating func advance(_ product: String, to share: Double) {
        if isRunning(product) { states[product] = .running(share) }
    }

    /// Ends a download. An error other than that of a task that ends is an interruption.
    mutating func end(_ product: String, _ error: (any Error)? = nil) {
        states[product] = error.flatMap { $0 is CancellationError ? nil : .interrupted(Self.reason($0)) }
    }

    mutating func postpone(_ product: String) {
        states[product] = nil
        postponed.insert(product)
    }

    private static func reason(_ error: any Error) -> String {
        isFull(error)
            ? "The disk is full. Make room and resume the download, or discard it."
            : "The download was interrupted. Resume it, or discard it."
    }

    private static func isFull(_ error: any Error) -> Bool {
        switch error {
        case let error as BackgroundDownloadError: error.code == .diskFull
        case let error as CocoaError: error.code == .fileWriteOutOfSpace
        default: false
        }
    }
}

/// The content of a product can't be downloaded now; its row says why.
struct DownloadInterrupted: Error {}
