// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import StoreAPI
import StoreCore
import StoreService
import StoreTestSupport

/// A version of a product's content, packed.
struct SimulatedContent: PackedSource {
    let bundle: String
    /// The files by their paths.
    let files: [String: Data]
    let manifest: ContentManifest
    private let object: Data

    var product: String { manifest.product }
    var version: String { manifest.version }
    var bytes: Int64 { Int64(object.count) }

    /// Makes a version with an empty file, a file that all versions have, and
    /// files of its own. The bytes follow from the names and the number.
    init(bundle: String, product: String, number: Int) throws {
        let seed = (bundle + product).utf8.reduce(UInt64(number) << 32) { $0 &* 31 &+ UInt64($1) }
        let shared = (bundle + product).utf8.reduce(7) { $0 &* 31 &+ UInt64($1) }
        files = [
            ContentPath.information.text: TestContent.information(product: product, version: "\(number).0"),
            "Contents/empty": Data(),
            "Contents/pictures/all.png": TestContent.noise(2500, seed: shared),
            "Contents/pictures/\(number).png": TestContent.noise(300, seed: seed &+ 1),
            "Contents/recipes.txt": TestContent.noise(1000 + Int(seed % 4000), seed: seed),
        ]
        let sorted = try files.map { (try ContentPath($0.key), $0.value) }.sorted { $0.0 < $1.0 }
        self.bundle = bundle
        manifest = try ContentManifest(
            product: product, version: "\(number).0",
            files: sorted.map { path, data in
                .init(path: path, size: Int64(data.count), sha256: Data(SHA256.hash(data: data)).hexadecimal)
            })
        object = try ContentHead.encode(manifest) + sorted.reduce(into: Data()) { $0 += $1.1 }
    }

    func read(_ count: Int, at offset: Int64) -> Data {
        Data(object.dropFirst(Int(offset)).prefix(count))
    }
}
