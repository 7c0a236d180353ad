// SPDX-License-Identifier: Apache-2.0

import StoreAgent

/// Checks of downloads: the finished contents, the errors of failed ones, and
/// the files that are left.
extension Audit {
    func downloadsAreTheContentBought() {
        guard let downloads = world.downloads else { return }
        for app in world.devices.flatMap(\.processes) { downloads.isComplete(app) }
        for finished in downloads.finished.sorted(by: { ($0.download, $0.turn) < ($1.download, $1.turn) }) {
            isOwned(finished)
        }
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

    /// Checks that a finished download is of a product that the device's account
    /// has bought. ``DownloadWitness/opened(_:in:)`` checks refunds.
    private func isOwned(_ finished: DownloadWitness.Finished) {
        let device = world.devices.first { $0.name == finished.place.device }?.identifier ?? ""
        let isBought = books.charges.contains { charge in
            purchases(of: finished.transaction).contains(charge.transaction)
                && charge.product == finished.product && charge.bundle == finished.place.bundle
                && charge.account == books.accounts[device]
        }
        if !isBought { witness.complain("\(finished.place) has downloaded \(finished.product), and hasn't bought it") }
    }

    /// The purchases that a transaction may be of: itself, and the one that it
    /// restores.
    private func purchases(of transaction: String) -> [String] {
        [transaction, witness.restored[transaction]].compactMap { $0 }
    }

    /// Whether a download may fail with an error: there are no other ones,
    /// because a fault of the network or the store is waited out.
    private func isRight(_ failure: DownloadWitness.Failure, _ downloads: DownloadWitness) -> Bool {
        let purchases = purchases(of: failure.download.transactionIdentifier)
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
