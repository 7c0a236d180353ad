// SPDX-License-Identifier: Apache-2.0
// Loads the page again when the state of its payment changes. Without this script
// the page loads itself again every few seconds.
"use strict";

const pause = 2000;

async function check() {
    let state = document.body.dataset.outcome;
    try {
        const response = await fetch(location.pathname, { headers: { accept: "application/json" }, cache: "no-store" });
        // 202 means that the payment isn't complete; after a failure of the store
        // the page asks again.
        if (response.status === 202) state = (await response.json()).outcome;
        else if (response.status < 500) state = "";
    } catch {
        // The network is interrupted.
    }
    // Not reload(), which would send the form of the page before again.
    if (state !== document.body.dataset.outcome) location.replace(location.pathname);
    else setTimeout(check, pause);
}

setTimeout(check, pause);
