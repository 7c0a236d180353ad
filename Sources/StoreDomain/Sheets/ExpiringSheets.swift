// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Ends sheets that weren't answered in time: their requests fail as
/// cancelled, and their devices are notified.
package struct ExpiringSheets: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// Ends at most 500 sheets whose time is over. Returns their failed
    /// requests.
    package func callAsFunction() async throws -> [DeviceRequest] {
        let due = try await read { db in try Sheet.over(limit: 500, db) }
        guard !due.isEmpty else { return [] }
        // Other processes leave the taken sheets to this one.
        let taken = Set(
            try await write(.key(Lease.writeKey)) { db in try Lease.take(.sheet, due.map(\.token), db) })
        return try await write(.key("expiring sheets")) { db in
            try taken.sorted().compactMap { token in
                guard let sheet = try Sheet.find(token, db),
                    let request = try DeviceRequest.find(
                        sheet.requestIdentifier, of: sheet.device, db)
                else { return nil }
                guard let failed = try Self.expire(sheet, request, db) else { return nil }
                try DeviceNews.append(failed, db)
                return failed
            }
        }
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
