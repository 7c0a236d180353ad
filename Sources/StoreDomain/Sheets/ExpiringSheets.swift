// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Ends sheets that weren't answered in time: their requests fail as
/// cancelled.
package struct ExpiringSheets: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// Ends what is over and returns the requests that failed by it, for
    /// their devices to hear of.
    package func callAsFunction(now: Instant) async throws -> [Request] {
        try await database.write { [environment] connection in
            try Sheet.over(by: now, limit: 500, environment, connection).compactMap { sheet in
                guard
                    let request = try Request.find(
                        sheet.requestIdentifier, of: sheet.device, environment, connection)
                else { return nil }
                return try Self.expire(sheet, request, now: now, environment, connection)
            }
        }
    }

    /// Ends one sheet when it is over; returns its failed request then.
    static func expire(
        _ sheet: Sheet, _ request: Request, now: Instant, _ environment: StoreEnvironment,
        _ connection: any Connection
    ) throws -> Request? {
        guard sheet.status == .open, request.status == .open, now >= sheet.closing,
            try sheet.move(from: .open, to: .expired, environment, connection)
        else { return nil }
        var request = request
        request.status = .failed
        request.failure = .unanswered
        try request.update(environment, connection)
        return request
    }
}
