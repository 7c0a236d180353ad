// SPDX-License-Identifier: Apache-2.0

/// The columns of a text in a message.
public struct OSLogStringAlignment: Sendable {
    private let columns: @Sendable () -> Int
    private let isRight: Bool

    /// The text as it is.
    public static let none = OSLogStringAlignment(columns: { 0 }, isRight: false)

    /// Adds spaces in front of a text that has fewer characters than columns.
    public static func right(columns: @autoclosure @escaping @Sendable () -> Int) -> OSLogStringAlignment {
        OSLogStringAlignment(columns: columns, isRight: true)
    }

    /// Adds spaces behind a text that has fewer characters than columns.
    public static func left(columns: @autoclosure @escaping @Sendable () -> Int) -> OSLogStringAlignment {
        OSLogStringAlignment(columns: columns, isRight: false)
    }

    func aligned(_ text: String) -> String {
        let spaces = String(repeating: " ", count: max(0, columns() - text.count))
        return isRight ? spaces + text : text + spaces
    }
}

/// How a truth value is written.
public enum OSLogBoolFormat: Hashable, Sendable {
    /// `true` or `false`
    case truth
    /// `yes` or `no`
    case answer

    func text(_ value: Bool) -> String {
        switch self {
        case .truth: value ? "true" : "false"
        case .answer: value ? "yes" : "no"
        }
    }
}

/// How an integer is written.
public struct OSLogIntegerFormatting: Hashable, Sendable {
    private var radix = 10
    private var isUppercase = false
    private var prefix = ""
    private var hasPositiveSign = false
    private var minDigits = 1

    /// Digits of base 10.
    public static let decimal = OSLogIntegerFormatting()
    /// Digits of base 16, without a prefix.
    public static let hex = OSLogIntegerFormatting(radix: 16)
    /// Digits of base 8, without a prefix.
    public static let octal = OSLogIntegerFormatting(radix: 8)

    /// Digits of base 10, with zeros in front up to a number of digits.
    public static func decimal(explicitPositiveSign: Bool = false, minDigits: Int = 1) -> OSLogIntegerFormatting {
        OSLogIntegerFormatting(hasPositiveSign: explicitPositiveSign, minDigits: minDigits)
    }

    /// Digits of base 16, with zeros in front up to a number of digits, and with `0x` if asked.
    public static func hex(
        explicitPositiveSign: Bool = false, includePrefix: Bool = false, uppercase: Bool = false, minDigits: Int = 1
    ) -> OSLogIntegerFormatting {
        OSLogIntegerFormatting(
            radix: 16, isUppercase: uppercase, prefix: includePrefix ? "0x" : "",
            hasPositiveSign: explicitPositiveSign, minDigits: minDigits)
    }

    /// Digits of base 8, with zeros in front up to a number of digits, and with `0o` if asked.
    public static func octal(
        explicitPositiveSign: Bool = false, includePrefix: Bool = false, uppercase: Bool = false, minDigits: Int = 1
    ) -> OSLogIntegerFormatting {
        OSLogIntegerFormatting(
            radix: 8, isUppercase: uppercase, prefix: includePrefix ? "0o" : "",
            hasPositiveSign: explicitPositiveSign, minDigits: minDigits)
    }

    func text(_ value: some FixedWidthInteger) -> String {
        let digits = String(value.magnitude, radix: radix, uppercase: isUppercase)
        let zeros = String(repeating: "0", count: max(0, minDigits - digits.count))
        return (value < 0 ? "-" : hasPositiveSign ? "+" : "") + prefix + zeros + digits
    }
}

/// How a number with a fraction is written: as C's `printf` does.
public struct OSLogFloatFormatting: Hashable, Sendable {
    private var conversion: Character = "f"
    private var precision = 6
    private var hasPositiveSign = false

    /// Six digits of the fraction.
    public static let fixed = OSLogFloatFormatting()
    /// One digit, six digits of the fraction and an exponent.
    public static let exponential = OSLogFloatFormatting(conversion: "e")
    /// Six significant digits, with an exponent if the number is very small or large.
    public static let hybrid = OSLogFloatFormatting(conversion: "g")

    /// A number of digits of the fraction.
    public static func fixed(precision: Int, explicitPositiveSign: Bool = false) -> OSLogFloatFormatting {
        OSLogFloatFormatting(precision: precision, hasPositiveSign: explicitPositiveSign)
    }

    /// One digit, a number of digits of the fraction and an exponent.
    public static func exponential(precision: Int, explicitPositiveSign: Bool = false) -> OSLogFloatFormatting {
        OSLogFloatFormatting(conversion: "e", precision: precision, hasPositiveSign: explicitPositiveSign)
    }

    /// A number of significant digits, with an exponent if the number is very small or large.
    public static func hybrid(precision: Int, explicitPositiveSign: Bool = false) -> OSLogFloatFormatting {
        OSLogFloatFormatting(conversion: "g", precision: precision, hasPositiveSign: explicitPositiveSign)
    }

    func text(_ value: Double) -> String {
        let format = "%\(hasPositiveSign ? "+" : "").*\(conversion)"
        return withVaList([CInt(clamping: max(0, precision)), value]) { formatted(format, $0) }
    }
}
