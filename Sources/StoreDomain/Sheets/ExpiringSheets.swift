// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Ends sheets that weren't answered in time: their requests fail as
/// cancelled, and their devices are notified.
package struct ExpiringSheets: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// Ends at most 500 sheets whose time is over, each in a transaction of
    /// its own. Returns their failed requests.
    ///
    /// Two processes may find the same sheet: the statement that ends it
    /// succeeds in one of them.
    package func callAsFunction() async throws -> [DeviceRequest] {
        let due = try await read { db in try Sheet.over(limit: 500, db) }
        var ended: [DeviceRequest] = []
        for sheet in due {
            let failed = try await write(.key(sheet.token)) { db in try Self.end(sheet.token, db) }
            if let failed { ended.append(failed) }
        }
        return ended
    }

    /// Ends a sheet that is still open and whose time is still over, and
    /// notifies its device.
    private static func end(_ token: String, _ db: StoreTransaction) throws -> DeviceRequest? {
        guard let sheet = try Sheet.find(token, db),
            let request = try DeviceRequest.find(sheet.requestIdentifier, of: sheet.device, db),
            let failed = try expire(sheet, request, db)
        else { return nil }
        try DeviceNews.append(failed, db)
        return failed
    }

    /// Ends a sheet whose time is over, and returns its failed request; `nil`
    /// when the sheet doesn't end.
    static func expire(
        _ sheet: Sheet, _ request: DeviceRequest, _ db: StoreTransaction
    ) throws -> DeviceRequest? {
        guard sheet.status == .open, request.status == .open, db.now >= sheet.closing,
            try sheet.expire(db)
        else { return nil }
        var request = request
        request.fail(.unanswered)
        try request.update(db)
        return request
    }
}
