// SPDX-License-Identifier: Apache-2.0

import StoreAgent

/// Checks of downloads: the finished contents, the errors of failed ones, and
/// the files that are left.
extension Audit {
    func downloadsAreTheContentBought() {
        guard let downloads = world.downloads else { return }
        for app in world.devices.flatMap(\.processes) { downloads.isComplete(app) }
        for failure in downloads.failures {
            let download = failure.download
            if !isRight(failure, downloads) {
                let reason = download.failure.map { "\($0.reason.rawValue), \($0.message)" } ?? "no reason"
                let product = "\(download.productIdentifier) for \(download.transactionIdentifier)"
                witness.complain("the download of \(product) by \(failure.place) has failed: \(reason)")
            }
        }
        for device in world.devices {
            for file in Set(device.processes.flatMap(\.incompleteFiles)).sorted() {
                witness.complain("\(file) is left on \(device.name)")
            }
        }
    }

    /// Whether a download may fail with an error: there are no other ones,
    /// because a fault of the network or the store is waited out.
    private func isRight(_ failure: DownloadWitness.Failure, _ downloads: DownloadWitness) -> Bool {
        let transaction = failure.download.transactionIdentifier
        let purchases = [transaction, witness.restored[transaction]].compactMap { $0 }
        switch failure.download.failure?.reason {
        case .diskFull: return downloads.wereFull.contains(failure.place.device)
        case .damaged:
            // The second damage ends a download. One may be of a power failure.
            let alterations = purchases.map { downloads.alterations[$0, default: 0] }.max() ?? 0
            return alterations + (failure.isAfterPowerFailure ? 1 : 0) > 1
        case .notOwned:
            return books.charges.contains { purchases.contains($0.transaction) && $0.isRefunded }
        default: return false
        }
    }
}
