// SPDX-License-Identifier: Apache-2.0

/// A cursor over BER that records whether the bytes are DER.
///
/// BER has many encodings of a value, DER has one (X.690, 10 and 11). The
/// strict profile requires DER, and Apple's and Xcode's receipts have to be
/// readable too. The reader therefore accepts encodings that only BER allows,
/// and sets ``isCanonical`` to false for them. No value has to be encoded
/// again to check that its encoding is DER.
///
/// ```swift
/// var reader = DERReader(bytes)
/// let (number, text) = try reader.constructed(.sequence) { reader throws(AppReceiptError) in
///     (try reader.integer(), try reader.octets(.utf8String))
/// }
/// try reader.finish()
/// ```
///
/// The reader returns slices of its input, and allocates memory only for
/// strings in parts. Its errors are ``AppReceiptError/Code/malformed``.
/// Functions that are called for each element are marked for inlining,
/// because the compiler doesn't inline them otherwise.
struct DERReader {
    /// Whether everything that was read is DER.
    ///
    /// Callers that require more of a value than DER set it to false, too.
    var isCanonical = true

    private let bytes: ArraySlice<UInt8>
    /// The index of the next octet.
    private var index: Int
    /// The index of the first octet after the element whose contents are
    /// being read.
    private var end: Int
    /// Whether those contents have an indefinite length: two zeros end them,
    /// before `end` (X.690, 8.1.5).
    private var isIndefinite = false

    /// The deepest nesting of elements of indefinite length, and of strings
    /// in parts.
    private static let deepest = 50

    /// A cursor at the start of these bytes.
    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        index = bytes.startIndex
        end = bytes.endIndex
    }

    /// Whether the end of the element whose contents are being read is
    /// reached.
    var isAtEnd: Bool {
        isIndefinite ? end - index >= 2 && bytes[index] == 0 && bytes[index + 1] == 0 : index == end
    }

    /// Throws if octets follow.
    @inline(__always)
    func finish() throws(AppReceiptError) {
        guard isAtEnd else { throw malformed("more than there should be") }
    }

    func malformed(_ what: String) -> AppReceiptError {
        AppReceiptError(.malformed, "Not a receipt at byte \(index - bytes.startIndex): \(what)")
    }
}

// Elements.
extension DERReader {
    /// The contents of a primitive element.
    @inline(__always)
    mutating func primitive(_ tag: DERTag) throws(AppReceiptError) -> ArraySlice<UInt8> {
        try take(tag)
        guard let length = try length() else { throw malformed("contents without an end") }
        defer { index += length }
        return bytes[index..<index + length]
    }

    /// Reads the contents of a constructed element, and throws if octets
    /// remain.
    mutating func constructed<Contents>(
        _ tag: DERTag, _ read: (inout DERReader) throws(AppReceiptError) -> Contents
    ) throws(AppReceiptError) -> Contents {
        try take(tag)
        let outside = (end: end, isIndefinite: isIndefinite)
        try enter()
        let contents = try read(&self)
        try finish()
        leave(to: outside)
        return contents
    }

    /// Reads the elements of a SET OF.
    ///
    /// DER requires them in ascending order of their octets (X.690, 11.6). No
    /// element is the beginning of another one, so the shorter one needs no
    /// padding for the comparison.
    mutating func setOf(
        _ read: (inout DERReader) throws(AppReceiptError) -> Void
    ) throws(AppReceiptError) {
        try constructed(.set) { reader throws(AppReceiptError) in
            var before = reader.index..<reader.index
            while !reader.isAtEnd {
                let start = reader.index
                try read(&reader)
                let this = start..<reader.index
                if reader.isCanonical, reader.precedes(this, before) { reader.isCanonical = false }
                before = this
            }
        }
    }

    /// One element of any tag, with its tag and length.
    ///
    /// The contents are not checked. Callers compare the element, or parse it
    /// with another parser.
    mutating func element() throws(AppReceiptError) -> ArraySlice<UInt8> {
        let start = index
        try skip(depth: 1)
        return bytes[start..<index]
    }

