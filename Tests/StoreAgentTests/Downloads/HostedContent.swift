// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import StoreAPI
import StoreCore
import StoreTestSupport

@testable import StoreAgent

/// A packed content of a test.
struct HostedContent: Sendable {
    let version: String
    /// The files by their paths.
    let files: [String: Data]
    /// The packed object.
    let object: Data
    let head: ContentHead

    static let product = "com.example.fruit.apple"

    init(version: String = "1.0", _ files: [String: Data]) throws {
        var files = files
        files["ContentInfo.plist"] = Data("the content of \(version)".utf8)
        self.version = version
        self.files = files
        let sorted = try files.map { (try ContentPath($0.key), $0.value) }.sorted { $0.0 < $1.0 }
        let manifest = try ContentManifest(
            product: Self.product, version: version,
            files: sorted.map { path, data in
                .init(path: path, size: Int64(data.count), sha256: SHA256.hash(data: data).hexadecimal)
            })
        object = try ContentHead.encode(manifest) + sorted.reduce(into: Data()) { $0 += $1.1 }
        head = try ContentHead(decoding: object)
    }

    /// A content with a few small files: one is empty, two are in folders.
    static func small(version: String = "1.0") throws -> HostedContent {
        try HostedContent(
            version: version,
            [
                "Contents/empty": Data(), "Contents/recipe.txt": Data("Peel the apple.".utf8),
                "Contents/pictures/a.png": Data((0..<40).map { UInt8($0) }),
                "Contents/pictures/old/b.png": Data("b".utf8),
            ])
    }

    /// A content of some hundred kilobytes, in twenty files.
    static func larger(version: String = "1.0", seed: UInt64 = 3) throws -> HostedContent {
        var random = SeededGenerator(seed: seed)
        var files: [String: Data] = [:]
        for number in 0..<20 {
            let length = Int(random.next() % 40_000)
            files["Contents/\(number % 3)/file \(number)"] = Data(
                (0..<length).map { _ in
                    UInt8(truncatingIfNeeded: random.next())
                })
        }
        return try HostedContent(version: version, files)
    }

    var checksum: String { SHA256.hash(data: object).hexadecimal }

    /// The bytes of all files.
    var length: Int64 { head.manifest.fileBytes }

    var offer: ContentOffer {
        ContentOffer(product: Self.product, version: version, length: length, files: files.count)
    }

    var answer: ContentAnswer {
        ContentAnswer(
            address: "/content/\(version)/1/signature", expires: 1_800_000_000_000, length: Int64(object.count),
            checksum: checksum, product: Self.product, version: version)
    }

    /// Some bytes of the object, in parts.
    func part(_ range: Range<Int64>, partBytes: Int = 16_384, endingWith error: (any Error)? = nil) -> ContentPart {
        ContentPart(
            offset: range.lowerBound, checksum: checksum,
            bytes: object[Int(range.lowerBound)..<Int(range.upperBound)].stream(partBytes, endingWith: error))
    }

    /// Whether a folder has these files, and no others.
    func isSame(as folder: URL) throws -> Bool {
        var found: [String: Data] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
            let file = folder.appendingPathComponent(path)
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder), !isFolder.boolValue
            else { continue }
            found[path] = try Data(contentsOf: file)
        }
        return found == files
    }
}

extension Data {
    /// A stream of the bytes in parts of a size.
    func stream(_ partBytes: Int = 16_384, endingWith error: (any Error)? = nil) -> AsyncThrowingStream<Data, any Error>
    {
        let (stream, parts) = AsyncThrowingStream.makeStream(of: Data.self)
        for start in Swift.stride(from: startIndex, to: endIndex, by: partBytes) {
            parts.yield(Data(self[start..<Swift.min(start + partBytes, endIndex)]))
        }
        parts.finish(throwing: error)
        return stream
    }
}

extension TransactionInfo {
    /// An apple with content.
    static func apple(_ identifier: String = "2000000000000001", with content: HostedContent) -> TransactionInfo {
        var transaction = apple(identifier)
        transaction.content = [content.offer]
        return transaction
    }
}
