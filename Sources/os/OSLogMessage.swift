// SPDX-License-Identifier: Apache-2.0

/// The text of a message with its values, which are read only if the message is written.
public struct OSLogMessage: ExpressibleByStringInterpolation {
    private let interpolation: OSLogInterpolation

    /// Makes the message of an interpolated literal.
    public init(stringInterpolation: OSLogInterpolation) {
        interpolation = stringInterpolation
    }

    /// Makes the message of a literal without values.
    public init(stringLiteral value: String) {
        interpolation = OSLogInterpolation(literal: value)
    }

    var text: String { interpolation.parts.map { $0() }.joined() }
}

/// The literals and the values of a message, in the order of the text.
public struct OSLogInterpolation: StringInterpolationProtocol {
    private(set) var parts: [() -> String] = []

    /// Makes the parts of a message without any.
    public init(literalCapacity: Int, interpolationCount: Int) {
        parts.reserveCapacity(2 * interpolationCount + 1)
    }

    init(literal: String) {
        parts = [{ literal }]
    }

    /// Adds a text of the program.
    public mutating func appendLiteral(_ literal: String) {
        parts.append { literal }
    }

    /// Adds a text, which is private unless it is said to be public.
    public mutating func appendInterpolation(
        _ argumentString: @autoclosure @escaping () -> String, align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto, attributes: String = ""
    ) {
        parts.append { privacy.text(isPrivate: true) { align.aligned(argumentString()) } }
    }

    /// Adds the description of a value, which is private unless it is said to be public. Numbers, which have a
    /// description, too, have functions of their own.
    @_disfavoredOverload
    public mutating func appendInterpolation<T: CustomStringConvertible>(
        _ value: @autoclosure @escaping () -> T, align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto, attributes: String = ""
    ) {
        parts.append { privacy.text(isPrivate: true) { align.aligned(value().description) } }
    }

    /// Adds the name of a type, which is private unless it is said to be public.
    public mutating func appendInterpolation(
        _ value: @autoclosure @escaping () -> any Any.Type, align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto, attributes: String = ""
    ) {
        parts.append { privacy.text(isPrivate: true) { align.aligned(String(describing: value())) } }
    }

    /// Adds a number, which is public unless it is said to be private.
    public mutating func appendInterpolation<T: FixedWidthInteger>(
        _ number: @autoclosure @escaping () -> T, format: OSLogIntegerFormatting = .decimal,
        align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto, attributes: String = ""
    ) {
        parts.append { privacy.text(isPrivate: false) { align.aligned(format.text(number())) } }
    }

    /// Adds a number, which is public unless it is said to be private.
    public mutating func appendInterpolation(
        _ number: @autoclosure @escaping () -> Double, format: OSLogFloatFormatting = .fixed,
        align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto, attributes: String = ""
    ) {
        parts.append { privacy.text(isPrivate: false) { align.aligned(format.text(number())) } }
    }

    /// Adds a number, which is public unless it is said to be private.
    public mutating func appendInterpolation(
        _ number: @autoclosure @escaping () -> Float, format: OSLogFloatFormatting = .fixed,
        align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto, attributes: String = ""
    ) {
        parts.append { privacy.text(isPrivate: false) { align.aligned(format.text(Double(number()))) } }
    }

    /// Adds a truth value, which is public unless it is said to be private.
    public mutating func appendInterpolation(
        _ boolean: @autoclosure @escaping () -> Bool, format: OSLogBoolFormat = .truth, privacy: OSLogPrivacy = .auto,
        attributes: String = ""
    ) {
        parts.append { privacy.text(isPrivate: false) { format.text(boolean()) } }
    }
}
