// SPDX-License-Identifier: Apache-2.0

internal import CStoreKit
public import Foundation
internal import StoreAgent
internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Android)
internal import Android
#endif

// Foundation on Linux declares `Bundle.appStoreReceiptURL` and always answers
// nil. A second declaration would be ambiguous wherever a file imports both
// modules, and unknown where it imports Foundation alone. So the entry for the
// getter in the table of Bundle's methods is replaced, before `main`: then all
// code gets the receipt's address, whatever it imports.
//
// Nothing is assumed about where the entry is: it is looked for by the address
// of Foundation's getter, and unless it is found exactly once nothing is
// touched. When StoreKit is first used, Foundation is asked whether it answers
// as it was told; if not, the entry is put back. That can't be before `main`:
// in a program that links Foundation statically, that one isn't ready then.
enum ReceiptHook {
    /// Whether Foundation's property answers with the receipt's address.
    enum State: Sendable, Hashable {
        case installed
        /// `STOREKIT_RECEIPT_URL=off` was in the environment.
        case switchedOff
        /// This Foundation is another one than we know.
        case impossible(String)
    }

    /// What was done before `main`.
    static let installation: State = install()

    /// What the check has shown; the first use makes it.
    static let state: State = check()

    /// What the check is to hear, in its thread, instead of the receipt's
    /// address.
    fileprivate static let probe = Mutex<Probe?>(nil)

    fileprivate struct Probe {
        var thread: UInt
        var url: URL
    }

    private static func install() -> State {
        #if os(Linux)
        if let value = getenv("STOREKIT_RECEIPT_URL"), strcmp(value, "off") == 0 { return .switchedOff }
        return replace(storekit_foundation_receipt_getter(), by: storekit_own_receipt_getter())
        #else
        return .impossible("Only Foundation on Linux needs it.")
        #endif
    }

    private static func check() -> State {
        #if os(Linux)
        guard installation == .installed, !answers() else { return installation }
        _ = replace(storekit_own_receipt_getter(), by: storekit_foundation_receipt_getter())
        return .impossible("Bundle's getter doesn't answer as it was told.")
        #else
        return installation
        #endif
    }

    #if os(Linux)
    private static func replace(_ old: UnsafeRawPointer?, by new: UnsafeRawPointer?) -> State {
        guard let old, let new else { return .impossible("Foundation has no getter of the known name.") }
        let entries = methodEntries(of: Bundle.self)
        let places = entries.indices.filter { entries[$0] == old }
        guard places.count == 1, let entry = entries.baseAddress.map({ $0 + places[0] }) else {
            return .impossible("Bundle's table of methods has the getter \(places.count) times.")
        }
        guard write(new, to: entry) else { return .impossible("Bundle's table of methods can't be written.") }
        return .installed
    }

    /// The words of a class's metadata behind its description. Where there is
    /// no Objective-C they begin with ten words of kind, superclass, sizes and
    /// description; the size of the whole is the first half of the fifth.
    private static func methodEntries(of type: AnyClass) -> UnsafeMutableBufferPointer<UnsafeRawPointer?> {
        let word = MemoryLayout<UInt>.size
        let metadata = unsafeBitCast(type, to: UnsafeMutableRawPointer.self)
        let size = metadata.load(fromByteOffset: 2 * word + 16, as: UInt32.self)
        let before = metadata.load(fromByteOffset: 2 * word + 20, as: UInt32.self)
        guard before < 4096, size > before, size < 1 << 16 else {
            return UnsafeMutableBufferPointer(start: nil, count: 0)
        }
        return UnsafeMutableBufferPointer(
            start: metadata.assumingMemoryBound(to: UnsafeRawPointer?.self), count: Int(size - before) / word)
    }

    /// Writes an entry, in memory that may be protected after loading.
    private static func write(_ code: UnsafeRawPointer, to entry: UnsafeMutablePointer<UnsafeRawPointer?>) -> Bool {
        let page = UInt(sysconf(Int32(_SC_PAGESIZE)))
        let start = UInt(bitPattern: entry) & ~(page - 1)
        let length = Int(UInt(bitPattern: entry) + UInt(MemoryLayout<UInt>.size) - start)
        guard mprotect(UnsafeMutableRawPointer(bitPattern: start), length, PROT_READ | PROT_WRITE) == 0 else {
            return false
        }
        entry.pointee = code
        return true
    }

    private static func answers() -> Bool {
        let expected = URL(fileURLWithPath: "/receipt/hook")
        probe.withLock { $0 = Probe(thread: thread, url: expected) }
        defer { probe.withLock { $0 = nil } }
        return Bundle.main.appStoreReceiptURL == expected
    }

    fileprivate static var thread: UInt { UInt(bitPattern: Int(truncatingIfNeeded: pthread_self())) }
    #endif
}

/// Called before `main`.
@_cdecl("storekit_install_receipt_hook")
func installReceiptHook() {
    _ = ReceiptHook.installation
}

#if os(Linux)
extension Bundle {
    // A method takes its object and gives its value as a getter does. The name
    // is C's way to the address.
    @_silgen_name("storekit_app_store_receipt_url")
    @inline(never)
    final func storeKitReceiptURL() -> URL? {
        if let probe = ReceiptHook.probe.withLock({ $0 }), probe.thread == ReceiptHook.thread { return probe.url }
        guard self == Bundle.main else { return nil }
        return StoreKitConfiguration.receiptURL
    }
}
#endif

extension StoreKitConfiguration {
    /// Where the app's receipt lies or will lie: its last component is
    /// `sandboxReceipt` in the sandbox and `receipt` in production; `nil` when
    /// StoreKit isn't configured.
    ///
    /// `Bundle.main.appStoreReceiptURL` gives the same. It needs a change in
    /// Foundation's memory, which the environment variable
    /// `STOREKIT_RECEIPT_URL=off` forbids, and which a later Foundation may
    /// make impossible; then this is the way that remains.
    public static var receiptURL: URL? {
        try? AgentHost.shared.agent().receiptURL
    }
}
