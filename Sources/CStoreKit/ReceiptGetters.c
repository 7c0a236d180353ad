// SPDX-License-Identifier: Apache-2.0

// Gives Swift the addresses of two getters, and runs code before `main`. See
// StoreKit/Foundation/ReceiptHook.swift.

#include "CStoreKit.h"

#include <stddef.h>

#if defined(__linux__)

// The symbol of Foundation's getter. It is weak: in a Foundation without it
// the address is NULL, and the program still links.
extern const char foundation_getter[] __asm__(
    "$s10Foundation6BundleC18appStoreReceiptURL0A10Essentials0F0VSgvg") __attribute__((weak));

// Both are defined in StoreKit, in Swift.
extern const char storekit_app_store_receipt_url[] __attribute__((weak));
extern void storekit_install_receipt_hook(void) __attribute__((weak));

const void *storekit_foundation_receipt_getter(void) {
    return foundation_getter;
}

const void *storekit_own_receipt_getter(void) {
    return storekit_app_store_receipt_url;
}

__attribute__((constructor)) static void storekit_begin(void) {
    if (storekit_install_receipt_hook != NULL) {
        storekit_install_receipt_hook();
    }
}

#else

const void *storekit_foundation_receipt_getter(void) {
    return NULL;
}

const void *storekit_own_receipt_getter(void) {
    return NULL;
}

#endif
