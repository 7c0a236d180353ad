// SPDX-License-Identifier: Apache-2.0

import StoreDomain

/// The fields of `NotificationHistoryRequest`.
extension ServerBody {
    /// The notifications that a seller asks for.
    ///
    /// - Throws: `ServerError` with the number of the wrong field.
    func notificationFilter() throws(ServerError) -> NotificationFilter {
        let times = 0...(1 << 53 - 1)
        let start = try number("startDate", in: times, or: .invalidStartDate)
        let end = try number("endDate", in: times, or: .invalidEndDate)
        guard start < end else { throw .startDateAfterEndDate }
        var filter = NotificationFilter(
            start: WallTime(milliseconds: Int64(start)), end: WallTime(milliseconds: Int64(end)))
        if has("notificationType") || has("notificationSubtype") {
            let type = try text("notificationType", or: .invalidNotificationType)
            guard let subtypes = NotificationFilter.types[type] else { throw .invalidNotificationType }
            filter.type = type
            if has("notificationSubtype") {
                let subtype = try text("notificationSubtype", or: .invalidNotificationType)
                guard subtypes.contains(subtype) else { throw .invalidNotificationType }
                filter.subtype = subtype
            }
        }
        filter.transaction = try servedTransaction()
        guard filter.type == nil || filter.transaction == nil else { throw .multipleFilters }
        if has("onlyFailures") { filter.onlyFailures = try bool("onlyFailures", or: .badRequest) }
        return filter
    }

    /// The transaction by which a history is limited: `transactionId`, or the
    /// older `originalTransactionId`.
    private func servedTransaction() throws(ServerError) -> TransactionIdentifier? {
        guard has("transactionId") || has("originalTransactionId") else { return nil }
        let (name, error): (String, ServerError) =
            has("transactionId")
            ? ("transactionId", .invalidTransaction) : ("originalTransactionId", .invalidOriginalTransaction)
        let number = try text(name, or: error)
        guard (1...20).contains(number.utf8.count), number.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw error
        }
        return TransactionIdentifier(number)
    }
}
