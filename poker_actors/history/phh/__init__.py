"""The Poker Hand History standard: `.phh` and `.phhs`, a dialect of TOML."""
