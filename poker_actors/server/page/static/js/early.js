// Set the chosen theme before the first paint, or a dark page would flash white.
"use strict";
try {
  const theme = localStorage.getItem("theme");
  if (theme === "dark" || theme === "light") document.documentElement.dataset.theme = theme;
} catch {
  // storage is blocked: the page keeps the system's theme
}
