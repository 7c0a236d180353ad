// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreDomain

/// The files of a content package: a folder with `ContentInfo.plist` and
/// `Contents/`. Folders without files are left out.
struct PackageFolder {
    /// A file with its place in the package.
    struct Entry: Sendable {
        var path: ContentPath
        var size: Int64
    }

    let root: String
    /// In the order of a manifest.
    private(set) var entries: [Entry] = []

    /// Lists a folder.
    ///
    /// - Throws: `DomainError` `invalid` with the path of a link, of a file
    ///   that isn't a regular one, or of a name that isn't UTF-8;
    ///   `ContentFormatError` for a path that the format doesn't allow.
    init(_ root: String) throws {
        self.root = root
        guard try Self.kind(of: root, named: root) == .folder else {
            throw DomainError(.invalid, "\(root) isn't a folder.")
        }
        try list("")
        entries.sort { $0.path < $1.path }
        guard entries.first?.path == .information else {
            throw DomainError(.invalid, "\(root) has no ContentInfo.plist.")
        }
        guard entries.count > 1 else {
            throw DomainError(.invalid, "\(root) has no files in its folder Contents.")
        }
    }

    private enum Kind: Equatable {
        case folder
        case file(Int64)
    }

    /// Adds the files of a folder: its path in the package, with a slash at
    /// the end, which is empty for the package itself.
    private mutating func list(_ folder: String) throws {
        for name in try Self.names(in: "\(root)/\(folder)", named: folder) {
            let path = folder + name
            switch try Self.kind(of: "\(root)/\(path)", named: path) {
            case .folder:
                // Checked before the folder is entered, so that the depth is
                // limited. A folder's path may be that of a file in it.
                _ = try ContentPath("\(path)/x")
                try list("\(path)/")
            case .file(let size):
                entries.append(Entry(path: try ContentPath(path), size: size))
                guard entries.count <= ContentLimits.files else {
                    throw DomainError(.invalid, "A content has at most \(ContentLimits.files) files.")
                }
            }
        }
    }

    /// The type of a file, without following a link.
    private static func kind(of path: String, named name: String) throws -> Kind {
        var status = stat()
        guard lstat(path, &status) == 0 else { throw ContentStorageError(errno, "reading", path) }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: return .folder
        case S_IFREG: return .file(Int64(status.st_size))
        case S_IFLNK: throw DomainError(.invalid, "\(name) is a link: content has only files and folders.")
        default: throw DomainError(.invalid, "\(name) is neither a file nor a folder.")
        }
    }

    /// The names in a folder. Foundation's own list would change the bytes of
    /// a name that isn't UTF-8.
    private static func names(in path: String, named folder: String) throws -> [String] {
        guard let stream = opendir(path) else { throw ContentStorageError(errno, "reading", path) }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let bytes = withUnsafeBytes(of: entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            guard let name = String(validating: bytes, as: UTF8.self) else {
                let shown = String(decoding: bytes, as: UTF8.self)
                throw DomainError(.invalid, "The name of \(folder)\(shown) isn't UTF-8.")
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
