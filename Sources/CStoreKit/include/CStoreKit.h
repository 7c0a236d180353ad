// SPDX-License-Identifier: Apache-2.0

#ifndef CSTOREKIT_H
#define CSTOREKIT_H

#include "StoreKitEnumerations.h"

/// The address of Foundation's getter of `Bundle.appStoreReceiptURL`, or NULL
/// when this Foundation doesn't have the symbol.
const void *storekit_foundation_receipt_getter(void);

/// The address of StoreKit's getter, which has the same signature.
const void *storekit_own_receipt_getter(void);

#endif
