// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import StoreDomain

/// The pages of sandbox testers.
extension ConnectRoutes {
    func addTesters(to router: StoreRouter) {
        router.get("/connect/testers") { request, _ in await show(TestersPage(), request) }
        router.post("/connect/testers") { request, context in
            await answer(TestersPage(), request, from: context.clientAddress)
        }
        router.get("/connect/testers/:tester") { request, context in
            await show(try Self.testerPage(context), request)
        }
        router.post("/connect/testers/:tester") { request, context in
            await answer(try Self.testerPage(context), request, from: context.clientAddress)
        }
        for path in ["testers", "testers/:tester"] {
            router.onOtherMethods("/connect/\(path)", allowed: .get, .post)
        }
    }

    /// The live page of the sandbox.
    func addLive(to router: StoreRouter) {
        router.get("/connect/live") { request, _ in await show(LivePage(), request) }
        router.onOtherMethods("/connect/live", allowed: .get)
        LiveStream(service: service, pages: pages, authentication: authentication).add(to: router)
    }

    /// The check list of an app.
    func addChecklist(to router: StoreRouter) {
        router.get("/connect/apps/:app/checklist") { request, context in
            await show(ChecklistPage(app: try Self.app(context)), request)
        }
        router.onOtherMethods("/connect/apps/:app/checklist", allowed: .get)
    }

    private static func testerPage(_ context: StoreRequestContext) throws -> TesterPage {
        TesterPage(identifier: AccountIdentifier(try context.part("tester")))
    }
}
