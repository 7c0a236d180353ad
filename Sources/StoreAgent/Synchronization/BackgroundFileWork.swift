// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Transfers files from sellers' servers, and removes the files of downloads
/// that the app has ended.
struct BackgroundFileWork: BackgroundWork {
    static let name = "file"
    /// The largest number of transfers of an app at a time. All others wait for
    /// a slot (``TransferSlots``) or pause.
    static let limit = 2
    let synchronizer: StoreSynchronizer

    func pieces(_ connection: any Connection) throws -> [WorkPiece] {
        let transfers = try BackgroundFile.load(connection, in: [.running])
            .map { WorkPiece(work: self, name: $0.work) }
        let removals = try BackgroundFile.load(connection, in: [.ended])
            .map { WorkPiece(work: self, name: $0.work, stopsRunning: true) }
        return transfers + removals
    }

    func perform(_ name: String) async throws {
        guard let sequence = Int64(name.dropFirst("file:".count)),
            let file = try await synchronizer.journal.backgroundFile(sequence)
        else { return }
        switch file.phase {
        case .ended:
            synchronizer.remove(synchronizer.cache.background(sequence))
            try await synchronizer.journal.removedBackgroundFile(sequence)
        case .running:
            try await synchronizer.transfers.run(name) { [synchronizer] in
                var transfer = BackgroundTransfer(sequence, by: synchronizer)
                try await transfer.run()
            }
            synchronizer.changed()
        case .finished, .failed: return
        }
    }
}
