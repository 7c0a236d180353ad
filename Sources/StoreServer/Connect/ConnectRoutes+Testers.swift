// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import StoreDomain

/// The pages of sandbox testers, and what happens in the sandbox.
extension ConnectRoutes {
    func addTesters(to router: StoreRouter) {
        add("testers", to: router) { _ in TestersPage() }
        add("testers/:tester", to: router) { TesterPage(identifier: AccountIdentifier(try $0.part("tester"))) }
    }

    /// The live page of the sandbox.
    func addLive(to router: StoreRouter) {
        addWithoutForms("live", to: router) { _ in LivePage() }
        LiveStream(service: service, pages: pages, authentication: authentication).add(to: router)
    }
}
