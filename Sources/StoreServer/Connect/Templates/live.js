// SPDX-License-Identifier: Apache-2.0
// Replaces the list of the live page with those that the store sends. Without this
// script a reload shows the newest entries.
"use strict";

const live = document.getElementById("live");
const state = document.getElementById("live-state");
const stream = new EventSource(live.dataset.stream);

// A list isn't replaced while a link in it has the focus.
let waiting = null;

function show(html) {
    if (live.contains(document.activeElement)) waiting = html;
    else live.innerHTML = html;
}

function say(text) {
    if (state.textContent !== text) state.textContent = text;
}

stream.addEventListener("message", (event) => {
    say(live.dataset.live);
    show(event.data);
});
stream.addEventListener("error", () => {
    say(live.dataset.interrupted);
    // A browser doesn't try again after a refusal. A reload shows the reason.
    if (stream.readyState === EventSource.CLOSED) setTimeout(() => location.reload(), 30000);
});
live.addEventListener("focusout", () => setTimeout(() => {
    if (waiting === null || live.contains(document.activeElement)) return;
    live.innerHTML = waiting;
    waiting = null;
}));
window.addEventListener("pagehide", () => stream.close());
