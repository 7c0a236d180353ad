// SPDX-License-Identifier: Apache-2.0

#ifndef CSTOREKIT_H
#define CSTOREKIT_H

#include "StoreKitEnumerations.h"

/// The code of Foundation's getter of `Bundle.appStoreReceiptURL`, or NULL
/// when this Foundation has none by that name.
const void *storekit_foundation_receipt_getter(void);

/// The code of StoreKit's getter, which takes and gives the same.
const void *storekit_own_receipt_getter(void);

#endif
