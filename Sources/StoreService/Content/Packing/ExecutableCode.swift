// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI

/// The kinds of executable code that a content may not have. Content is data:
/// an app that ran it would run code that was never reviewed.
enum ExecutableCode {
    /// The number of a file's first bytes that ``kind(of:beginning:)`` needs.
    static let beginning = 8

    private static let magics: [(bytes: [UInt8], kind: String)] = [
        ([0x7F, 0x45, 0x4C, 0x46], "an ELF program or library"),
        ([0xFE, 0xED, 0xFA, 0xCE], "a Mach-O program or library"),
        ([0xFE, 0xED, 0xFA, 0xCF], "a Mach-O program or library"),
        ([0xCE, 0xFA, 0xED, 0xFE], "a Mach-O program or library"),
        ([0xCF, 0xFA, 0xED, 0xFE], "a Mach-O program or library"),
        ([0xCA, 0xFE, 0xBA, 0xBE], "a universal Mach-O file or a Java class"),
        ([0xBE, 0xBA, 0xFE, 0xCA], "a universal Mach-O file"),
        ([0xCA, 0xFE, 0xBA, 0xBF], "a universal Mach-O file"),
        ([0xBF, 0xBA, 0xFE, 0xCA], "a universal Mach-O file"),
        (Array("MZ".utf8), "a Windows program or library"),
        (Array("#!".utf8), "a script"),
        (Array("!<arch>\n".utf8), "a library of object files"),
        ([0x42, 0x43, 0xC0, 0xDE], "LLVM bitcode"),
        ([0x00, 0x61, 0x73, 0x6D], "a WebAssembly module"),
        (Array("dex\n".utf8), "an Android program"),
    ]

    private static let endings = ["dylib", "so", "dll", "exe"]

    /// The kind of code that a file has, by its name and its first bytes;
    /// `nil` for other data.
    static func kind(of path: ContentPath, beginning: some Sequence<UInt8>) -> String? {
        if let magic = magics.first(where: { beginning.starts(with: $0.bytes) }) { return magic.kind }
        let parts = path.parts
        let name = (parts.last ?? "").lowercased()
        if endings.contains(where: { name.hasSuffix(".\($0)") }) || name.contains(".so.") {
            return "a library or program by its name"
        }
        // The program of a framework has the framework's name.
        if parts.dropLast().contains(where: { $0.lowercased() == "\(name).framework" }) {
            return "the program of a framework"
        }
        return nil
    }
}
