//! Served pages in a browser.

mod browser;
mod readers;
