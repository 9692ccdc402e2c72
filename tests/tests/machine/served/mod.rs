//! Served pages in a browser.

mod browser;
mod contest;
mod looks;
mod own;
mod people;
mod readers;
