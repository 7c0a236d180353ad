// SPDX-License-Identifier: Apache-2.0

import StoreService
import StoreTestSupport
import Testing

@testable import StoreDomain

extension StoreLife {
    /// A team adds a tester, changes it, reads the live page and the check list,
    /// and removes the tester.
    func manageTesters(as holder: TeamUser) async throws {
        let (service, app) = (store.service, BundleIdentifier(TestStore.bundleIdentifier))
        let managing = try service.managingTesters()
        let tess = try await managing.add(
            TesterValues(email: "tess@example.com", password: "x", storefront: "USA"), by: holder)
        let place = TesterSort.email.place("tess")
        #expect(try await service.testerReader(after: place, as: holder).entries.first?.email == tess.email)
        #expect(try await service.testerReader(by: .newest, as: holder).entries.map(\.email).contains(tess.email))
        var settings = TesterSettings(tess)
        settings.switches = [.declinesPayments]
        try await managing.change(tess.identifier, to: settings, before: TesterSettings(tess).text, by: holder)
        try await managing.move(tess.identifier, .later(ClockDuration(days: 1)), by: holder)
        try await managing.clearPurchases(of: tess.identifier, by: holder)
        try await managing.change(family: .begin, of: tess.identifier, by: holder)
        try await managing.change(family: .end, of: tess.identifier, by: holder)
        await service.report(.init(refusing: [.init("melon", .notRegistered)]), of: app)
        _ = try await service.activity(ActivityFilter(app: app), as: holder)
        _ = try await service.activity(ActivityFilter(app: app, tester: "anna@example.com"), as: holder)
        #expect(try await service.checklist(of: app, as: holder).purchase != nil)
        // The operator's team, which adds the tester, has neither limit.
        _ = try await store.context.read { db in
            (
                try Account.isFull("team1", ManagingTesters.limit, db),
                try HostedContent.bytes(of: TeamIdentifier(rawValue: "team1"), db)
            )
        }
        try await managing.remove(tess.identifier, by: holder)
    }
}
