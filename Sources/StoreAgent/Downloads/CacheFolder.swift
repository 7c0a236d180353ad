// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import StoreCore

/// The locations of the content that an app downloads.
///
/// The folders are apart by device: several homes of one user may have the
/// same app and the same folder of caches.
struct CacheFolder: Sendable {
    /// The user's folder of caches.
    let caches: URL
    let bundleIdentifier: String
    /// The device's identifier in hexadecimal.
    let device: String

    private var top: URL {
        caches.appendingPathComponent(bundleIdentifier, isDirectory: true)
            .appendingPathComponent("StoreKit", isDirectory: true)
    }
    private var own: URL { top.appendingPathComponent(String(device.prefix(16)), isDirectory: true) }

    /// The folder of the files of a download that aren't complete.
    func partial(of download: String) -> URL {
        own.appendingPathComponent("Downloads", isDirectory: true)
            .appendingPathComponent("\(download).partial", isDirectory: true)
    }

    /// The folder of the files of a download from a seller's server.
    func background(_ sequence: Int64) -> URL {
        own.appendingPathComponent("Background", isDirectory: true)
            .appendingPathComponent(String(sequence), isDirectory: true)
    }

    /// The folder of a product's finished contents, usually one.
    func contents(of product: String) -> URL {
        own.appendingPathComponent("Content", isDirectory: true)
            .appendingPathComponent(Self.name(of: product), isDirectory: true)
    }

    /// A finished content: `ContentInfo.plist` and `Contents`.
    func content(of product: String, named name: String) -> URL {
        contents(of: product).appendingPathComponent(name, isDirectory: true)
    }

    /// The name of a product's folder: the identifier, if it is a safe name
    /// on every file system, and otherwise its checksum.
    static func name(of product: String) -> String {
        let isPlain = product.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
                true
            default: false
            }
        }
        guard isPlain, !product.isEmpty, !product.hasPrefix("."), product.utf8.count <= 200 else {
            return "%\(Data(SHA256.hash(data: Data(product.utf8))).hexadecimal)"
        }
        return product
    }
}

extension CacheFolder {
    /// The file that makes programs for backups skip the folder (Cache
    /// Directory Tagging Specification, https://bford.info/cachedir/).
    private var tag: URL { top.appendingPathComponent("CACHEDIR.TAG") }

    private static let signature = """
        Signature: 8a477f597d28d172789f06886806bc55
        # This folder has content that StoreKit has downloaded, and can download again.
        # For information about cache directory tags, see https://bford.info/cachedir/

        """

    /// Creates the folder that contains all others, and marks it as one of
    /// caches.
    ///
    /// - Throws: ``AgentError`` with the code `home`.
    func create(_ files: any FileSystem) throws {
        try files.makeFolder(top)
        guard files.size(of: tag) == nil else { return }
        try files.replace(tag, temporary: ".CACHEDIR.TAG-\(device)") { _ in Data(Self.signature.utf8) }
    }
}
