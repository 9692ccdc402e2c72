//! The web pages that `arbiter report` writes.

mod browser;
mod commands;
mod people;
mod report;
mod voice;
