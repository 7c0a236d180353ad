// SPDX-License-Identifier: Apache-2.0

/// The prices that the App Store has in each of its 43 currencies.
///
/// `price-tiers.txt` has the 95 tiers, a row each: a table of February 2026 that a seller keeps in the form of Apple's matrix
/// (kiangming/appstore-connect-cpps). Apple has replaced tiers by price points in December 2022. `price-points.txt` has the
/// price points of February 2026, a row for each currency, as Apple's API gave them (andyshephard/PricingKit). Storefronts
/// with one currency have one price here; some of Apple's have others for single tiers (18 with USD, 3 with EUR).
enum PriceTable {
    static let tiers: [PriceTier] = {
        var lines = Self.lines(PackageResources.price_tiers_txt)
        let currencies = lines.removeFirst().dropFirst()
        return lines.map { words in
            guard let name = words.first, let number = Int(name) ?? alternates[name] else {
                preconditionFailure("\(words) has no tier")
            }
            return PriceTier(
                number: number, name: name,
                prices: Dictionary(uniqueKeysWithValues: zip(currencies, words.dropFirst().map(thousandths))))
        }
    }()

    /// The prices of each currency above 0 in thousandths, rising.
    static let points: [String: [Int64]] = Dictionary(
        uniqueKeysWithValues: lines(PackageResources.price_points_txt).map { words in
            (words[0], words.dropFirst().map(thousandths))
        })

    /// The numbers that the old App Store Connect API has for the alternate tiers.
    private static let alternates = [
        "A": 510, "B": 530, "Alt1": 550, "Alt2": 560, "Alt3": 570, "Alt4": 580, "Alt5": 590,
    ]

    private static func lines(_ file: [UInt8]) -> [[String]] {
        String(decoding: file, as: UTF8.self).split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    }

    private static func thousandths(_ decimal: String) -> Int64 {
        guard let milliunits = try? Money.milliunits(of: decimal) else {
            preconditionFailure("\(decimal) is no price")
        }
        return milliunits
    }
}
