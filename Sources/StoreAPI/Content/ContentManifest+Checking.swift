// SPDX-License-Identifier: Apache-2.0

import StoreCore

extension ContentManifest {
    static func check(product: String, version: String) throws(ContentFormatError) {
        if let refusal = Identifier.refusal(of: product) {
            throw ContentFormatError(.manifest, "The product of a content \(refusal).")
        }
        if let refusal = ContentVersionText.refusal(of: version) {
            throw ContentFormatError(.manifest, "The version of a content \(refusal).")
        }
        guard !(product + version).unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            throw ContentFormatError(.manifest, "The product and the version of a content have no control characters.")
        }
    }

    static func check(_ files: [File]) throws(ContentFormatError) {
        guard files.count <= ContentLimits.files else {
            throw ContentFormatError(
                .tooLarge, "A content has at most \(ContentLimits.files) files, not \(files.count).")
        }
        guard files.first?.path == .information else {
            throw ContentFormatError(.manifest, "A content's first file is ContentInfo.plist.")
        }
        guard files.count > 1 else {
            throw ContentFormatError(.manifest, "The folder Contents of a content has at least one file.")
        }
        try checkPaths(files.map(\.path))
        var total: Int64 = 0
        for file in files {
            guard file.sha256.isHexadecimal(bytes: 32) else {
                throw ContentFormatError(.manifest, "The checksum of \(file.path) isn't a SHA-256.")
            }
            guard ContentBytes.refusal(of: file.size) == nil else {
                throw ContentFormatError(
                    .tooLarge, "\(file.path) has more than \(ContentLimits.objectBytes) bytes, or fewer than none.")
            }
            // Each summand is at most 2^31, and there are at most 100,000.
            total += file.size
        }
        guard total <= ContentLimits.objectBytes else {
            throw ContentFormatError(
                .tooLarge,
                "The content's files have \(total) bytes. A product has at most \(ContentLimits.objectBytes).")
        }
    }

    /// A set of paths is used, and not only the order of neighbours, because
    /// canonically equivalent paths may be far apart in the order of bytes.
    private static func checkPaths(_ paths: [ContentPath]) throws(ContentFormatError) {
        for (path, next) in zip(paths, paths.dropFirst()) where next < path {
            throw ContentFormatError(.manifest, "\(next) is after \(path), and precedes it in the order of bytes.")
        }
        var names: Set<String> = []
        for path in paths where !names.insert(path.text).inserted {
            throw ContentFormatError(.duplicate, "Two files have the path \(path).")
        }
        for path in paths {
            for folder in path.folders where names.contains(folder) {
                throw ContentFormatError(.duplicate, "\(folder) is a file, and the folder of \(path).")
            }
        }
    }
}
