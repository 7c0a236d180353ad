// SPDX-License-Identifier: Apache-2.0

import Logging
import StoreAPI

extension StoreSynchronizer {
    /// Shows the page of the family to a parent, once on a device, while a child's request waits for the parent's answer.
    ///
    /// The journal takes the event afterwards: the next stream brings it again after the store was out of reach. A store that
    /// refuses the page, and a home that can't record it, don't hold up the events behind it, such as purchases. A process that
    /// dies after the record shows nothing: at most once.
    ///
    /// - Throws: The errors of ``StoreClient/call(_:)`` after which the same call may succeed.
    func show(_ event: ChildRequestEvent) async throws {
        do {
            let answer = try await store.call(
                AccountPageCall(
                    bundleIdentifier: folder.bundleIdentifier, page: .family,
                    transactionIdentifier: event.transactionIdentifier))
            guard let page = answer.page,
                try ShownChildRequests(home: folder.home, files: files).record(event.transactionIdentifier)
            else { return }
            signals.post { $0.sheets.append(Sheet(address: page, owner: .childRequest(event.transactionIdentifier))) }
        } catch let failure as StoreFailure where !failure.isTemporary {
            logger.warning("The store refused the page of the family: \(failure.message)")
        } catch let error as AgentError {
            logger.warning("The page of the family isn't shown: \(error)")
        }
    }
}
