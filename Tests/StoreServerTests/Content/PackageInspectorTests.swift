// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoreAPI
import StoreDomain
import StoreTestSupport
import Testing

@testable import StoreService

/// The check of a packed content when it has arrived.
struct PackageInspectorTests {
    private static func inspect(_ bytes: Data, parts: Int = 1 << 16) throws -> PublishingContent.Checked {
        var inspector = PackageInspector()
        var rest = bytes[...]
        while !rest.isEmpty {
            try inspector.consume(Data(rest.prefix(parts)))
            rest = rest.dropFirst(parts)
        }
        return try inspector.finish()
    }

    /// A packed content with another file in the place of `Contents/x`, and
    /// the right checksum.
    private static func packed(_ name: String, _ data: Data) throws -> Data {
        // The packer refuses such names too: the name is changed after it has
        // computed the checksum.
        let content = try TestContent(files: ["x": data])
        let manifest = try content.packed().manifest
        let files = try manifest.files.map { file in
            guard file.path != .information else { return file }
            return ContentManifest.File(path: try ContentPath(name), size: file.size, sha256: file.sha256)
        }
        let other = try ContentManifest(product: manifest.product, version: manifest.version, files: files)
        let bytes = try content.bytes()
        let old = try ContentHead.encode(manifest)
        return try ContentHead.encode(other) + bytes.dropFirst(old.count)
    }

    @Test("A content is the same in parts of every size", arguments: [1, 7, 64, 1000, 1 << 16])
    func parts(size: Int) throws {
        let files = ["a.txt": Data("a".utf8), "empty": Data(), "b/c.bin": TestContent.noise(3000), "z": Data()]
        let content = try TestContent(product: "pear", version: "2.1", files: files)
        let packed = try content.packed()

        let checked = try Self.inspect(content.bytes(), parts: size)

        #expect(checked.product == "pear" && checked.version == "2.1")
        #expect(checked.files.count == 5 && checked.bytes == packed.bytes)
        #expect(checked.files.bytes == packed.manifest.fileBytes)
        #expect(checked.checksum == (try packed.checksum()))
    }

    @Test("An altered byte is refused, or shows in the checksum, and a missing or further one is refused")
    func altered() throws {
        let bytes = try TestContent(files: ["a.txt": TestContent.noise(50)]).bytes()
        let checksum = try Self.inspect(bytes).checksum
        var refused = 0
        for place in stride(from: 0, to: bytes.count, by: 3) {
            var other = bytes
            other[place] ^= 1
            // Another path of a file may be allowed.
            if let checked = try? Self.inspect(other) {
                #expect(checked.checksum != checksum, "the byte \(place)")
            } else {
                refused += 1
            }
        }
        #expect(refused > bytes.count / 6)
        for count in stride(from: 0, to: bytes.count, by: 5) {
            #expect(throws: (any Error).self) { try Self.inspect(bytes.prefix(count)) }
        }
        #expect(throws: ContentFormatError.self) { try Self.inspect(bytes + Data([0])) }
    }

    @Test(
        "Executable code is refused with its file's name",
        arguments: [
            [0x7F, 0x45, 0x4C, 0x46, 2, 1, 1, 0], [0xFE, 0xED, 0xFA, 0xCE, 0], [0xFE, 0xED, 0xFA, 0xCF, 0],
            [0xCE, 0xFA, 0xED, 0xFE, 0], [0xCF, 0xFA, 0xED, 0xFE, 0], [0xCA, 0xFE, 0xBA, 0xBE, 0],
            [0xBE, 0xBA, 0xFE, 0xCA, 0], [0xCA, 0xFE, 0xBA, 0xBF, 0], [0xBF, 0xBA, 0xFE, 0xCA, 0],
            Array("MZ\0".utf8), Array("#!/bin/sh".utf8), Array("!<arch>\n".utf8), [0x00, 0x61, 0x73, 0x6D, 1],
        ] as [[UInt8]])
    func executable(beginning: [UInt8]) throws {
        // The bytes as data, so that the packer has no objection, at the same
        // length; then the code with its own checksum.
        let code = Data(beginning)
        #expect(ExecutableCode.kind(of: try ContentPath("Contents/x"), beginning: code) != nil)
        let folder = try TestContent(files: ["x": Data(), "deep/program": code])
        let error = #expect(throws: DomainError.self) { try folder.packed() }
        #expect(error?.message.contains("Contents/deep/program") == true)
    }

    @Test(
        "A library or a program by its name is refused",
        arguments: [
            "Contents/a.dylib", "Contents/A.SO", "Contents/lib.so.1.2", "Contents/b/c.dll", "Contents/setup.exe",
            "Contents/Kit.framework/Kit", "Contents/Kit.framework/Versions/A/Kit",
        ])
    func names(path: String) throws {
        let bytes = try Self.packed(path, Data("text".utf8))
        let error = #expect(throws: DomainError.self) { try Self.inspect(bytes) }
        #expect(error?.code == .invalid && error?.message.contains(path) == true)
    }

    @Test(
        "Data that only looks a little like code is allowed",
        arguments: ["Contents/so", "Contents/also.txt", "Contents/a.framework/readme", "Contents/dll.png"])
    func data(path: String) throws {
        #expect(try Self.inspect(Self.packed(path, Data("ELF, M Z, # !".utf8))).files.count == 2)
    }

    @Test(
        "Another ContentInfo.plist than a short property list in XML is refused",
        arguments: [
            "", "text", "<plist><dict></dict></plist>", "<?xml version=\"1.0\"?><plist><array/></plist>",
            "bplist00", "{ IAPProductIdentifier = apple; ContentVersion = 1; }", "((((((((((",
            "<plist><dict><key>IAPProductIdentifier</key><string>apple</string></dict></plist>",
            "<plist><dict><key>IAPProductIdentifier</key><integer>1</integer></dict></plist>",
            "<plist>" + String(repeating: "<array>", count: 5000), "<plist>" + String(repeating: "x", count: 1 << 17),
        ])
    func information(text: String) {
        let error = #expect(throws: DomainError.self) { try ContentInformation(Data(text.utf8)) }
        #expect(error?.message.contains("ContentInfo.plist") == true)
    }

    @Test("A manifest that names another product than ContentInfo.plist is refused")
    func otherProduct() throws {
        let content = try TestContent()
        let manifest = try content.packed().manifest
        let other = try ContentManifest(product: "melon", version: manifest.version, files: manifest.files)
        let bytes = try ContentHead.encode(other) + content.bytes().dropFirst(ContentHead.encode(manifest).count)
        #expect(throws: DomainError.self) { try Self.inspect(bytes) }
    }
}
