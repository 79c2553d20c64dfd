// Sets the chosen theme before anything is drawn, so that a dark page does not flash white.
"use strict";
try {
  const theme = localStorage.getItem("theme");
  if (theme === "dark" || theme === "light") document.documentElement.dataset.theme = theme;
} catch {
  // no storage: the system's theme it is
}
