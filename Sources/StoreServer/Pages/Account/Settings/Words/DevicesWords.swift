// SPDX-License-Identifier: Apache-2.0

/// The texts of the page of the devices.
struct DevicesWords: PageWords {
    var none: String
    var remove: String
    var removed: String
    var name: String
    var apps: String
    var seen: String

    static let english = DevicesWords(
        none: "The account is signed in on no device.",
        remove: "Sign out on this device",
        removed: "The account is signed out on the device.",
        name: "Device {number}",
        apps: "Apps: {names}",
        seen: "Last used on {date}.")

    static let german = DevicesWords(
        none: "Der Account ist auf keinem Gerät angemeldet.",
        remove: "Auf diesem Gerät abmelden",
        removed: "Der Account ist auf dem Gerät abgemeldet.",
        name: "Gerät {number}",
        apps: "Apps: {names}",
        seen: "Zuletzt benutzt am {date}.")

    static let french = DevicesWords(
        none: "Le compte n’est connecté sur aucun appareil.",
        remove: "Se déconnecter sur cet appareil",
        removed: "Le compte est déconnecté sur l’appareil.",
        name: "Appareil {number}",
        apps: "Apps : {names}",
        seen: "Dernière utilisation le {date}.")
}
