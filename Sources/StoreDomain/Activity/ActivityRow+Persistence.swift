// SPDX-License-Identifier: Apache-2.0

import StoreDatabase

extension ActivityRow {
    /// The rows of an app that are read in one step.
    private static let batch = 10

    /// The newest rows of all apps together, or those of a tester, newest
    /// first, at most ``ActivityEntry/limit``.
    ///
    /// It looks at ``ActivityEntry/searched`` rows, of however many apps: each
    /// list is read in small steps, and only as far as its rows are among the
    /// newest.
    static func newest(
        of apps: [BundleIdentifier], tester: AccountIdentifier?, _ db: StoreTransaction
    ) throws -> [ActivityRow] {
        let devices = try tester.map { Set(try Device.some(of: $0, db)) } ?? []
        var lists = try MergedLists(
            apps.flatMap { app in Self.lists(of: app, withProblems: tester == nil, db) }
        ) { $0.at > $1.at }
        var (rows, count): ([ActivityRow], Int) = ([], 0)
        while rows.count < ActivityEntry.limit, count < ActivityEntry.searched, let row = try lists.next() {
            count += 1
            if tester.map({ row.isOf($0, on: devices) }) ?? true { rows.append(row) }
        }
        return rows
    }

    /// The lists of an app. Problems have no tester.
    private static func lists(
        of app: BundleIdentifier, withProblems: Bool, _ db: StoreTransaction
    ) -> [MergedLists<ActivityRow>.Source] {
        let requests = MergedLists<ActivityRow>.Source(batch: batch) { last in
            try DeviceRequest.newest(of: app, before: last?.asked, limit: batch, db).map(ActivityRow.request)
        }
        let notifications = MergedLists<ActivityRow>.Source(batch: batch) { last in
            try StoreNotification.page(of: app, before: last?.sent, limit: batch, db).map(ActivityRow.notification)
        }
        let problems = MergedLists<ActivityRow>.Source(batch: batch) { last in
            try SandboxProblem.newest(of: app, before: last?.kept, limit: batch, db).map(ActivityRow.problem)
        }
        return [requests, notifications] + (withProblems ? [problems] : [])
    }

    private var asked: DeviceRequest.Listed? { if case .request(let asked) = self { asked } else { nil } }
    private var sent: StoreNotification? { if case .notification(let sent) = self { sent } else { nil } }
    private var kept: SandboxProblem.Kept? { if case .problem(let kept) = self { kept } else { nil } }
}
