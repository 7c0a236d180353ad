// SPDX-License-Identifier: Apache-2.0

import StoreAPI

extension StoreSynchronizer {
    /// Shows the page of the family to a parent, once on a device, while a child's request waits for the parent's answer.
    ///
    /// The journal takes the event afterwards: after an error, the next stream brings it again.
    ///
    /// - Throws: the errors of ``StoreClient/call(_:)``, ``AgentError`` with the code `home`.
    func show(_ event: ChildRequestEvent) async throws {
        let answer = try await store.call(
            AccountPageCall(
                bundleIdentifier: folder.bundleIdentifier, page: .family,
                transactionIdentifier: event.transactionIdentifier))
        guard let page = answer.page,
            try ShownChildRequests(home: folder.home, files: files).record(event.transactionIdentifier)
        else { return }
        signals.post { $0.sheets.append(Sheet(address: page, owner: .childRequest(event.transactionIdentifier))) }
    }
}
