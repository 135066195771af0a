// Returns the texts whose contrast with what is behind them is below 4.5, as WCAG 2 measures it.
() => {
  const parsed = (colour) => colour.match(/[\d.]+/g).map(Number);
  const luminance = ([r, g, b]) => {
    const linear = [r, g, b].map((value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
  };
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = parsed(getComputedStyle(at).backgroundColor);
      if (colour.length < 4 || colour[3] > 0) return colour;
    }
    return [255, 255, 255];
  };
  const contrast = (one, other) => {
    const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (light + 0.05) / (dark + 0.05);
  };
  const faint = [];
  let count = 0;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    const shown = walker.currentNode.data.trim() && element.getClientRects().length;
    if (!shown || element.closest("button:disabled, script, title")) continue;
    const style = getComputedStyle(element);
    const colour = parsed(element.closest("svg") ? style.fill : style.color);
    count += 1;
    if (contrast(colour, behind(element)) < 4.5) {
      faint.push(`${element.tagName} ${element.className}: ${walker.currentNode.data}`);
    }
  }
  for (const path of document.querySelectorAll("svg path")) {
    count += 1;
    if (contrast(parsed(getComputedStyle(path).stroke), behind(path)) < 3) faint.push("curve");
  }
  return [count, faint];
}
