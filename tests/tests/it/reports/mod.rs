//! The web pages that `arbiter report` writes.

pub(crate) mod browser;
mod commands;
mod people;
mod report;
mod voice;
