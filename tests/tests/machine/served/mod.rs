//! Served pages in a browser.

mod browser;
mod contest;
mod looks;
mod readers;
