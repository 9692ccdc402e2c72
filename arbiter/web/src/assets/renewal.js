// Makes a part of a page what the server says that it is now, and leaves alone what is the same. So the focus, selected
// text, how far something is scrolled and what a reader has opened stay. Forms are never changed: what is in them
// is the reader's, such as a chosen file.
"use strict";

const renewal = (() => {
  // Attributes that readers and scripts set.
  const OWN = ["open", "data-more"];

  // What tells an element from those beside it: rows of a table keep with the bot or the game that they lead to.
  function key(node) {
    if (node.nodeType !== Node.ELEMENT_NODE) return null;
    if (node.id) return `#${node.id}`;
    if (!node.matches("tr, li")) return null;
    const link = node.querySelector("a[href]");
    return link && link.getAttribute("href");
  }

  const isAlike = (one, other) => one.nodeType === other.nodeType && one.nodeName === other.nodeName && key(one) === key(other);

  function attributes(before, after) {
    for (const { name } of [...before.attributes]) {
      if (!after.hasAttribute(name) && !OWN.includes(name)) before.removeAttribute(name);
    }
    for (const { name, value } of after.attributes) {
      if (before.getAttribute(name) !== value) before.setAttribute(name, value);
    }
  }

  function change(before, after) {
    if (before.nodeType !== Node.ELEMENT_NODE) {
      if (before.data !== after.data) before.data = after.data;
      return;
    }
    if (before.matches("form") || before.isEqualNode(after)) return;
    attributes(before, after);
    const known = new Map([...before.childNodes].map((child) => [key(child), child]));
    let place = before.firstChild;
    for (const wanted of [...after.childNodes]) {
      const name = key(wanted);
      let same = name === null ? place : known.get(name);
      // Each is taken once, even where two have one name.
      if (name !== null) known.delete(name);
      if (!same || !isAlike(same, wanted)) same = null;
      if (same === null) {
        before.insertBefore(document.importNode(wanted, true), place);
        continue;
      }
      if (same === place) place = place.nextSibling;
      else before.insertBefore(same, place);
      change(same, wanted);
    }
    while (place) {
      const gone = place;
      place = place.nextSibling;
      gone.remove();
    }
  }

  // Has this done, and then gives back the focus and the selection where an element was moved.
  function keeping(act) {
    const selection = window.getSelection();
    const { anchorNode, anchorOffset, focusNode, focusOffset, isCollapsed } = selection;
    const focused = document.activeElement;
    const href = focused && focused.getAttribute("href");
    act();
    if (focused && focused !== document.body && document.activeElement !== focused) {
      const again = focused.isConnected ? focused : href && document.querySelector(`main a[href="${CSS.escape(href)}"]`);
      if (again) again.focus({ preventScroll: true });
    }
    if (isCollapsed || !anchorNode.isConnected || !focusNode.isConnected) return;
    const length = (node) => (node.nodeType === Node.TEXT_NODE ? node.data.length : node.childNodes.length);
    selection.setBaseAndExtent(anchorNode, Math.min(anchorOffset, length(anchorNode)), focusNode, Math.min(focusOffset, length(focusNode)));
  }

  // Gives parts of this page the content of others; each pair is what is there, and what takes its place.
  const take = (pairs) => keeping(() => pairs.forEach(([before, after]) => change(before, after)));

  return { take, keeping };
})();
