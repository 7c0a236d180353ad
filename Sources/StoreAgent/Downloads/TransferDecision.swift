// SPDX-License-Identifier: Apache-2.0

import StoreAPI

/// The next step after a transfer was interrupted.
enum TransferDecision: Sendable, Hashable {
    /// Ask for the same version again, after a pause.
    case retry
    /// Ask for the newest version: the store doesn't have the other one any
    /// more.
    case takeNewest
    /// Remove all files and transfer them again.
    case startOver
    /// `keepsPartial`: keep the files, so that the app can resume later.
    case fail(DownloadFailure, keepsPartial: Bool)

    /// Decides by the error. A transfer never fails because the network or
    /// the store can't be reached: it waits.
    init(after error: any Error, asksForVersion: Bool, hasStartedOver: Bool) {
        switch error {
        case let failure as StoreFailure:
            self.init(refused: failure, asksForVersion: asksForVersion)
        case is ConnectionFailure:
            self = .retry
        case let error as DamagedContent:
            self =
                hasStartedOver
                ? .fail(DownloadFailure(.damaged, error.description), keepsPartial: false) : .startOver
        case let error as AgentError:
            self = .fail(DownloadFailure(error), keepsPartial: true)
        default:
            self = .fail(DownloadFailure(.file, PrintableText.of("\(error)")), keepsPartial: true)
        }
    }

    private init(refused failure: StoreFailure, asksForVersion: Bool) {
        switch failure.code {
        case .contentNotOwned:
            self = .fail(DownloadFailure(.notOwned, failure.message), keepsPartial: false)
        case .contentNotFound where asksForVersion:
            self = .takeNewest
        case .contentNotFound:
            self = .fail(DownloadFailure(.notAvailable, failure.message), keepsPartial: false)
        case .contentAddressExpired, .notSignedIn:
            self = .retry
        default:
            self =
                failure.isTemporary
                ? .retry : .fail(DownloadFailure(.refused, failure.message), keepsPartial: true)
        }
    }
}
