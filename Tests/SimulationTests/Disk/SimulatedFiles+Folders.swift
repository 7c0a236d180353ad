// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAgent

// Folders of files that are written in parts. A simulated disk has no folders:
// a folder exists as long as a file is in it.
extension SimulatedFiles {
    func size(of file: URL) -> Int64? {
        (try? life.disk.file(name(file), for: life)).map { Int64($0.bytes.count) }
    }

    func read(_ file: URL, _ part: (Data) throws -> Void) throws {
        guard let contents = try contents(of: file) else { throw AgentError(.home, "\(name(file)) is missing.") }
        if !contents.isEmpty { try part(contents) }
    }

    func openFile(_ file: URL) throws -> any WritableFile {
        try attempt(file) { Open(file: try $0.file(name(file), for: life), files: self, url: file) }
    }

    func makeFolder(_ folder: URL) {}

    func isFolder(_ folder: URL) -> Bool { !life.disk.files(in: name(folder)).isEmpty }

    func names(in folder: URL) -> [String] {
        let prefix = name(folder).count + 1
        return Set(life.disk.files(in: name(folder)).compactMap { $0.dropFirst(prefix).split(separator: "/").first })
            .map(String.init).sorted()
    }

    func removeFolder(_ folder: URL) throws {
        if caches?.keeps(name(folder)) ?? false { return }
        for file in life.disk.files(in: name(folder)) {
            try attempt(folder) { try $0.remove(file, synchronises: false, for: life) }
        }
        try attempt(folder) { try $0.endRemoval(of: name(folder), for: life) }
    }

    func synchronise(contentsOf folder: URL) throws {
        if caches?.mistake == .contentIsNotSynchronised { return }
        for file in life.disk.files(in: name(folder)) {
            try attempt(folder) { disk in
                try disk.synchronise(try disk.file(file, for: life), named: file, for: life)
            }
        }
    }
}
