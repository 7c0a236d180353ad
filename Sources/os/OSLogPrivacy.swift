// SPDX-License-Identifier: Apache-2.0

/// Whether a value of a message may be read in the log.
///
/// Texts and objects are private unless they are said to be public; numbers and truth values are public unless they are
/// said to be private.
public struct OSLogPrivacy: Hashable, Sendable {
    /// The text in the place of a private value.
    public enum Mask: Hashable, Sendable {
        /// A number that is the same for equal values of this process, so that they can be recognised.
        case hash
        /// Nothing that depends on the value.
        case none
    }

    private enum Visibility { case automatic, visible, secret, sensitive }

    private let visibility: Visibility
    private let mask: Mask

    /// Private for texts and objects, public for numbers.
    public static let auto = OSLogPrivacy(visibility: .automatic, mask: .none)
    /// The value is in the log.
    public static let `public` = OSLogPrivacy(visibility: .visible, mask: .none)
    /// The value isn't in the log.
    public static let `private` = OSLogPrivacy(visibility: .secret, mask: .none)
    /// The value isn't in the log: Apple keeps it out also where private values are shown.
    public static let sensitive = OSLogPrivacy(visibility: .sensitive, mask: .none)

    /// As `auto`, with a mask.
    public static func auto(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(visibility: .automatic, mask: mask) }
    /// As `private`, with a mask.
    public static func `private`(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(visibility: .secret, mask: mask) }
    /// As `sensitive`, with a mask.
    public static func sensitive(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(visibility: .sensitive, mask: mask) }

    /// Returns a value's text, or the text in its place.
    func text(isPrivate: Bool, _ value: () -> String) -> String {
        let name: String
        switch visibility {
        case .visible: return value()
        case .automatic where !isPrivate: return value()
        case .automatic, .secret: name = "private"
        case .sensitive: name = "sensitive"
        }
        return mask == .none ? "<\(name)>" : "<mask.hash: \(String(UInt(bitPattern: value().hashValue), radix: 16))>"
    }
}
