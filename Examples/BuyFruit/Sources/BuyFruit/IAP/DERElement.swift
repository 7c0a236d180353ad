// SPDX-License-Identifier: Apache-2.0

import Foundation

/// An element of DER (X.690), the encoding of a receipt.
struct DERElement {
    /// The first octet: class, form and number of the element's type.
    let tag: UInt8
    let contents: ArraySlice<UInt8>

    static let integer: UInt8 = 0x02
    static let octets: UInt8 = 0x04
    static let utf8Text: UInt8 = 0x0c
    static let asciiText: UInt8 = 0x16
    static let sequence: UInt8 = 0x30
    static let set: UInt8 = 0x31
    /// An element with the number 0 in its context, around another one.
    static let explicit: UInt8 = 0xa0

    /// The elements in some bytes, one after another; `nil` when the bytes
    /// are no such elements.
    static func all(in bytes: ArraySlice<UInt8>) -> [DERElement]? {
        var rest = bytes
        var elements: [DERElement] = []
        while let tag = rest.popFirst() {
            guard let length = popLength(&rest), length <= rest.count else { return nil }
            elements.append(DERElement(tag: tag, contents: rest.prefix(length)))
            rest = rest.dropFirst(length)
        }
        return elements
    }

    /// The elements of which this one is made; `nil` when it has another tag.
    func children(of tag: UInt8) -> [DERElement]? {
        self.tag == tag ? Self.all(in: contents) : nil
    }

    /// The value of a small number.
    var number: Int? {
        guard tag == Self.integer, (1...4).contains(contents.count) else { return nil }
        return contents.reduce(0) { $0 << 8 | Int($1) }
    }

    var text: String? {
        guard tag == Self.utf8Text || tag == Self.asciiText else { return nil }
        return String(decoding: contents, as: UTF8.self)
    }

    /// The length of an element: one octet, or their number and then up to
    /// four octets.
    private static func popLength(_ rest: inout ArraySlice<UInt8>) -> Int? {
        guard let first = rest.popFirst() else { return nil }
        guard first >= 0x80 else { return Int(first) }
        let count = Int(first & 0x7f)
        guard (1...4).contains(count), count <= rest.count else { return nil }
        let length = rest.prefix(count).reduce(0) { $0 << 8 | Int($1) }
        rest = rest.dropFirst(count)
        return length
    }
}
