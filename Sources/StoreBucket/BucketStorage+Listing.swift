// SPDX-License-Identifier: Apache-2.0

package import StoreDomain

/// The names of all bytes that a bucket has of a store.
extension BucketStorage {
    private static let pageSize = 500

    /// A page has objects, or uploads after all objects. Keys of another form
    /// are passed over.
    package func list(after last: StoredContent?) async throws -> [StoredContent] {
        try await explained {
            switch last {
            case nil: try await objects(after: nil)
            case .object(let object): try await objects(after: try keys.key(of: object))
            case .upload(let upload): try await uploads(after: keys.end(of: upload))
            }
        }
    }

    private func objects(after key: String?) async throws -> [StoredContent] {
        var last = key
        while true {
            var request = BucketRequest(
                "listing objects", "GET",
                [
                    .init("list-type", "2"), .init("prefix", keys.beginning),
                    .init("max-keys", String(Self.pageSize)),
                ])
            if let last { request.query.append(.init("start-after", last)) }
            let page = try await list(request, ObjectList.init)
            let found = page.keys.compactMap(keys.object)
            if !found.isEmpty { return found.map { .object($0) } }
            guard page.isTruncated, let next = page.keys.last, next > last ?? "" else { break }
            last = next
        }
        return try await uploads(after: nil)
    }

    private func uploads(after key: String?) async throws -> [StoredContent] {
        var last = key
        while true {
            var request = BucketRequest(
                "listing uploads", "GET",
                [
                    .init("uploads", ""), .init("prefix", keys.beginning),
                    .init("max-uploads", String(Self.pageSize)),
                ])
            if let last { request.query.append(.init("key-marker", last)) }
            let page = try await list(request, UploadList.init)
            let found = page.uploads.filter { $0.key > last ?? "" }.compactMap { keys.upload(of: $0.key) }
            if !found.isEmpty { return found.map { .upload($0) } }
            guard page.isTruncated, let next = page.uploads.last?.key, next > last ?? "" else { return [] }
            last = next
        }
    }
}
