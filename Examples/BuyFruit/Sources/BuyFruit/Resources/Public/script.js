// SPDX-License-Identifier: Apache-2.0
"use strict";

// Without this script each button loads the page again. With it, changes and
// alerts arrive as server-sent events and the page is updated in place.

const status = document.getElementById("status");
const dialog = document.getElementById("alert");
const alerts = [];
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
      shown.replaceWith(next);
      document.title = page.title;
      keepFocus();
    } while (loadAgain);
  })().catch(() => say("BuyFruit doesn’t answer.")).finally(() => { loading = null; });
  return loading;
}

// The focused element keeps the focus when the page is replaced or an alert is
// closed. If a Buy button no longer exists, its fruit gets the focus.
let lastFocus = "";
document.addEventListener("focusin", (event) => {
  if (!dialog.contains(event.target)) lastFocus = event.target.id;
});

function keepFocus() {
  const active = document.activeElement;
  if (dialog.open || !lastFocus || (active !== document.body && !dialog.contains(active))) return;
  const element = document.getElementById(lastFocus)
    || document.getElementById(lastFocus.replace(/^buy-/, "open-"));
  if (element) element.focus({ preventScroll: true });
}

function say(sentence) { status.textContent = sentence; }

function showNextAlert() {
  if (dialog.open || alerts.length === 0) return;
  const { title, message } = alerts[0];
  document.getElementById("alert-title").textContent = title;
  document.getElementById("alert-message").textContent = message;
  dialog.showModal();
}

dialog.addEventListener("close", () => { alerts.shift(); keepFocus(); showNextAlert(); });

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (form.method !== "post") return;
  event.preventDefault();
  const button = form.querySelector("button");
  button.disabled = true;
  try {
    const answer = await fetch(form.action, {
      method: "POST", body: new URLSearchParams(new FormData(form)), redirect: "manual",
    });
    say(answer.type === "opaqueredirect" || answer.ok ? "" : await answer.text());
  } catch {
    say("BuyFruit doesn’t answer.");
  }
  button.disabled = false;
  load();
});

// An app that comes to the front loads its list again: the store may have other products and prices by now.
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") fetch("/refresh", { method: "POST", redirect: "manual" }).catch(() => {});
});

const events = new EventSource("/events");
let wasLost = false;
events.addEventListener("change", load);
// The progress of a download changes often. The page isn't replaced for it, so
// that its buttons can be pressed.
events.addEventListener("progress", (event) => {
  const { name, percent, text } = JSON.parse(event.data);
  const bar = document.getElementById(`progress-${name}`);
  const sentence = document.getElementById(`download-${name}`);
  if (bar) bar.value = percent;
  if (sentence) sentence.textContent = text;
});
events.addEventListener("alert", (event) => {
  const alert = JSON.parse(event.data);
  const last = alerts[alerts.length - 1];
  if (!last || last.title !== alert.title || last.message !== alert.message) alerts.push(alert);
  showNextAlert();
});
events.addEventListener("error", () => { wasLost = true; say("The connection to BuyFruit is lost. Trying again…"); });
events.addEventListener("open", () => { if (wasLost) { wasLost = false; say(""); } });
