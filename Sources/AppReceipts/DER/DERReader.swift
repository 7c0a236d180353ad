// SPDX-License-Identifier: Apache-2.0

/// A cursor over BER that notices whether what it reads is DER.
///
/// BER may write a value in many ways, DER in one (X.690, 10 and 11). A
/// receipt of ours has to be DER, and Apple's and Xcode's are read too: so
/// what only BER allows is read, and noted in ``isCanonical``. Nothing has to
/// be encoded again to know that it was in the one form.
///
/// ```swift
/// var reader = DERReader(bytes)
/// let (number, text) = try reader.constructed(.sequence) { reader throws(AppReceiptError) in
///     (try reader.integer(), try reader.octets(.utf8String))
/// }
/// try reader.finish()
/// ```
///
/// It takes no memory, but for strings in parts, and what it gives are slices
/// of what it was given. Every error is ``AppReceiptError/Code/malformed``.
/// What is called for each element is inlined by hand, because the compiler
/// doesn't.
struct DERReader {
    /// Whether all that was read is as DER writes it.
    ///
    /// Whoever holds values to more than DER does takes it back too.
    var isCanonical = true

    private let bytes: ArraySlice<UInt8>
    /// Of the next octet.
    private var index: Int
    /// Of the first octet behind the element whose contents are being read.
    private var end: Int
    /// Whether those contents end by two zeros that come before that
    /// (X.690, 8.1.5).
    private var isIndefinite = false

    /// How deep elements of indefinite length, and strings in parts, may be
    /// inside of one another.
    private static let deepest = 50

    /// A cursor at the start of these bytes.
    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        index = bytes.startIndex
        end = bytes.endIndex
    }

    /// Whether nothing follows in the element whose contents are being read.
    var isAtEnd: Bool {
        isIndefinite ? end - index >= 2 && bytes[index] == 0 && bytes[index + 1] == 0 : index == end
    }

    /// Throws if anything follows.
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

    /// Reads the contents of a constructed element, to their last octet.
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

    /// Reads the elements of a SET OF, one by one.
    ///
    /// DER has them in ascending order of their octets (X.690, 11.6). As none
    /// begins with all of another, the shorter one needs no padding.
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

    /// One element with its tag and length, whatever it is.
    ///
    /// What is inside isn't looked at: whoever takes a whole element compares
    /// it, or has somebody else parse it.
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

    /// Everything that is left.
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

    /// How many octets of contents follow, or nil if two zeros will end them
    /// (X.690, 8.1.3). DER has definite lengths, in the fewest octets (10.1).
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
                // Each time, so that it stays a number.
                guard length <= end - index else { throw malformed("it ends too early") }
            }
            index += count
            if length < 0x80 || length < 1 << (8 * (count - 1)) { isCanonical = false }
        }
        guard length <= end - index else { throw malformed("it ends too early") }
        return length
    }

    /// Goes in where contents begin, after the tag.
    private mutating func enter() throws(AppReceiptError) {
        if let length = try length() {
            end = index + length
            isIndefinite = false
        } else {
            isIndefinite = true
        }
    }

    /// Goes out where contents end.
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

    /// The parts of a string are OCTET STRINGs, in parts themselves or not.
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
