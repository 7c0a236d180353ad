// SPDX-License-Identifier: Apache-2.0
"use strict";

// Without this script each button loads the page again. With it, changes
// arrive as server-sent events and the page is updated in place.

const status = document.getElementById("status");
let loading = null;
let loadAgain = false;

// Replaces the contents of the page with its current contents.
async function load() {
  if (loading) { loadAgain = true; return loading; }
  loading = (async () => {
    do {
      loadAgain = false;
      const answer = await fetch(location.href, { cache: "no-store" });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const shown = document.querySelector("main");
      const next = page.querySelector("main");
      if (shown.innerHTML === next.innerHTML) continue;
      keepFields(next);
      shown.replaceWith(next);
      document.title = page.title;
      keepFocus();
    } while (loadAgain);
  })().catch(() => say("The garden doesn’t answer.")).finally(() => { loading = null; });
  return loading;
}

// The text in the fields stays when the page is replaced.
function keepFields(next) {
  for (const field of document.querySelectorAll("main input:not([type=hidden])")) {
    const same = next.querySelector(`#${field.id}`);
    if (same) same.value = field.value;
  }
}

// The focused element keeps the focus when the page is replaced. If its button
// no longer exists, its product gets the focus.
let lastFocus = "";
document.addEventListener("focusin", (event) => { lastFocus = event.target.id; });

function keepFocus() {
  if (!lastFocus || document.activeElement !== document.body) return;
  const element = document.getElementById(lastFocus)
    || document.getElementById(lastFocus.replace(/^get-/, "open-"));
  if (element) element.focus({ preventScroll: true });
}

function say(sentence) { status.textContent = sentence; }

document.addEventListener("submit", async (event) => {
  const form = event.target;
  event.preventDefault();
  const button = event.submitter || form.querySelector("button");
  const fields = new URLSearchParams(new FormData(form));
  if (button.name) fields.set(button.name, button.value);
  button.disabled = true;
  try {
    const answer = await fetch(form.action, { method: "POST", body: fields, redirect: "manual" });
    say(answer.type === "opaqueredirect" || answer.ok ? "" : await answer.text());
  } catch {
    say("The garden doesn’t answer.");
  }
  button.disabled = false;
  load();
});

const events = new EventSource("/events");
let wasLost = false;
events.addEventListener("change", load);
events.addEventListener("error", () => { wasLost = true; say("The connection to the garden is lost. Trying again…"); });
events.addEventListener("open", () => { if (wasLost) { wasLost = false; say(""); } });
