// SPDX-License-Identifier: Apache-2.0

extension StoreContext {
    /// The settings of hosted content.
    ///
    /// - Throws: ``DomainError`` `storageUnavailable` for a store without a
    ///   storage.
    package func requireHosting() throws -> ContentHosting {
        guard let hosting else {
            throw DomainError(
                .storageUnavailable, "This store has no storage for content: start it with --content FOLDER.")
        }
        return hosting
    }
}
