// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import StoreAPI
import StoreService
import StoreTestSupport
import Testing

/// Uploads of content over the remote control.
struct UploadRouteTests {
    private struct Uploader: Sendable {
        let client: any TestClientProtocol
        let packed: PackedFolder

        func call(_ verb: Control.Verb, _ call: some Encodable & Sendable) async throws -> TestResponse {
            let body = String(decoding: try StoreCoding.encode(call), as: UTF8.self)
            return try await client.post("/control/v1/\(verb.rawValue)", body, headers: .control)
        }

        func begin() async throws -> Control.UploadAnswer {
            let response = try await call(
                .beginUpload,
                Control.BeginUploadCall(
                    bundle: TestStore.bundleIdentifier, product: "apple", version: "1.0", bytes: packed.bytes,
                    checksum: try packed.checksum()))
            #expect(response.status == .ok, "\(response.text)")
            return try StoreCoding.decode(Control.UploadAnswer.self, from: Data(response.text.utf8))
        }

        func append(
            _ data: Data, to upload: String?, at offset: String, headers: HTTPFields = .control
        ) async throws -> TestResponse {
            try await client.executeRequest(
                uri: "/control/v1/content-uploads/\(upload ?? "")/\(offset)", method: .post, headers: headers,
                body: ByteBuffer(bytes: data))
        }
    }

    private func withUploader(_ body: @Sendable @escaping (TestStore, Uploader) async throws -> Void) async throws {
        try await Engine.sqliteMemory.withControl { store, client in
            let content = try TestContent(files: ["book.bin": TestContent.noise(2000)])
            try await body(store, Uploader(client: client, packed: try content.packed()))
        }
    }

    @Test("A content is uploaded, published, listed and removed over the control routes")
    func life() async throws {
        try await withUploader { store, uploader in
            var begun = try await uploader.begin()
            #expect(begun.partBytes == 1024 && begun.received == 0)
            while begun.received < uploader.packed.bytes {
                let part = try uploader.packed.read(begun.partBytes, at: begun.received)
                let response = try await uploader.append(part, to: begun.upload, at: "\(begun.received)")
                #expect(response.status == .ok, "\(response.text)")
                begun = try StoreCoding.decode(Control.UploadAnswer.self, from: Data(response.text.utf8))
            }
            let published = try await uploader.call(.publishUpload, Control.UploadCall(upload: begun.upload ?? ""))
            #expect(published.status == .ok, "\(published.text)")
            #expect(try await uploader.begin().published?.version == "1.0")

            let listing = Control.ContentsCall(bundle: TestStore.bundleIdentifier)
            let listed = try await uploader.call(.content, listing)
            #expect(try (listed.object()["contents"] as? [Any])?.count == 1)
            let call = Control.RemoveContentCall(bundle: TestStore.bundleIdentifier, product: "apple", version: nil)
            #expect(try await uploader.call(.removeContent, call).status == .ok)
            #expect(try await uploader.call(.removeContent, call).code == "content-not-found")
            let gone = try await uploader.call(.content, listing)
            #expect(try (gone.object()["contents"] as? [Any])?.count == 0)
        }
    }

    @Test("A part at another offset, of another size or without the token is refused with a code")
    func refused() async throws {
        try await withUploader { store, uploader in
            let begun = try await uploader.begin()
            let part = try uploader.packed.read(1024, at: 0)
            for (data, upload, offset, code) in [
                (part, begun.upload, "1024", "content-offset"), (part, begun.upload, "x", "malformed"),
                (part, begun.upload, "9223372036854775808", "malformed"),
                (part.dropLast(), begun.upload, "0", "invalid"),
                (part + Data([0]), begun.upload, "0", "too-large"), (Data(), begun.upload, "0", "invalid"),
                (part, "unknown", "0", "not-found"),
            ] {
                let response = try await uploader.append(data, to: upload, at: offset)
                #expect(response.code == code, "\(offset): \(response.text)")
            }
            let stranger = try await uploader.append(part, to: begun.upload, at: "0", headers: [:])
            #expect(stranger.status == .unauthorized)
            let early = try await uploader.call(.publishUpload, Control.UploadCall(upload: begun.upload ?? ""))
            #expect(early.status == .conflict && early.code == "content-offset")
            #expect(try await uploader.begin().received == 0)
        }
    }

    @Test("An upload of more than two gigabytes is refused as too large, and one that is abandoned is gone")
    func tooLarge() async throws {
        try await withUploader { store, uploader in
            let large = try await uploader.call(
                .beginUpload,
                Control.BeginUploadCall(
                    bundle: TestStore.bundleIdentifier, product: "apple", version: "1.0",
                    bytes: ContentLimits.objectBytes + 1, checksum: String(repeating: "0a", count: 32)))
            #expect(large.status == .contentTooLarge && large.code == "too-large")
            let upload = Control.UploadCall(upload: try await uploader.begin().upload ?? "")
            for _ in 0..<2 { #expect(try await uploader.call(.abandonUpload, upload).status == .ok) }
            #expect(try await uploader.call(.publishUpload, upload).code == "not-found")
            #expect(try await store.count("content_upload") == 0)
        }
    }
}
