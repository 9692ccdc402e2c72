//! Reports in a browser.

mod browser;