    /// The octets of a string, which BER may write in parts.
    mutating func octets(_ tag: DERTag) throws(AppReceiptError) -> ArraySlice<UInt8> {
        guard next == tag.inParts.octet else { return try primitive(tag) }
        isCanonical = false
        var octets: [UInt8] = []
        try appendParts(tag, to: &octets, depth: 1)
        return octets[...]
    }

    /// The remaining octets.
    mutating func rest() -> ArraySlice<UInt8> {
        defer { index = end }
        return bytes[index..<end]
    }
}

// Tags and lengths.
extension DERReader {
    /// Whether an element with that tag follows, in parts or not.
    func isNext(_ tag: DERTag) -> Bool { next == tag.octet || next == tag.inParts.octet }

    @inline(__always)
    private var next: UInt8? { index < end ? bytes[index] : nil }

    @inline(__always)
    private mutating func take(_ tag: DERTag) throws(AppReceiptError) {
        guard next == tag.octet else {
            throw malformed("expected \(tag), found \(next.map { DERTag(octet: $0).description } ?? "the end")")
        }
        index += 1
    }

    /// The number of octets of the contents that follow, or nil if two zeros
    /// end them (X.690, 8.1.3). DER requires definite lengths, in the fewest
    /// octets (10.1).
    @inline(__always)
    private mutating func length() throws(AppReceiptError) -> Int? {
        guard let first = next else { throw malformed("no length") }
        index += 1
        var length = Int(first)
        if first == 0x80 {
            isCanonical = false
            return nil
        } else if first > 0x80 {
            let count = Int(first & 0x7F)
            guard count <= 8, count <= end - index else { throw malformed("a length of \(count) octets") }
            length = 0
            for octet in bytes[index..<index + count] {
                length = length << 8 | Int(octet)
                // Checked after each octet, so that the length can't
                // overflow.
                guard length <= end - index else { throw malformed("it ends too early") }
            }
            index += count
            if length < 0x80 || length < 1 << (8 * (count - 1)) { isCanonical = false }
        }
        guard length <= end - index else { throw malformed("it ends too early") }
        return length
    }

    /// Begins the contents of an element, after its tag.
    private mutating func enter() throws(AppReceiptError) {
        if let length = try length() {
            end = index + length
            isIndefinite = false
        } else {
            isIndefinite = true
        }
    }

    /// Ends the contents of an element.
    private mutating func leave(to outside: (end: Int, isIndefinite: Bool)) {
        if isIndefinite { index += 2 }
        (end, isIndefinite) = outside
    }

    private mutating func skip(depth: Int) throws(AppReceiptError) {
        guard let tag = next, tag != 0, tag & 0x1F != 0x1F else { throw malformed("no element of a receipt") }
        guard depth <= Self.deepest else { throw malformed("nested too deeply") }
        index += 1
        let outside = (end: end, isIndefinite: isIndefinite)
        try enter()
        if isIndefinite {
            guard tag & DERTag.constructedBit != 0 else { throw malformed("contents without an end") }
            while !isAtEnd { try skip(depth: depth + 1) }
        } else {
            index = end
        }
        leave(to: outside)
    }

    /// Appends the parts of a string: OCTET STRINGs, which may have parts
    /// themselves.
    private mutating func appendParts(
        _ tag: DERTag, to octets: inout [UInt8], depth: Int
    ) throws(AppReceiptError) {
        guard depth <= Self.deepest else { throw malformed("nested too deeply") }
        try take(tag.inParts)
        let outside = (end: end, isIndefinite: isIndefinite)
        try enter()
        while !isAtEnd {
            if next == DERTag.octetString.inParts.octet {
                try appendParts(.octetString, to: &octets, depth: depth + 1)
            } else {
                octets.append(contentsOf: try primitive(.octetString))
            }
        }
        leave(to: outside)
    }

    private func precedes(_ left: Range<Int>, _ right: Range<Int>) -> Bool {
        bytes[left].lexicographicallyPrecedes(bytes[right])
    }
}
