// SPDX-License-Identifier: Apache-2.0

import StoreAPI
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

extension StoreLife {
    /// A family whose child asks to buy, with each answer.
    func raise() async throws {
        let home = try await Household(in: store)
        try await home.approve(try await home.ask("juice", request: "approved"), by: home.olga)
        try await store.service.decline(try await home.ask("juice", request: "declined"), by: home.paul)
        _ = try await home.ask("juice", request: "grown up")
        await store.service.endUnansweredRequests()
        _ = try await store.service.move(clockOf: home.olga.email, .by(.seconds(1)))
        _ = try await store.families.setRole(.adult, of: home.carl.email)
        _ = try await store.families.remove(home.carl.email)
        try await store.families.end(organiser: home.olga.email)
    }
}
