// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreDomain
import StoreService
import StoreTestSupport
import Testing

extension StoreLife {
    /// Contents that are uploaded, opened, downloaded and removed.
    func host(for phone: TestDevice) async throws {
        let bundle = BundleIdentifier(TestStore.bundleIdentifier)
        for version in ["1.0", "2.0"] { try await store.publish(TestContent(product: "apple", version: version)) }
        let third = try TestContent(product: "pear", files: ["a": TestContent.noise(2000)])
        _ = try await store.append(third, to: store.begin(third))
        try await download(to: phone)
        _ = try await ListingContent(store.context)(of: bundle)
        for identifiers in [["apple"], ["apple", "juice"]] {
            _ = try await phone.call(
                ProductsCall(
                    bundleIdentifier: TestStore.bundleIdentifier, productIdentifiers: identifiers, languages: []))
        }
        // With one object, with several of both kinds, and after a day.
        _ = try await SweepingUploads(store.context)()
        try Data().write(to: store.contentFolder.url.appending(path: "uploads/unknown"))
        _ = try await SweepingUploads(store.context)()
        store.clock.advance(days: 2)
        _ = try await SweepingUploads(store.context)()
        let removing = RemovingContent(store.context)
        _ = try await removing("apple", of: bundle, version: "2.0")
        _ = try await store.publish(TestContent(product: "apple", version: "2.0"))
        _ = try await removing("apple", of: bundle, version: nil)
        let fourth = try await store.begin(third)
        _ = try await Control.AbandonUploadAnswer(
            abandoning: Control.UploadCall(upload: fourth.upload ?? ""), in: store.context)
    }

    /// A purchase, a restored transaction, and an older number without a
    /// bucket.
    private func download(to phone: TestDevice) async throws {
        let restored = try await phone.restore(request: "restore-content").transactions
        let apple = try #require(restored.first { $0.productIdentifier == "apple" })
        for version in [nil, "1.0"] {
            let answer = try await phone.call(
                ContentCall(transaction: apple.transactionIdentifier, version: version))
            let parts = answer.address.split(separator: "/").map(String.init)
            _ = try await store.service.content(identifier: parts[1], expires: parts[2], signature: parts[3])
        }
        await #expect(throws: StoreFailure.self) { _ = try await phone.call(ContentCall(transaction: "2000")) }
    }
}
