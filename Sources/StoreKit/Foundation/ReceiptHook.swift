// SPDX-License-Identifier: Apache-2.0

import CStoreKit
public import Foundation
import StoreAgent
import Synchronization

// Foundation on Linux declares `Bundle.appStoreReceiptURL` and always returns
// nil. A second declaration would be ambiguous in a file that imports both
// modules, and missing in a file that imports only Foundation. Therefore the
// getter's entry in Bundle's method table is replaced before `main`, so that
// all code receives the receipt's URL.
//
// The entry is found by the address of Foundation's getter. Unless it is found
// exactly once, nothing is changed. When StoreKit is first used, a check calls
// Foundation's property; if that doesn't return the expected URL, the entry is
// restored. The check can't run before `main`, because a Foundation that is
// linked statically isn't initialized then.
enum ReceiptHook {
    /// Whether Foundation's property returns the receipt's URL.
    enum State: Sendable, Hashable {
        case installed
        /// `STOREKIT_RECEIPT_URL=off` was in the environment.
        case switchedOff
        /// The getter can't be replaced in this Foundation; the text is the
        /// reason.
        case impossible(String)
    }

    /// The result of the replacement before `main`.
    static let installation: State = install()

    /// The result of the check, which runs at the first use.
    static let state: State = check()

    /// During the check, the URL that the getter returns in the check's
    /// thread, instead of the receipt's URL.
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
        return .impossible("Bundle's getter was replaced, but doesn't return the app's receipt address.")
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

    /// The words of a class's metadata from its address point on. Without
    /// Objective-C they begin with the kind, the superclass and sizes; the
    /// size of the whole metadata is the first half of the fifth word.
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

    /// Writes an entry, after making its memory writable.
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
    // A method receives its object and returns its value as a getter does. C
    // code reads its address by this name.
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
    /// The URL of the app's receipt, whether or not the file exists. Its last
    /// component is `sandboxReceipt` in the sandbox and `receipt` in
    /// production; `nil` when StoreKit can't start.
    ///
    /// `Bundle.main.appStoreReceiptURL` returns the same URL. It depends on a
    /// change in Foundation's memory, which the environment variable
    /// `STOREKIT_RECEIPT_URL=off` prevents and a later Foundation may make
    /// impossible. This property works in these cases, too.
    public static var receiptURL: URL? {
        try? AgentHost.shared.agent().receiptURL
    }
}
