// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Declines the requests to buy that no parent has answered in time
/// (``StoreContext/askToBuyLimit``): their payments fail, and their devices are
/// notified.
package struct EndingUnansweredRequests: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// Ends the requests whose time is over, at most two hundred, each in a
    /// transaction of its own.
    ///
    /// Two processes may find the same request: the statement that moves it
    /// succeeds in one of them. A request that a parent answers at the same
    /// time has one of the two answers.
    ///
    /// - Returns: The requests that have ended.
    package func callAsFunction() async throws -> [DeviceRequest] {
        let due = try await read { db in try DeviceRequest.unanswered(db) }
        var ended: [DeviceRequest] = []
        for request in due {
            guard let account = request.account else { continue }
            let failed = try await write(for: account) { db in try Self.end(request, db) }
            if let failed { ended.append(failed) }
        }
        return ended
    }

    /// Ends a request that still waits and whose time is still over: the clock
    /// of its account may have been moved back.
    private static func end(_ found: DeviceRequest, _ db: StoreTransaction) throws -> DeviceRequest? {
        guard var request = try DeviceRequest.find(found.identifier, of: found.device, db),
            request.isUnanswered(at: db.now), try request.move(from: .deferred, to: .failed, db)
        else { return nil }
        request.fail(.unapproved)
        try request.releaseCode(db)
        try request.update(db)
        try DeviceNews.append(request, db)
        return request
    }
}
