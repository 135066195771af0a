"use strict";
(() => {
  const data = document.getElementById("steps");
  if (!data) return;
  const steps = JSON.parse(data.textContent);
  const stepper = document.getElementById("stepper");
  const slider = document.getElementById("step-number");
  const facts = document.getElementById("step-facts");
  const change = document.getElementById("step-change");
  const kinds = { "-": "removed", "+": "added" };
  let number = 1;

  // Texts are set as text and never as HTML, so that nothing in them can run.
  const lineElement = (text) => {
    const line = document.createElement("span");
    line.className = kinds[text[0]] || "unchanged";
    line.textContent = text + "\n";
    return line;
  };

  const show = (wanted) => {
    number = Math.min(Math.max(wanted, 1), steps.length);
    const [described, text] = steps[number - 1];
    facts.textContent = described;
    change.replaceChildren(...text.split("\n").map(lineElement));
    slider.value = String(number);
    for (const button of stepper.querySelectorAll("button")) {
      const backwards = ["first", "previous"].includes(button.dataset.move);
      button.disabled = backwards ? number === 1 : number === steps.length;
    }
  };

  const moves = {
    first: () => show(1),
    previous: () => show(number - 1),
    next: () => show(number + 1),
    last: () => show(steps.length),
  };
  stepper.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button) moves[button.dataset.move]();
  });
  slider.addEventListener("input", () => show(Number(slider.value)));

  // A text that can be scrolled, and the slider, need the arrows themselves.
  const keys = { ArrowLeft: moves.previous, ArrowRight: moves.next };
  document.addEventListener("keydown", (event) => {
    const move = keys[event.key];
    const own = event.target.closest("input, pre:not(#step-change), summary");
    if (!move || own || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    move();
  });
  document.getElementById("without-scripts").hidden = true;
  stepper.hidden = false;
  show(1);
})();
