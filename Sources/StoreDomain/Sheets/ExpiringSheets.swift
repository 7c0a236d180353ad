// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

/// Ends sheets that weren't answered in time: their requests fail as
/// cancelled.
package struct ExpiringSheets: UseCase {
    package let context: StoreContext

    package init(_ context: StoreContext) {
        self.context = context
    }

    /// Ends at most 500 sheets whose time is over. Returns their failed
    /// requests, so that the devices can be notified.
    package func callAsFunction(now: Instant) async throws -> [DeviceRequest] {
        try await database.write { [environment] connection in
            try Sheet.over(by: now, limit: 500, environment, connection).compactMap { sheet in
                guard
                    let request = try DeviceRequest.find(
                        sheet.requestIdentifier, of: sheet.device, environment, connection)
                else { return nil }
                return try Self.expire(sheet, request, now: now, environment, connection)
            }
        }
    }

    /// Ends a sheet whose time is over, and returns its failed request; `nil`
    /// when the sheet doesn't end.
    static func expire(
        _ sheet: Sheet, _ request: DeviceRequest, now: Instant, _ environment: StoreEnvironment,
        _ connection: any Connection
    ) throws -> DeviceRequest? {
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
