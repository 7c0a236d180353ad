// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension StoreContext {
    /// The use of the store's resources now. It waits for nothing but short
    /// locks, also while the database can't be reached.
    package var load: StoreLoad {
        let database = database.load
        return StoreLoad(
            passwordHashes: hashing.waiting, connectionsInUse: database.connectionsInUse,
            idleConnections: database.idleConnections, waitingWrites: database.waitingWrites,
            waitingReads: database.waitingReads, isDatabaseReachable: database.isReachable)
    }
}
